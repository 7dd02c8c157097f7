/// What rows of a migration give up in some columns of their table, in a temporary table, to read
/// other rows past it.
struct LimitRows {
  /// A file, and where it has each of the columns; nil for one that it does not have.
  struct Side {
    let file: RowFile
    let fields: [Int?]
    /// In SQL, which rows of the file `s` count; nil for all.
    var condition: String?
    var isWhole: Bool { !fields.contains(nil) }

    init(_ file: RowFile, _ fields: [Int?], _ condition: String? = nil) {
      self.file = file
      self.fields = fields
      self.condition = condition
    }

    /// Rows with NULL in a column hold and name nothing.
    fileprivate var conditions: String {
      ([condition] + fields.map { $0.map { "s.c\($0) IS NOT NULL" } }).compactMap(\.self).allTrue
    }

    fileprivate var key: [Int] { file.oldKeyIndexes }
  }

  /// Rows of one file that do not go with what is given.
  struct Found {
    /// The values in which the first of them meets `given`.
    let text: String
    let given: SeedbedError.Place
    let place: SeedbedError.Place
    /// All of them, by their numbers from 1.
    let rows: Set<Int>
  }

  private let columns: [String]
  private let given: [Side]
  private let connection: any DatabaseSession
  private static let name = "seedbed:given"
  private var dialect: any Dialect { connection.dialect }
  private var table: String { dialect.temporary(Self.name) }

  /// nil if nothing is given.
  init?(_ columns: [String], _ given: [Side], _ connection: any DatabaseSession) {
    if given.isEmpty { return nil }
    self.columns = columns
    self.given = given
    self.connection = connection
  }

  /// - Parameter ofOtherRows: a row may take what it gave up itself.
  func refuse(
    _ taken: [Side], ofOtherRows: Bool = false, _ error: (Found) -> SeedbedError
  ) throws {
    let taken = taken.filter { side in compared(side).contains(true) }
    if taken.isEmpty { return }
    try load()
    var found: SeedbedError?
    for side in taken where found == nil {
      found = try self.find(side, ofOtherRows).map(error)
    }
    try connection.execute("DROP TABLE \(table)")
    if let found { throw found }
  }

  /// For each column, whether both sides always have it.
  private func compared(_ side: Side) -> [Bool] {
    columns.indices.map { index in
      side.fields[index] != nil && given.allSatisfy { $0.fields[index] != nil }
    }
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
      let keys = target.key.indices.map { index in
        side.key.count == target.key.count && side.file.fields[side.key[index]].isStreamed
          ? "s.c\(side.key[index])" : "NULL"
      }
      let values = side.fields.map { $0.map { "s.c\($0)" } ?? "NULL" }
      try reading(side.file) {
        try connection.execute(
          """
          INSERT INTO \(table)
          SELECT \(number), s.line, \((keys + values).joined(separator: ", "))
          FROM \(dialect.fileRows) AS s WHERE \(side.conditions)
          """)
      }
    }
    let known = columns.indices.filter { index in
      given.allSatisfy { $0.fields[index] != nil }
    }
    if known.isEmpty { return }
    try connection.execute(
      "CREATE INDEX \(dialect.temporaryIndex(Self.name + ":values", on: Self.name)) "
        + "(\(known.map { "v\($0)" }.joined(separator: ", ")))")
  }

  private func find(_ side: Side, _ ofOtherRows: Bool) throws -> Found? {
    let known = compared(side)
    let matches = columns.indices.compactMap { index -> String? in
      guard let field = side.fields[index] else { return nil }
      // What no file gives is not compared.
      if given.allSatisfy({ $0.fields[index] == nil }) { return nil }
      let isSame = "g.v\(index) = s.c\(field)"
      return known[index] ? isSame : "(g.v\(index) IS NULL OR \(isSame))"
    }
    // A key that is found by a name is not known yet.
    let isSame = side.key.enumerated().map { place, index in
      side.file.fields[index].isStreamed ? "g.k\(place) = s.c\(index)" : "NULL"
    }
    let isOther = ofOtherRows ? "NOT (\(isSame.allTrue))" : "true"
    let shown = columns.indices.filter { side.fields[$0] != nil }
    let values = shown.map { "s.c\(side.fields[$0] ?? 0)" }.joined(separator: ", ")
    let rows = try reading(side.file) {
      try connection.rows(
        """
        SELECT s.\(dialect.fileRow), s.line, g.file, g.line, \(values)
        FROM \(dialect.fileRows) AS s \(dialect.orderedJoin) \(table) AS g
        ON \(matches.allTrue) WHERE \(([side.conditions, isOther]).allTrue)
        """)
    }
    guard let first = rows.first else { return nil }
    let giver = given[Int(first[2].integer ?? 0)].file.place
    return Found(
      text: RowJSON.object(shown.map { columns[$0] }, Array(first[4...])),
      given: SeedbedError.Place(giver, line: first[3].integer.map(Int.init)),
      place: SeedbedError.Place(side.file.place, line: first[1].integer.map(Int.init)),
      rows: Set(rows.compactMap { $0[0].integer.map(Int.init) }))
  }

  private func reading<Result>(_ file: RowFile, _ body: () throws -> Result) throws -> Result {
    let rows = try connection.read(file.open(), types: file.streamedTypes)
    do {
      return try body()
    } catch {
      throw rows.failure ?? error
    }
  }
}
