import Seedbed

/// What a folder of a release holds: its rows, and the files beside them.
struct ReleaseContent {
  var rows: ReleaseRows
  var scratch: ScratchDatabase
  /// Files that are not made of the compared rows.
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

  /// Options hold for the rows of all steps.
  private static func isOfEach(_ file: NewFile) -> Bool { file.name == optionsName }

  /// It may speak of any row.
  static func comesLast(_ file: NewFile) -> Bool {
    ["after.sql", "verify.sql", "after.down.sql"].contains(file.name)
  }

  private static let optionsName = "migration.json"

  /// Each step is a migration of its own, and says what it is for.
  private func describe(_ files: inout [NewFile], _ words: String) throws {
    let name = Self.optionsName
    var old: [UInt8]?
    if case .bytes(let bytes)? = files.first(where: { $0.name == name })?.content { old = bytes }
    let new = try Catalog.optionsFile(description: words, like: old, place: name)
    files.removeAll { $0.name == name }
    files.append(NewFile(name, new))
  }
}
