import Seedbed

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SuggestionReview {
  /// What was taken.
  package struct Taken {
    /// Those that were written, or that are in the statements.
    package var entries: [Entry]
    /// How many each file got.
    package var files: [(file: String, count: Int)] = []
    /// What the author is to run in each database that is a source.
    package var databases: [(place: String, statements: [String])] = []
  }

  /// Writes suggestions into the sources, if `make` would accept the result. A database is its
  /// author's: for it, there are the statements to run.
  ///
  /// - Parameters:
  ///   - given: the beginnings of their IDs.
  ///   - listed: all suggestions among which they are.
  ///   - release: the options of `make`.
  /// - Throws: if one cannot be taken. Then nothing is written.
  package func take(
    _ given: [String], of listed: [Entry], as release: Release
  ) throws -> Taken {
    let found = try given.map { try Self.entry($0, of: listed) }.filter { $0.state != .settled }
    let chosen = found.grouped(by: \.id).map { $0[0] }
    try Self.refuseTogether(chosen)
    let tables = Set(chosen.map(\.suggested.table)).sorted()
    let edited = try tables.map { number in
      try EditedSource(
        self.tables[number], chosen.filter { $0.suggested.table == number }.map(\.suggested))
    }
    try tryOut(edited, release)
    var taken = Taken(entries: chosen)
    for source in edited {
      guard let bytes = source.bytes else {
        taken.databases.append((source.file.place, source.statements))
        continue
      }
      let (folder, name) = Paths.split(Paths.absolute(source.file.path))
      try AtomicFile.write(bytes, to: name, in: folder)
      taken.files.append((source.file.place, source.count))
    }
    return taken
  }

  private static func entry(_ given: String, of listed: [Entry]) throws -> Entry {
    let prefix = given.lowercased()
    let found = prefix.isEmpty ? [] : listed.filter { $0.id.hasPrefix(prefix) }
    guard let entry = found.first else {
      throw SeedbedError(
        .usage, "No suggestion that is listed here has the ID '\(given.shortened(to: 40))'.")
    }
    if found.count > 1 {
      throw SeedbedError(
        .usage,
        "\(found.count) suggestions have an ID that begins with '\(given.shortened(to: 40))'. Give "
          + "more of it.")
    }
    switch entry.state {
    case .open, .settled: break
    case .outdated where entry.kind == .edit: break
    case .outdated:
      throw SeedbedError(
        .usage,
        "Suggestion \(entry.id) adds a row to '\(entry.table)' whose key another row has now. "
          + "Give it a key by hand.", at: entry.place)
    case .gone:
      throw SeedbedError(
        .usage,
        "Suggestion \(entry.id) is about a row that '\(entry.table)' no longer has. Nothing was "
          + "written.")
    }
    return entry
  }

  /// Two values for one field, or a value for a row that goes, would leave the order to decide.
  private static func refuseTogether(_ chosen: [Entry]) throws {
    for (index, entry) in chosen.enumerated() {
      let one = entry.suggested
      let other = chosen[..<index].first { other in
        let two = other.suggested
        return one.table == two.table && one.key == two.key
          && (one.column == two.column || one.column == nil || two.column == nil)
      }
      guard let other else { continue }
      let isValue = entry.column != nil && other.column != nil
      throw SeedbedError(
        .usage,
        "Suggestions \(other.id) and \(entry.id) are about the same "
          + "\(isValue ? "value" : "row"). Take one of them. Nothing was written.", at: entry.place)
    }
  }

  /// Makes the release with the new files in place of the sources, without publishing it.
  private func tryOut(_ edited: [EditedSource], _ release: Release) throws {
    if edited.isEmpty { return }
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.path + "/seedbed-\(UUID().uuidString)"
    defer { try? manager.removeItem(atPath: folder) }
    do {
      try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw SeedbedError.file("make '\(folder)'", error)
    }
    var release = release
    release.isPublished = false
    release.settings = settings
    for (number, source) in edited.enumerated() {
      let name = "\(number).\(source.trial.ending)"
      try AtomicFile.write(source.trial.bytes, to: name, in: folder)
      release.standIns[source.file.path] = folder + "/" + name
    }
    _ = try release.make()
  }
}
