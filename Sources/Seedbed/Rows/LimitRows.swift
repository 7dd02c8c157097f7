/// The values that some rows of a migration give up, in a temporary table that other rows are
/// compared with.
final class LimitRows {
  /// A file, and the position of each of the columns in it; nil for a column that it does not have.
  final class Side {
    let file: RowFile
    let fields: [Int?]
    /// A condition for the rows of the file `s` that count; nil for all.
    let condition: String?
    var isWhole: Bool { !fields.contains(nil) }

    init(_ file: RowFile, _ fields: [Int?], _ condition: String? = nil) {
      (self.file, self.fields, self.condition) = (file, fields, condition)
    }

    /// A condition that leaves out rows with NULL in a column, since they hold and name nothing.
    fileprivate var conditions: String {
      ([condition] + fields.map { $0.map { "s.c\($0) IS NOT NULL" } }).compactMap(\.self).allTrue
    }
  }

  private let columns: [String]
  private let given: [Side]
  private let connection: any DatabaseSession
  private static let name = "seedbed:given"
  private var dialect: any Dialect { connection.dialect }
  private var table: String { dialect.temporary(Self.name) }
  /// The columns that all files with given-up values have.
  private let alwaysGiven: [Int]

  init(_ columns: [String], _ given: [Side], _ connection: any DatabaseSession) {
    (self.columns, self.given, self.connection) = (columns, given, connection)
    alwaysGiven = columns.indices.filter { index in given.allSatisfy { $0.fields[index] != nil } }
  }

  /// - Parameters:
  ///   - ofOtherRows: whether a row may take the values that it gave up itself.
  ///   - names: the table and columns whose new names the rows refer by.
  ///   - message: the error for the values that the first colliding row has, and for their place.
  func refuse(
    _ taken: [Side], ofOtherRows: Bool = false,
    names: (table: String, columns: [String])? = nil,
    _ message: (_ value: String, _ given: SeedbedError.Place) -> String
  ) throws {
    guard let met = try firstMet(by: taken, ofOtherRows) else { return }
    throw SeedbedError.limit(message(met.value, met.given), met.place, rows: met.rows, names: names)
  }

  /// The first row that collides, with its place; nil if there is none.
  private func firstMet(
    by taken: [Side], _ ofOtherRows: Bool
  ) throws -> (value: String, given: SeedbedError.Place, place: SeedbedError.Place, rows: Set<Int>)?
  {
    let taken = taken.filter { side in alwaysGiven.contains { side.fields[$0] != nil } }
    if given.isEmpty || taken.isEmpty { return nil }
    try load()
    for side in taken {
      let rows = try find(side, ofOtherRows)
      guard let first = rows.first else { continue }
      let giver = try given[Int(first.integer(2))].file.place
      let value = RowJSON.object(
        columns.indices.filter { side.fields[$0] != nil }.map { columns[$0] }, Array(first[4...]))
      return (
        value.shortened(to: 40), SeedbedError.Place(giver, line: first[3].integer.map(Int.init)),
        SeedbedError.Place(side.file.place, line: first[1].integer.map(Int.init)),
        Set(rows.compactMap { $0[0].integer.map(Int.init) })
      )
    }
    try connection.execute("DROP TABLE \(table)")
    return nil
  }

  private func load() throws {
    let target = given[0].file.target
    let definitions = columns.indices.map { index -> String in
      let field = given.lazy.compactMap { side in
        side.fields[index].map { side.file.fields[$0] }
      }.first
      guard let field else { return "v\(index) BIGINT" }
      return "v\(index) \(dialect.collated(field.type, field.column.collation))"
    }
    let keys = target.key.enumerated().map { index, column in
      "k\(index) \(dialect.type(of: column, in: target.schema))"
    }
    try connection.execute(
      """
      CREATE TABLE \(table)
      (file BIGINT, line BIGINT, \((keys + definitions).joined(separator: ", ")))
      """)
    for (number, side) in given.enumerated() {
      let places = side.file.oldKeyIndexes
      let keys = target.key.indices.map { index in
        places.count == target.key.count && side.file.fields[places[index]].isRead
          ? "s.c\(places[index])" : "NULL"
      }
      let values = side.fields.map { $0.map { "s.c\($0)" } ?? "NULL" }
      try connection.reading(side.file) {
        try connection.execute(
          """
          INSERT INTO \(table)
          SELECT \(number), s.line, \((keys + values).joined(separator: ", "))
          FROM \(side.file.source) AS s WHERE \(side.conditions)
          """)
      }
    }
    if alwaysGiven.isEmpty { return }
    try connection.execute(
      "CREATE INDEX \(dialect.temporaryIndex(Self.name + ":values", on: Self.name)) "
        + "(\(alwaysGiven.map { "v\($0)" }.joined(separator: ", ")))")
  }

  /// The colliding rows, each after its number and line, together with the rows that gave the
  /// values up.
  private func find(_ side: Side, _ ofOtherRows: Bool) throws -> [[Value]] {
    let matches = columns.indices.compactMap { index -> String? in
      // A column that no file gives up is not compared.
      guard let field = side.fields[index], given.contains(where: { $0.fields[index] != nil })
      else { return nil }
      let isSame = "g.v\(index) = s.c\(field)"
      return alwaysGiven.contains(index) ? isSame : "(g.v\(index) IS NULL OR \(isSame))"
    }
    // A key that is found by a name is not known yet. Every owner has all rows of a file.
    let isSame = side.file.oldKeyIndexes.enumerated().compactMap { place, index -> String? in
      let field = side.file.fields[index]
      return field.isOwner ? nil : field.isRead ? "g.k\(place) = s.c\(index)" : "NULL"
    }
    let isOther = ofOtherRows ? "NOT (\(isSame.allTrue))" : "true"
    let values = side.fields.compactMap { $0.map { "s.c\($0)" } }.joined(separator: ", ")
    return try connection.reading(side.file) {
      try connection.rows(
        """
        SELECT s.\(dialect.fileRow), s.line, g.file, g.line, \(values)
        FROM \(side.file.source) AS s \(dialect.orderedJoin) \(table) AS g
        ON \(matches.allTrue) WHERE \(([side.conditions, isOther]).allTrue)
        """)
    }
  }
}

extension DatabaseSession {
  /// Runs `body`, whose one statement reads the rows of a file as `dialect.fileRows`.
  func reading<Result>(_ file: RowFile, _ body: () throws -> Result) throws -> Result {
    let rows = try read(file.open(), types: file.streamedTypes)
    do {
      return try body()
    } catch {
      throw rows.failure ?? error
    }
  }
}

extension SeedbedError {
  /// The error for something that one migration may not contain, with the same message on a device,
  /// in `lint` and in `make`.
  ///
  /// - Parameter rows: all rows of the file for which it is true; nil for the whole file.
  static func limit(
    _ message: String, _ place: Place, rows: Set<Int>? = nil,
    names: (table: String, columns: [String])? = nil, isCut: Bool = true
  ) -> SeedbedError {
    let limit = Limit(file: place.file, rows: rows, names: names, isCut: isCut)
    return csv(message, place).because(of: .limit(limit))
  }
}
