/// The rows of an update file that get new keys, before anything else of the file is looked at.
///
/// All keys change at once, so that rows can pass theirs on or exchange them. What refers to a row
/// follows it, and what other files say of old keys is read as of new ones from then on.
final class KeyChanges {
  let context: MergeContext
  let stage: Stage
  /// The rows to retire of the same table: they make way.
  let retired: [Stage]
  /// Rows that cannot have their new key, since the one to retire that holds it has to stay.
  let vain: Set<Int64>
  /// The rows whose new key others hold.
  var taken: Set<Int64> = []
  /// Rows whose new key would give them a parent that is not to be had, and why it is not.
  let orphans: [Int64: Conflict.Kind]
  /// Under `keepRow`, the rows that stay as they are altogether since the user edited them.
  let keeping: Set<Int64>
  /// Their new keys.
  private(set) var kept: [Int64: [Value]] = [:]
  /// Rows that the user deleted.
  private(set) var absent: [Absent] = []
  /// Keys that were left to the user before.
  private let left: Set<String>
  /// Keys that are so from now on, though rows of the file may stand there yet.
  private(set) var leftNow: Set<String> = []
  /// Rows whose new key a row to retire holds that cannot make way.
  var hopeless: [Int64] = []
  var connection: Connection { context.connection }
  var file: RowFile { stage.file }
  var key: [ColumnSchema] { file.target.key }
  private let layout: UpdateLayout

  init(
    context: MergeContext, stage: Stage, retired: [Stage], vain: Set<Int64>,
    orphans: [Int64: Conflict.Kind], keeping: Set<Int64>
  ) throws {
    self.orphans = orphans
    self.context = context
    self.stage = stage
    self.retired = retired
    self.vain = vain
    self.keeping = keeping
    left = Set(
      try context.ledger.keysLeftToUser(table: stage.file.target.name, on: context.connection))
    layout = UpdateLayout(file: stage.file, changes: stage.file.changes, mark: stage.mark)
  }

  /// What is to move: `o` the old key, `n` the new one, `a` a key of nobody's. Rows to retire have
  /// negative numbers, and one of nobody's for the new one too.
  var moves: String { stage.movesSQL }

  func names(_ letter: String) -> [String] { key.indices.map { "\(letter)\($0)" } }
  func list(_ letter: String) -> String { names(letter).joined(separator: ", ") }

  func same(_ table: String, _ letter: String, of other: String) -> String {
    zip(key, names(letter)).map { "\(table).\($0.name.quoted) = \(other).\($1)" }
      .allTrue
  }

  func run(others: [Stage]) throws {
    try makeMoves()
    try collect()
    try leaveInPlace()
    try leaveTaken()
    try makeWay()
    try write()
    try findRowsUnderTheirKeys()
    for other in others { try translate(other) }
    try settleAbsent()
  }

  func finish() throws {
    try connection.execute("DROP TABLE \(moves)")
  }

  private func makeMoves() throws {
    let columns = ["o", "n", "a"].flatMap { letter in
      zip(names(letter), file.keyIndexes).map { "\($0) \(stage.type(of: $1))" }
    }
    try connection.execute(
      "CREATE TABLE \(moves) (row INTEGER PRIMARY KEY, \(columns.joined(separator: ", ")))")
    let name = stage.movesName
    for letter in ["o", "n"] {
      try connection.execute(
        "CREATE INDEX temp.\("\(name):\(letter)".quoted) ON \(name.quoted) (\(list(letter)))")
    }
  }

  // MARK: which rows

  private func collect() throws {
    let rows = try layout.read(stage, .underOldKeys)
    let marks = (0..<(1 + 3 * key.count)).map { _ in "?" }.joined(separator: ", ")
    let insert = try connection.prepare("INSERT INTO \(moves) VALUES (\(marks))")
    while try rows.step() {
      if !layout.isRekeyed(rows) { continue }
      let row = UpdateRow(rows, layout: layout)
      let (old, new) = (layout.oldKeyValues(rows), layout.keyValues(rows))
      if left.contains(RowJSON.collatedKey(key, old)) { continue }
      guard row.isPresent else {
        absent.append(Absent(row: row.number, old: old, new: new))
        continue
      }
      if keeping.contains(row.number.integer ?? 0) {
        kept[row.number.integer ?? 0] = new
        continue
      }
      if zip(new, file.keyIndexes).contains(where: { file.isUnresolved($0, $1) }) {
        try leaveUnresolved(row.number, old)
        continue
      }
      if let kind = orphans[row.number.integer ?? 0] {
        try leave(row.number, old, kind)
        continue
      }
      if left.contains(RowJSON.collatedKey(key, new)) || vain.contains(row.number.integer ?? 0) {
        try leave(row.number, old, new)
        continue
      }
      try insert.run([row.number] + old + new + aside(row.number.integer ?? 0, old))
    }
  }

  /// Where only the case of a key changes, a row may have it so already.
  private func leaveInPlace() throws {
    let isSame = zip(key, names("n")).map { "m.\($0.name.quoted) = v.\($1) COLLATE BINARY" }
    let rows = try connection.rows(
      """
      SELECT v.row, \(list("o")) FROM \(moves) AS v
      JOIN \(file.target.sql) AS m ON \(same("m", "o", of: "v")) WHERE \(isSame.allTrue)
      """)
    for row in rows {
      try connection.execute("DELETE FROM \(moves) WHERE row = ?", [row[0]])
      try context.ledger.noteAlreadyThere(
        version: context.version, table: file.target.name,
        key: RowJSON.object(key.map(\.name), Array(row.dropFirst())),
        columns: file.keyChanges.map(\.name), on: connection)
    }
  }

  /// The new key names a row that is not there: the old one stays.
  private func leaveUnresolved(_ row: Value, _ old: [Value]) throws {
    for natural in file.naturals {
      guard let values = try stage.lookup(natural).unresolvedKey(of: row) else { continue }
      let columns = natural.naturalColumns.map(\.name)
      guard try context.isSeedsFault(natural.parent.name, columns, values) else { continue }
      throw SeedbedError.parentNotFound(
        isAmbiguous: try stage.lookup(natural).isAmbiguous(values), table: file.target.name,
        parent: natural.parent.name, key: RowJSON.object(columns, values),
        try stage.place(of: row))
    }
    try leave(row, old, .parentDeleted)
  }

  /// The row keeps its key, since it would have no parent, or the user's.
  private func leave(_ row: Value, _ old: [Value], _ kind: Conflict.Kind) throws {
    taken.insert(row.integer ?? 0)
    let key = RowJSON.object(key.map(\.name), old)
    try context.log(
      kind, .skipped, table: file.target.name, key: key, base: key, mine: key,
      seed: try stage.json(file.keyIndexes, row: row))
  }

  /// A key of nobody's: only what the file changes of it differs from the old one.
  func aside(_ number: Int64, _ old: [Value]) -> [Value] {
    zip(key, old).map { column, value in
      guard file.keyChanges.contains(where: { $0.name == column.name }) else { return value }
      return UpdateLayout.valueAside(
        column, isStrict: file.target.schema.isStrict, stage.mark + number)
    }
  }

  /// A new key that a row holds which neither moves nor goes is not to be had; then the old one
  /// stays where it is, and may in turn be in another's way.
  private func leaveTaken() throws {
    let isGoing = retired.map { retired in
      "NOT EXISTS (SELECT 1 FROM \(retired.sql) AS d WHERE d.verdict = 0 AND "
        + MergeSQL.sameKey(retired.file, table: "h", stage: "d") + ")"
    }
    let isMoving = "NOT EXISTS (SELECT 1 FROM \(moves) AS w WHERE \(same("h", "o", of: "w")))"
    var blocked = try connection.rows(
      """
      SELECT v.row, \(list("o")), \(list("n")) FROM \(moves) AS v
      JOIN \(file.target.sql) AS h ON \(same("h", "n", of: "v"))
      WHERE \(([isMoving] + isGoing).allTrue) ORDER BY v.row
      """)
    while let row = blocked.popLast() {
      let old = Array(row[1..<(1 + key.count)])
      try leave(row[0], old, Array(row[(1 + key.count)...]))
      try connection.execute("DELETE FROM \(moves) WHERE row = ?", [row[0]])
      let matches = names("n").map { "\($0) = ?" }.allTrue
      blocked += try connection.rows(
        "SELECT row, \(list("o")), \(list("n")) FROM \(moves) WHERE \(matches)", old)
    }
  }

  private func leave(_ row: Value, _ old: [Value], _ new: [Value]) throws {
    let table = file.target.name
    let names = key.map(\.name)
    let policy = context.onTaken(file.target)
    taken.insert(row.integer ?? 0)
    let columns = file.target.schema.columns.map(\.name)
    let matches = names.map { "\($0.quoted) = ?" }.allTrue
    let mine = try connection.rows(
      "SELECT \(columns.quotedList) FROM \(file.target.sql) WHERE \(matches)", new
    ).first.map { RowJSON.object(columns, $0) }
    try context.log(
      .keyTaken, .keptUser, table: table, key: RowJSON.object(names, old), policy: policy.rawValue,
      base: RowJSON.object(names, old), mine: mine, seed: RowJSON.object(names, new),
      at: try stage.place(of: row))
    try context.ledger.leaveToUser(
      table: table, key: RowJSON.collatedKey(key, new), version: context.version, on: connection)
    if !left.contains(RowJSON.collatedKey(key, new)) {
      leftNow.insert(RowJSON.collatedKey(key, new))
    }
  }

  // MARK: what is in the way

  /// Rows to retire that hold a new key get one of nobody's until they go.
  private func makeWay() throws {
    for (number, stage) in retired.enumerated() {
      let keys = stage.file.keyIndexes.map { "d.c\($0)" }
      let matches = zip(names("n"), keys).map { "v.\($0) = \($1)" }.allTrue
      let rows = try connection.rows(
        """
        SELECT d.row, \(keys.joined(separator: ", ")) FROM \(moves) AS v JOIN \(stage.sql) AS d
          ON \(matches) WHERE d.verdict = 0 AND v.row > 0
        """)
      for row in rows {
        let place = -((row[0].integer ?? 0) * Int64(retired.count) + Int64(number)) - 1
        let old = Array(row.dropFirst())
        let aside = aside(place, old)
        let marks = (0..<(1 + 3 * key.count)).map { _ in "?" }.joined(separator: ", ")
        try connection.execute(
          "INSERT INTO \(moves) VALUES (\(marks))", [.integer(place)] + old + aside + aside)
        try stage.rename("d.row = \(row[0].integer ?? 0)", to: aside)
      }
    }
  }

  /// The rows whose new key was held by one to retire which is there still.
  func vainMoves() throws -> [Int64] {
    try hopeless
      + connection.rows(
        """
        SELECT v.row FROM \(moves) AS d JOIN \(file.target.sql) AS m ON \(same("m", "a", of: "d"))
        JOIN \(moves) AS v ON \(zip(names("n"), names("o")).map { "v.\($0) = d.\($1)" }.allTrue)
        WHERE d.row < 0 AND v.row > 0
        """
      ).compactMap { $0[0].integer }
  }

  // MARK: the keys change

  private func write() throws {
    let isDone = try attempt { try writeAll() }
    if !isDone { try writeEach() }
  }

  private func writeAll() throws {
    let isOverlapping = try connection.value(
      """
      SELECT 1 FROM \(moves) AS v JOIN \(file.target.sql) AS h ON \(same("h", "n", of: "v"))
      WHERE v.row > 0 LIMIT 1
      """)
    guard isOverlapping != nil else { return try move(from: "o", to: "n") }
    try connection.withoutChecks { try move(from: "o", to: "a") }
    try move(from: "a", to: "n")
  }

  func move(from: String, to: String, where condition: String = "true") throws {
    let identity = file.target.schema.identity.map { "m.\($0.quoted)" }
    let changed = zip(key, names(to)).filter { column, _ in
      file.keyChanges.contains { $0.name == column.name }
    }
    try Rekey(context: context, isSeeds: true).run(
      file.target.schema, set: changed.map(\.0.name),
      to: """
        SELECT \((identity + changed.map { "v.\($0.1)" }).joined(separator: ", "))
        FROM \(moves) AS v JOIN \(file.target.sql) AS m ON \(same("m", from, of: "v"))
        WHERE \(condition)
        """)
  }

  /// From here on the stage's key is that under which the row is found.
  private func findRowsUnderTheirKeys() throws {
    let set = zip(file.keyIndexes, file.oldKeyIndexes).map { "c\($0) = c\($1)" }
    try connection.execute(
      """
      UPDATE \(stage.sql) SET \(set.joined(separator: ", "))
      WHERE verdict = 0 AND row NOT IN (SELECT row FROM \(moves))
      """)
  }
}
