import Seedbed

/// The source CSV of one table, loaded into a temporary table by the rules for files with rows to
/// insert, and with their errors.
///
/// Its columns are `c0`, `c1` … with the affinities and collations of the table's columns, so that
/// values compare as SQLite would store them.
final class SourceTable {
  let target: TableTarget
  let fields: [SourceField]
  let files: [SourceFile]
  /// The name in SQL.
  let sql: String
  private(set) var rowCount = 0
  private let connection: Connection
  private let name: String

  var keyIndexes: [Int] { fields.indices.filter { fields[$0].isKey } }
  /// Whether there is room for the two columns with a row's place.
  private var hasPlaces: Bool { fields.count + 2 <= RowTable.mostColumns }

  init(
    _ files: [SourceFile], of target: TableTarget, options: MigrationOptions, number: Int,
    on connection: Connection
  ) throws {
    self.target = target
    self.files = files
    self.connection = connection
    name = "seedbed:source \(number)"
    sql = "temp." + name.quoted
    guard let first = files.first else { throw SeedbedError.sourceMissing(target.name) }
    // What a reader finds, it tells at the place in the source itself.
    let header = try first.reader().header
    fields = try first.reporting {
      try SourceField.read(
        header, place: first.place, of: target, options: options,
        on: connection)
    }
    let columns =
      fields.indices.map { "c\($0) \(fields[$0].type)" }
      + (hasPlaces ? ["file INTEGER", "line INTEGER"] : [])
    try connection.execute("CREATE TABLE \(sql) (\(columns.joined(separator: ", ")))")
    for (index, file) in files.enumerated() {
      let reader = try file.reader()
      try file.reporting { try load(index, reader) }
    }
    try index()
  }

  private func load(_ number: Int, _ reader: RowReader) throws {
    let file = files[number]
    // A dictionary, since a table may have 2,000 columns.
    let known = Dictionary(
      fields.enumerated().map { (Name($1.header), $0) },
      uniquingKeysWith: { first, _ in first })
    let places = reader.header.map { known[$0.name] }
    guard places.count == fields.count, !places.contains(nil) else {
      throw SeedbedError.sourceHeaders(file, other: files[0].place)
    }
    let own = places.compactMap { $0 }
    reader.decoders = own.map { fields[$0].decoder }
    reader.empties = own.map { fields[$0].empty }
    let rows = try RowTable(
      reader, types: own.map { fields[$0].streamedType }, on: connection)
    var columns = own.map { "c\($0)" }
    var values = own.indices.map { "s.c\($0)" }
    if hasPlaces {
      columns += ["file", "line"]
      values += [String(number), "s.line"]
    }
    do {
      try connection.execute(
        """
        INSERT INTO \(sql) (\(columns.joined(separator: ", ")))
        SELECT \(values.joined(separator: ", ")) FROM \(RowTable.name.quoted) AS s
        """)
    } catch {
      throw rows.failure ?? error
    }
    rowCount += rows.totals.rows
  }

  /// Throws if two rows have the same key.
  private func index() throws {
    let key = keyIndexes.map { "c\($0)" }.joined(separator: ", ")
    do {
      try connection.execute(
        "CREATE UNIQUE INDEX temp.\((name + " key").quoted) ON \(name.quoted) (\(key))")
    } catch let failure as SQLiteFailure where failure.isUniqueness {
      let twins = try connection.rows(
        "SELECT min(rowid), max(rowid) FROM \(sql) GROUP BY \(key) HAVING count(*) > 1 LIMIT 1")
      guard let twin = twins.first, let first = twin[0].integer, let other = twin[1].integer else {
        throw failure
      }
      throw SeedbedError.sourceTwice(
        try keyText(of: other), first: try place(of: first), try place(of: other))
    }
  }

  /// The place of a row, by its rowid.
  func place(of row: Int64) throws -> SeedbedError.Place {
    guard hasPlaces else { return SeedbedError.Place(files[0].place) }
    let found = try connection.rows("SELECT file, line FROM \(sql) WHERE rowid = \(row)").first
    let file = found?[0].integer.map { files[Int($0)] } ?? files[0]
    return SeedbedError.Place(file.place, line: file.line(found?[1].integer.map { Int($0) }))
  }

  /// The place of the row with this key, as in the log of conflicts; nil if there is none.
  func place(ofKey json: String) throws -> SeedbedError.Place? {
    let places = target.key.map { column in
      keyIndexes.first { fields[$0].fills.hasSameNames(as: [column.name]) }
    }
    if places.contains(nil) { return nil }
    let columns = places.compactMap { $0 }.map { "c\($0)" }.joined(separator: ", ")
    let rows = try connection.prepare("SELECT rowid, \(columns) FROM \(sql)")
    while try rows.step() {
      if RowJSON.object(target.key.map(\.name), rows.values(from: 1)).isSameText(as: json) {
        return try place(of: rows.integer(0))
      }
    }
    return nil
  }

  /// A row's key as the log of conflicts writes it, by the rowid; nil if the source refers by name.
  func logKey(of row: Int64) throws -> String? {
    let places = target.key.map { column in
      keyIndexes.first { fields[$0].fills.hasSameNames(as: [column.name]) }
    }
    if places.contains(nil) { return nil }
    let columns = places.compactMap { $0 }.map { "c\($0)" }.joined(separator: ", ")
    return try connection.rows("SELECT \(columns) FROM \(sql) WHERE rowid = \(row)").first
      .map { logKey($0) }
  }

  func logKey(_ key: [Value]) -> String { RowJSON.object(target.key.map(\.name), key) }

  /// The rows of the table that have the keys of the source's rows now, by these rows.
  func keysInTable() throws -> [Int64: [Value]] {
    let keys = target.key.map { "m.\($0.name.quoted)" }
    let matches = keyIndexes.map { "s.c\($0) = \(fields[$0].sql)" }
    let rows = try connection.rows(
      "SELECT s.rowid, \(keys.joined(separator: ", ")) FROM \(target.sql) AS m "
        + "JOIN \(sql) AS s ON \(matches.allTrue)")
    return Dictionary(rows.map { ($0[0].integer ?? 0, Array($0.dropFirst())) }) { first, _ in first
    }
  }

  /// `number=113`, for messages.
  func keyText(of row: Int64) throws -> String {
    let columns = keyIndexes.map { "c\($0)" }.joined(separator: ", ")
    let values =
      try connection.rows(
        "SELECT \(columns) FROM \(sql) WHERE rowid = \(row)"
      ).first ?? []
    return Self.keyText(keyIndexes.map { fields[$0].header }, values)
  }

  static func keyText(_ names: [String], _ values: [Value]) -> String {
    zip(names, values).map { "\($0)=\($1.display)" }.joined(separator: ", ")
  }
}

extension Migrator.Row {
  /// `owner='b6ca', name='apple'`, for messages.
  var words: String { SourceTable.keyText(columns, values) }
}

extension SeedbedError {
  static func sourceMissing(_ place: String) -> SeedbedError {
    SeedbedError(
      .io,
      "There is no file '\(place)'. Name the source of a table by 'source' in catalog.json, or "
        + "as TABLE=FILE.")
  }

  static func sourceHeaders(_ file: SourceFile, other: String) -> SeedbedError {
    SeedbedError(
      .csv,
      "The files of one table must have the same columns, and '\(other)' has different ones. "
        + (file.isCSV
          ? "Give both the same header." : "Give one row of each file all keys, with null."),
      at: Place(file.place, line: 1))
  }

  static func sourceTwice(_ key: String, first: Place, _ place: Place) -> SeedbedError {
    SeedbedError(
      .csv,
      "The key \(key) appears twice\(first.line == nil ? "" : ", first at \(first)"). Remove one "
        + "of the rows.",
      at: place)
  }
}
