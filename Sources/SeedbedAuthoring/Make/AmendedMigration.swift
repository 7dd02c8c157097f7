import Seedbed

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A migration that is made again, with the parts of it that stay.
struct AmendedMigration {
  let folder: String
  let version: Version
  let words: String
  /// All its files.
  let files: [(name: String, bytes: [UInt8])]

  /// - Parameter words: the words of its name; empty for the last migration.
  init(_ words: String, in directory: String) throws {
    let manager = FileManager.default
    let folders = ((try? manager.contentsOfDirectory(atPath: directory)) ?? []).sorted()
    let all = folders.compactMap { folder -> (folder: String, version: Version, words: String)? in
      guard case .migration(let version, let words) = FolderName(folder) else { return nil }
      return (folder, version, words)
    }.sorted { $0.version < $1.version }
    let found = words.isEmpty ? all.suffix(1) : all.filter { $0.words == words }
    guard let one = found.first, found.count == 1 else {
      throw SeedbedError.nothingToAmend(words, found.map(\.folder), among: all.map(\.words))
    }
    (folder, version, self.words) = one
    let path = directory + "/" + one.folder
    let names = ((try? manager.contentsOfDirectory(atPath: path)) ?? []).sorted()
    files = try names.filter { FileName($0) != .ignored }.map { name in
      guard let data = manager.contents(atPath: path + "/" + name) else {
        throw SeedbedError(.io, "Cannot read '\(one.folder)/\(name)'.")
      }
      return (name, Array(data))
    }
  }

  func text(of name: String) -> String? {
    files.first { $0.name.isSameText(as: name) }.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  /// The files that are not made again: SQL, options, and rows of tables without a source.
  ///
  /// - Parameter engine: the engine whose `up` is made again.
  func kept(without tables: [String], _ engine: EngineName) -> [NewFile] {
    let made = tables.asNames
    return files.filter { file in
      if file.name == engine.file("up.sql") { return false }
      guard case .legal(let kind, _) = FileName(file.name) else { return true }
      switch kind {
      case .insert(let table), .update(let table), .delete(let table):
        return !made.contains(table)
      default: return true
      }
    }.map { copy($0.name, $0.bytes) }
  }

  func copy(_ name: String, _ bytes: [UInt8]) -> NewFile {
    NewFile(name, bytes, copied: "\(folder)/\(name)")
  }
}

extension SeedbedError {
  fileprivate static func nothingToAmend(
    _ words: String, _ found: [String], among names: [String]
  ) -> SeedbedError {
    if found.count > 1 {
      return SeedbedError(
        .usage,
        "Several migrations are called '\(words)': \(found.joined(separator: ", ")). Rename the "
          + "ones that you do not want to make again first.")
    }
    let near = Nearest.question(about: words, among: names)
    return SeedbedError(
      .usage,
      words.isEmpty
        ? "The catalog has no migration to make again."
        : "There is no migration called '\(words)' to make again.\(near)")
  }
}
