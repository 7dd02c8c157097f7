package import Seedbed

/// The suggestions of many devices, beside the source CSVs of a catalog.
///
///     let review = try SuggestionReview(directory: "Migrations")
///     for file in files { try review.read(file, shownAs: file) }
///     for suggestion in try review.list() { print(suggestion.count, suggestion.id) }
///
/// A file is the suggestions of one device: a line that it repeats counts once.
package final class SuggestionReview {
  let catalog: Catalog
  let settings: ScratchSettings
  private let scratch: ScratchDatabase
  private let sources: [SourceList.Source]
  /// The tables that files of the catalog fill.
  private let filled: [String]
  /// The tables that lines name.
  private(set) var tables: [SuggestedTable] = []
  /// Their positions, by their names; nil for a name that no table has.
  private var known: [Name: Int?] = [:]
  private var tallies: [Suggested: Tally] = [:]
  private var paths: Set<ExactText> = []

  /// The first errors of lines that cannot be used.
  package private(set) var refused: [SeedbedError] = []
  package private(set) var refusedCount = 0
  /// The number of files.
  package var files: Int { paths.count }

  private static let mostRefused = 100

  private struct Tally {
    var count = 1
    /// The last file that has it.
    var file: Int
    var versions: ClosedRange<Migrator.Version>
  }

  package init(directory: String, _ settings: ScratchSettings = ScratchSettings()) throws {
    self.settings = settings
    (catalog, scratch, sources, filled) = try reporting {
      let catalog = try Catalog(authoring: directory)
      let hasSource = try catalog.generalOptions().tables.values.contains { $0.source != nil }
      let scratch = try ScratchDatabase(.authored(catalog), settings)
      return (
        catalog, scratch, hasSource ? try SourceList(catalog, given: []).sources : [],
        try scratch.connection.tableNames().filter { try scratch.serving($0) != nil }
      )
    }
  }

  // MARK: reading

  /// Reads the suggestions of one device. A file that was read before is passed over.
  package func read(_ path: String, shownAs place: String) throws {
    guard paths.insert(Paths.absolute(path)) else { return }
    let file = paths.count
    try reporting {
      try SuggestionFile(path: path, place: place).read { line in
        let table = try table(of: line)
        let suggested = try tables[table].suggested(line, table: table)
        guard var tally = tallies[suggested] else {
          let versions = line.version...line.version
          tallies[suggested] = Tally(file: file, versions: versions)
          return
        }
        tally.versions =
          min(
            tally.versions.lowerBound, line.version)...max(tally.versions.upperBound, line.version)
        if tally.file != file { tally.count += 1 }
        tally.file = file
        tallies[suggested] = tally
      } _: { error in
        refusedCount += 1
        if refused.count < Self.mostRefused { refused.append(error) }
      }
    }
  }

  private func table(of line: SuggestionLine) throws -> Int {
    let name = Name(line.table)
    if known[name] == nil {
      // A stranger may name any number of tables that do not exist.
      if known.count > 10_000 { known = known.filter { $0.value != nil } }
      known[name] = .some(try find(name))
    }
    if let table = known[name] ?? nil { return table }
    // A stranger may write a million such lines.
    let near =
      refused.count < Self.mostRefused ? Nearest.question(about: line.table, among: filled) : ""
    throw SeedbedError(
      .csv, "No file of the catalog fills a table '\(line.table.shortened(to: 40))'.\(near)",
      at: line.place)
  }

  private func find(_ name: Name) throws -> Int? {
    guard let found = filled.first(where: name.text.isSameName),
      let target = try scratch.target(found)
    else { return nil }
    let files = sources.first { $0.table.isSameName(as: found) }?.files ?? []
    tables.append(try SuggestedTable(target, files, number: tables.count, scratch))
    return tables.count - 1
  }

  // MARK: the result

  /// All suggestions, the most frequent first.
  ///
  /// - Parameters:
  ///   - least: how many devices must have made one.
  ///   - place: a table, or a table and a column with a dot between them; nil for all.
  package func list(least: Int = 1, at place: String? = nil) throws -> [Entry] {
    try reporting {
      if let place { try refuseUnknown(place) }
      let found = try tallies.compactMap { suggested, tally -> Entry? in
        guard tally.count >= least, place.map({ self.is(suggested, at: $0) }) ?? true else {
          return nil
        }
        return try entry(suggested, tally.count, tally.versions)
      }
      return found.sorted { one, other in
        if one.count != other.count { return one.count > other.count }
        if one.table != other.table { return one.table < other.table }
        return one.id < other.id
      }
    }
  }

  /// Throws if no file of the catalog fills a table or a column with this name.
  private func refuseUnknown(_ place: String) throws {
    if filled.contains(where: { $0.isSameName(as: place) }) { return }
    var columns: [String] = []
    for table in filled where place.asciiLowercased().hasPrefix(table.asciiLowercased() + ".") {
      guard let target = try scratch.target(table) else { continue }
      columns += try scratch.seededColumns(of: target).map { "\(table).\($0.name)" }
      columns += try scratch.seededNames(of: target).map { "\(table).\($0)" }
      let files = sources.first { $0.table.isSameName(as: table) }?.files ?? []
      columns += try files.flatMap { try $0.header() }.map { "\(table).\($0)" }
    }
    if columns.contains(where: { $0.isSameName(as: place) }) { return }
    throw SeedbedError(
      .usage,
      "No file of the catalog fills '\(place.shortened(to: 60))'."
        + Nearest.question(about: place, among: columns.isEmpty ? filled : columns))
  }

  private func `is`(_ suggested: Suggested, at place: String) -> Bool {
    let table = tables[suggested.table]
    let name = table.target.name
    if name.isSameName(as: place) { return true }
    guard let column = suggested.column else { return false }
    return "\(name).\(table.fields[column].header)".isSameName(as: place)
  }

  private func entry(
    _ suggested: Suggested, _ count: Int, _ versions: ClosedRange<Migrator.Version>
  ) throws -> Entry {
    let table = tables[suggested.table]
    let current = try table.current(suggested.key)
    let place = try current.flatMap { try table.source?.place(of: $0.number) }
    return Entry(
      id: suggested.digest(in: table), count: count, versions: versions,
      state: suggested.state(table, current?.values),
      current: suggested.column.flatMap { current?.values[$0] }, place: place,
      suggested: suggested, table: table)
  }
}
