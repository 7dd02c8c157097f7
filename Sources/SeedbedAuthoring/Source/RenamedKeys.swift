import Seedbed
import SeedbedCells

/// Rows that stay the same but get another key, from a file with the columns `was:<key>` and
/// `<key>` for each column of the key.
struct RenamedKeys {
  struct Entry {
    /// The key that the row has in the table.
    var old: [Value]
    /// The key that it has in the source.
    let new: [Value]
  }

  let entries: [Entry]
  private let sql: String
  private let fields: [SourceField]
  private let key: [ColumnSchema]
  private let connection: Connection

  /// - Parameter entries: what a file said, with the keys that the rows have now.
  init(
    _ entries: [Entry], of source: SourceTable, number: Int, on connection: Connection
  ) throws {
    (self.entries, self.connection) = (entries, connection)
    (fields, key) = (source.keyIndexes.map { source.fields[$0] }, source.target.key)
    sql = "temp." + "seedbed:renamed \(number)".quoted
    let olds = key.indices.map { "k\($0)" }
    let columns =
      zip(olds, key).map { "\($0) COLLATE \($1.collation.quoted)" }
      + fields.indices.map { "n\($0)" }
    try connection.execute(
      "CREATE TABLE \(sql) (\(columns.joined(separator: ", ")), "
        + "PRIMARY KEY (\(olds.joined(separator: ", "))))")
    let insert = try connection.prepare(
      "INSERT INTO \(sql) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))")
    for entry in entries { try insert.run(entry.old + entry.new) }
    let found = try connection.value(
      "SELECT count(*) FROM \(source.target.sql) AS m \(join) "
        + "WHERE r.k0 IS NOT NULL")
    if found?.integer != Int64(entries.count) { throw SeedbedError.renamedLost(source.target.name) }
  }

  /// - Throws: if the header is different, or if a row is not in the table or not in the source
  ///   CSV.
  init(_ file: SourceFile, of source: SourceTable, number: Int, on connection: Connection) throws {
    let entries = try RenamedFile(file, of: source, number: number, on: connection).entries()
    try self.init(entries, of: source, number: number, on: connection)
  }

  /// The key in the source CSV for a row `m` of the table.
  func newKey(_ field: SourceField) -> String? {
    fields.firstIndex { $0.header.isSameName(as: field.header) }
      .map { "CASE WHEN r.k0 IS NULL THEN \(field.sql) ELSE r.n\($0) END" }
  }

  /// Whether a row of the table is none of these.
  var isOther: String { "r.k0 IS NULL" }

  /// The source's rows that have the new keys.
  func rows(of source: SourceTable) throws -> Set<Int64> {
    let matches = zip(source.keyIndexes, fields.indices).map { "s.c\($0) = r.n\($1)" }
    let rows = try connection.rows(
      "SELECT s.rowid FROM \(sql) AS r JOIN \(source.sql) AS s ON \(matches.allTrue)")
    return Set(rows.compactMap { $0[0].integer })
  }

  var join: String {
    let matches = key.enumerated().map { "m.\($1.name.quoted) = r.k\($0)" }
    return "LEFT JOIN \(sql) AS r ON \(matches.allTrue)"
  }
}

/// The file, in a temporary table.
private struct RenamedFile {
  private let source: SourceTable
  private let connection: Connection
  private let sql: String
  private let fields: [SourceField]

  init(_ file: SourceFile, of source: SourceTable, number: Int, on connection: Connection) throws {
    (self.source, self.connection) = (source, connection)
    fields = source.keyIndexes.map { source.fields[$0] }
    sql = "temp." + "seedbed:renamed file \(number)".quoted
    let reader = try file.reader()
    let names = reader.header.map(\.name)
    let wanted = fields.flatMap { ["was:" + $0.header, $0.header] }
    let places = wanted.map { names.firstIndex(where: $0.isSameName) }
    guard !places.contains(nil), names.count == wanted.count else {
      throw SeedbedError.renamedHeader(wanted, SeedbedError.Place(file.place, line: 1))
    }
    let order = places.compactMap { $0 }
    var decoders: [Int: FieldDecoder] = [:]
    var types: [Int: String] = [:]
    for (index, place) in order.enumerated() {
      decoders[place] = fields[index / 2].decoder
      types[place] = fields[index / 2].streamedType
    }
    reader.decoders = names.indices.map { decoders[$0] ?? .verbatim }
    reader.empties = names.map { _ in .refused }
    let columns = fields.indices.flatMap { ["o\($0)", "n\($0)"] }
    let definitions = columns.enumerated().map { "\($1) \(fields[$0 / 2].type)" }
    let olds = fields.indices.map { "o\($0)" }.joined(separator: ", ")
    try connection.execute(
      "CREATE TABLE \(sql) (\(definitions.joined(separator: ", ")), line INTEGER, UNIQUE (\(olds)))"
    )
    let rows = try RowTable(reader, types: names.indices.map { types[$0] ?? "" }, on: connection)
    do {
      try connection.execute(
        """
        INSERT INTO \(sql) SELECT \(order.map { "s.c\($0)" }.joined(separator: ", ")), s.line
        FROM \(RowTable.name.quoted) AS s
        """)
    } catch let failure as SQLiteFailure where failure.isUniqueness && rows.failure == nil {
      throw SeedbedError.renamedTwice(SeedbedError.Place(file.place, line: rows.currentLine))
    } catch {
      throw rows.failure ?? error
    }
    try refuseStrangers(file)
  }

  func entries() throws -> [RenamedKeys.Entry] {
    let target = source.target
    let olds = target.key.map { "m.\($0.name.quoted)" }
    let news = fields.indices.map { "r.n\($0)" }
    return try connection.rows(
      "SELECT \((olds + news).joined(separator: ", ")) FROM \(target.sql) AS m "
        + "JOIN \(sql) AS r ON \(inTable) ORDER BY r.rowid"
    ).map { .init(old: Array($0.prefix(olds.count)), new: Array($0.dropFirst(olds.count))) }
  }

  private var inTable: String {
    fields.indices.map { "r.o\($0) = \(fields[$0].sql)" }.allTrue
  }

  private func refuseStrangers(_ file: SourceFile) throws {
    let inSource = zip(source.keyIndexes, fields.indices).map { "t.c\($0) = r.n\($1)" }.allTrue
    let columns = fields.indices.flatMap { ["r.o\($0)", "r.n\($0)"] }.joined(separator: ", ")
    let found = try connection.rows(
      """
      SELECT r.line, known, \(columns) FROM (
        SELECT r.*, EXISTS (SELECT 1 FROM \(source.target.sql) AS m WHERE \(inTable)) AS known,
          EXISTS (SELECT 1 FROM \(source.sql) AS t WHERE \(inSource)) AS wanted
        FROM \(sql) AS r) AS r
      WHERE NOT known OR NOT wanted LIMIT 1
      """
    ).first
    guard let found else { return }
    let isKnown = found[1] == 1
    let values = fields.indices.map { found[2 + 2 * $0 + (isKnown ? 1 : 0)] }
    throw SeedbedError.renamedStranger(
      SourceTable.keyText(fields.map(\.header), values), isOld: !isKnown, source.target.name,
      SeedbedError.Place(file.place, line: found[0].integer.map { Int($0) }))
  }
}

extension SeedbedError {
  fileprivate static func renamedLost(_ table: String) -> SeedbedError {
    SeedbedError(
      .csv,
      "The new keys of other tables change old keys that the file of renamed keys of '\(table)' "
        + "names. Give each of these tables a 'make' of its own.")
  }

  fileprivate static func renamedHeader(_ names: [String], _ place: Place) -> SeedbedError {
    let list = names.map { "'\($0)'" }.joined(separator: ", ")
    return SeedbedError(
      .csv, "A file of renamed keys must have exactly the columns \(list).", at: place)
  }

  fileprivate static func renamedTwice(_ place: Place) -> SeedbedError {
    SeedbedError(.csv, "This old key appears twice. Each row gets one new key.", at: place)
  }

  fileprivate static func renamedStranger(
    _ key: String, isOld: Bool, _ table: String, _ place: Place
  ) -> SeedbedError {
    let what =
      isOld
      ? "The catalog makes no row \(key) in '\(table)'" : "The CSV of '\(table)' has no row \(key)"
    return SeedbedError(
      .csv, "\(what). Give each row's old key, and its key in the CSV.",
      at: place)
  }
}
