internal import Seedbed
internal import SeedbedAuthoring
internal import SeedbedOverTheAir

extension Verb {
  static let lock = Verb(
    name: "lock",
    summary: "write the lock of the catalog, or check it",
    about: "Writes the size, row count and digest of every file of the catalog to seedbed.lock. "
      + "Commit that file: it tells a device whether it has the released files.",
    examples: [
      Example("lock", "write Migrations/seedbed.lock"),
      Example("lock --check", "write nothing; exit 3 if it is stale"),
      Example("lock --check --against", "or if released data changed since the last tag"),
    ],
    usesDatabase: false,
    exitCodes: [.done, .failed, .disagreement, .busy, .refused, .usage],
    run: LockCommand.run)
}

enum LockCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    try context.requireMigrations()
    let folder = context.settings.migrations
    let released = try ReleasedCheck(context)
    let refused = released?.refused ?? []
    if context.arguments.has(.lockCheck) {
      let findings = try context.namingTheFlag { try CatalogLock.check(directory: folder) }
      let signature = try SignatureCheck(directory: folder)
      SignCommand.noteGrowth(signature, context)
      return try show(
        refused + findings + signature.mistakes, context, released, signature)
    }
    if !refused.isEmpty { return try show(refused, context, released) }
    let summary = try context.namingTheFlag { try CatalogLock.write(directory: folder) }
    let signature = try SignatureCheck(directory: folder)
    try context.result(
      (released?.lines ?? []) + lines(summary, context) + lines(signature, context),
      .lock(summary, of: folder, (released?.members ?? []) + JSON.signedBy(signature)))
    return .done
  }

  static func show(
    _ findings: [SeedbedError], _ context: CommandContext, _ released: ReleasedCheck? = nil,
    _ signature: SignatureCheck? = nil
  ) throws -> ExitCode {
    let findings = findings.map { $0.completed(context.program) }
    let subject: [(key: String, value: JSON)] =
      [("catalog", .string(context.settings.migrations))] + (released?.members ?? [])
      + (signature.map { JSON.signedBy($0) } ?? [])
    try context.result(
      (released?.lines ?? []) + lines(findings, context)
        + SignCommand.lines(of: findings.isEmpty ? signature?.keys ?? [] : []),
      .findings(findings, about: subject))
    return ExitCode(findings)
  }

  /// Lists each folder that differs from the old lock, and counts all that the new lock covers.
  static func lines(_ summary: LockSummary, _ context: CommandContext) -> [String] {
    let path = context.shown(summary.path)
    let size = [
      Measures.count(summary.migrations, "migration"), Measures.count(summary.files, "file"),
      Measures.count(summary.rows, "row"),
    ].joined(separator: ", ")
    if !summary.isChanged { return ["\(path) is up to date: \(size)."] }
    return folders("added", summary.added) + folders("changed", summary.changed)
      + folders("removed", summary.removed)
      + ["Wrote \(path): \(size). The catalog now ends at \(summary.version)."]
  }

  /// The first 20 folders. In a catalog without a lock all are new, and a longer list would not
  /// help.
  private static func folders(_ what: String, _ names: [String]) -> [String] {
    let more = names.count - 20
    return names.prefix(20).map { "\(what.padded(to: 9))\($0.printable)" }
      + (more > 0 ? ["\(what.padded(to: 9))… and \(Measures.grouped(more)) more"] : [])
  }

  /// A new lock needs a new signature, which is no reason not to write it.
  private static func lines(_ signature: SignatureCheck, _ context: CommandContext) -> [String] {
    signature.findings.map { finding in
      "\(LockSignature.fileName): " + finding.completed(context.program).message.printable
    }
  }

  private static func lines(_ findings: [SeedbedError], _ context: CommandContext) -> [String] {
    let path = context.shown(context.settings.migrations)
    if findings.isEmpty { return ["The lock of \(path) is up to date."] }
    return VerifyCommand.lines(findings, context)
  }
}

/// The result of `--against`.
struct ReleasedCheck {
  let ref: String
  let changes: ReleasedChanges
  private let isAllowed: Bool

  /// nil if the option is not given.
  init?(_ context: CommandContext) throws {
    guard let released = try ReleasedLock(.against, context) else {
      if context.arguments.has(.allowRewrite) {
        throw SeedbedError(.usage, "'--allow-rewrite' needs '--against'. Give both.")
      }
      return nil
    }
    isAllowed = context.arguments.has(.allowRewrite)
    ref = released.ref
    changes = try ReleasedChanges(
      directory: context.settings.migrations, released: released.bytes, place: released.place)
  }

  var refused: [SeedbedError] { isAllowed ? [] : changes.rewritten }

  /// Differences that do not change data, and those that `--allow-rewrite` accepted.
  var lines: [String] {
    let allowed = isAllowed ? changes.rewritten.compactMap(\.place?.file) : []
    return allowed.map { "allowed  \($0.printable): its data differ from what devices have" }
      + changes.harmless.map {
        "harmless \($0.name.printable): " + $0.changes.map(\.printable).joined(separator: ", ")
      } + ["Compared with \(ref.printable)."]
  }

  var members: [(key: String, value: JSON)] {
    [
      ("against", .string(ref)),
      ("rewritten", .array(changes.rewritten.map { .string($0.place?.file ?? "") })),
      (
        "harmless",
        .array(
          changes.harmless.map { change in
            .object([
              ("name", .string(change.name)),
              ("changes", .array(change.changes.map { .string($0) })),
            ])
          })
      ),
    ]
  }
}
