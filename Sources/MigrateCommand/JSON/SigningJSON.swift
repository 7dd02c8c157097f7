internal import Seedbed
internal import SeedbedAuthoring
internal import SeedbedOverTheAir

// The documents about signatures and bundles. Fields may be added, never renamed.

extension JSON {
  static func signing(_ summary: SigningSummary, _ context: CommandContext) -> JSON {
    signing(
      summary.path, outcome: summary.isChanged ? "written" : "upToDate", keys: summary.keys,
      head: summary.head, id: summary.catalog, context)
  }

  /// - Parameter path: the file that was written.
  static func signing(
    _ path: String, outcome: String, keys: [PublicKey], head: Version? = nil, id: String? = nil,
    _ context: CommandContext
  ) -> JSON {
    .document([
      ("catalog", .string(context.settings.migrations)), ("path", .string(path)),
      ("outcome", .string(outcome)), ("id", .optional(id)), ("head", .optional(head)),
      ("keys", .keys(keys)),
    ])
  }

  static func bundle(_ summary: BundleSummary, of folder: String) -> JSON {
    .document([
      ("catalog", .string(folder)), ("bundle", .string(summary.path)),
      ("outcome", .string("written")), ("version", .number(summary.version)),
      ("since", .number(summary.since)), ("migrations", .number(Int64(summary.migrations))),
      ("files", .number(Int64(summary.files))), ("rows", .number(Int64(summary.rows))),
      ("bytes", .number(summary.bytes)), ("keys", .keys(summary.keys)),
    ])
  }

  /// Only of a catalog with a signature file.
  static func signedBy(_ check: SignatureCheck) -> [(key: String, value: JSON)] {
    check.isThere ? [("signedBy", .keys(check.keys))] : []
  }

  private static func keys(_ keys: [PublicKey]) -> JSON {
    .array(keys.map { .string($0.text) })
  }
}
