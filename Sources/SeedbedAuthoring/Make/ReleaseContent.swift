import Seedbed

/// The content of a release's folders: its rows, and the other files.
struct ReleaseContent {
  var rows: ReleaseRows
  var scratch: ScratchDatabase
  /// Files that are not made from the compared rows.
  let own: [NewFile]
  let description: String?
  /// Whether it comes before, and after, all others of the release.
  var isFirst = true
  var isLast = true
  /// Why it is a separate migration; nil for the first.
  var reason: String?

  var hasSQL: Bool { own.contains { $0.name.hasSuffix(".sql") } }

  func folder(_ name: String) throws -> ReleaseWriter.FolderContent {
    var files = try rows.files(in: scratch)
    files += own.filter { file in
      Self.isOfEach(file) || (Self.comesLast(file) ? isLast : isFirst)
    }
    if let description { try describe(&files, description) }
    return ReleaseWriter.FolderContent(name: name, files: files)
  }

  /// Whether a file goes into each part: options apply to the rows of all parts.
  private static func isOfEach(_ file: NewFile) -> Bool { file.name == optionsName }

  /// Whether a file goes into the last part, since it may use any row.
  static func comesLast(_ file: NewFile) -> Bool {
    ["after.sql", "verify.sql", "after.down.sql"].contains { name in
      EngineName.allCases.contains { $0.file(name) == file.name }
    }
  }

  private static let optionsName = "migration.json"

  /// Adds the description to each part, since each is a migration of its own.
  private func describe(_ files: inout [NewFile], _ words: String) throws {
    let name = Self.optionsName
    var old: [UInt8]?
    if case .bytes(let bytes)? = files.first(where: { $0.name == name })?.content { old = bytes }
    let new = try Catalog.optionsFile(description: words, like: old, place: name)
    files.removeAll { $0.name == name }
    files.append(NewFile(name, new))
  }
}
