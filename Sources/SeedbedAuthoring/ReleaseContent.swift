import Seedbed

/// What the folders of a release hold: its rows, and the files beside them.
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

  /// One folder for each part.
  func folders(
    _ names: [String], _ parts: [ReleaseCut.Part]
  ) throws -> [ReleaseWriter.FolderContent] {
    try parts.enumerated().map { index, part in
      var files = try rows.files(part.rows, in: scratch)
      files += own.filter { file in
        Self.isOfEach(file)
          || (Self.comesLast(file) ? isLast && index == parts.count - 1 : isFirst && index == 0)
      }
      if let description { try describe(&files, description) }
      return ReleaseWriter.FolderContent(name: names[index], files: files)
    }
  }

  /// Options hold for the rows of all parts.
  private static func isOfEach(_ file: NewFile) -> Bool { file.name == optionsName }

  /// It may speak of any row.
  static func comesLast(_ file: NewFile) -> Bool {
    ["after.sql", "verify.sql", "after.down.sql"].contains(file.name)
  }

  private static let optionsName = "migration.json"

  /// Each part is a migration of its own, and says what it is for.
  private func describe(_ files: inout [NewFile], _ words: String) throws {
    let name = Self.optionsName
    var old: [UInt8]?
    if case .bytes(let bytes)? = files.first(where: { $0.name == name })?.content { old = bytes }
    let new = try Catalog.optionsFile(description: words, like: old, place: name)
    files.removeAll { $0.name == name }
    files.append(NewFile(name, new))
  }
}
