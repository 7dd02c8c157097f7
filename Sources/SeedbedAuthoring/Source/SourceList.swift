import Seedbed

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The sources, by table.
struct SourceList {
  struct Source {
    var table: String
    var files: [SourceFile]
  }

  private(set) var sources: [Source]

  /// - Parameter given: tables and files to use in place of those in catalog.json; empty for none.
  init(_ catalog: Catalog, given: [Release.TableFile]) throws {
    guard given.isEmpty else {
      sources = try given.map { file in
        guard let table = file.table else { throw SeedbedError.noSources() }
        let source = SourceFile(
          file.path, place: file.shownAs, try catalog.generalOptions().table(table))
        if !source.exists { throw SeedbedError.noSource(file.shownAs, table: table) }
        return Source(table: table, files: [source])
      }
      return
    }
    let tables = try catalog.generalOptions().tables.map { ($0.key.text, $0.value) }
      .sorted { $0.0 < $1.0 }
    sources = try tables.compactMap { table, options in
      guard let pattern = options.source else { return nil }
      let files = try Self.files(pattern, in: catalog.path, options)
      if files.isEmpty { throw SeedbedError.noSource(pattern, table: table) }
      return Source(table: table, files: files)
    }
    if sources.isEmpty { throw SeedbedError.noSources() }
  }

  /// The same list with other files in place of some, by their paths.
  func reading(_ standIns: [String: String]) -> SourceList {
    if standIns.isEmpty { return self }
    var list = self
    list.sources = sources.map { source in
      Source(
        table: source.table,
        files: source.files.map { file in standIns[file.path].map(file.replaced) ?? file })
    }
    return list
  }

  /// A path in the catalog's folder. In its last part, `*` matches any characters.
  private static func files(
    _ pattern: String, in folder: String, _ options: TableOptions
  ) throws -> [SourceFile] {
    let path = pattern.hasPrefix("/") ? pattern : folder + "/" + pattern
    let manager = FileManager.default
    guard let slash = path.lastIndex(of: "/"), pattern.contains("*") else {
      return [SourceFile(path, place: pattern, options)].filter(\.exists)
    }
    let (above, name) = (String(path[..<slash]), path[path.index(after: slash)...])
    let shown = pattern.lastIndex(of: "/").map { String(pattern[...$0]) } ?? ""
    let names = (try? manager.contentsOfDirectory(atPath: above)) ?? []
    return names.filter { FileName($0) != .ignored && Self.matches(Array($0), Array(name)) }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .map { SourceFile(above + "/" + $0, place: shown + $0, options) }
  }

  static func matches(_ name: [Character], _ pattern: [Character]) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    let rest = Array(pattern.dropFirst())
    guard first == "*" else {
      return name.first == first && matches(Array(name.dropFirst()), rest)
    }
    return (0...name.count).contains { matches(Array(name.dropFirst($0)), rest) }
  }
}

extension Catalog {
  /// The sources of these tables that 'export' can write: a single plain CSV each.
  func plainSources(of tables: [String]) throws -> [ReleaseSummary.Source] {
    let options = try generalOptions()
    return tables.compactMap { table in
      guard let file = options.table(table).source, !file.contains("*"), !file.hasPrefix("/"),
        !file.hasSuffix(".gz"), SourceFile(path + "/" + file, place: file).isCSV
      else { return nil }
      return ReleaseSummary.Source(table: table, file: file)
    }
  }
}

extension SeedbedError {
  fileprivate static func noSource(_ pattern: String, table: String) -> SeedbedError {
    SeedbedError(
      .io,
      "There is no file '\(pattern)', the source of the table '\(table)'. Name it by "
        + "'source' in catalog.json, or as \(table)=FILE.")
  }

  fileprivate static func noSources() -> SeedbedError {
    SeedbedError(
      .usage,
      "No table has a 'source' to make releases from. Name one in catalog.json, "
        + "{\"tables\": {\"elements\": {\"source\": \"data/elements.csv\"}}}, or as TABLE=FILE.")
  }
}
