/// The rows of one table that change with a key, in a temporary table: `i0`… identifies a row, `o3`
/// is its present value in column 3, `n3` the new one or NULL if it stays, and `turn` the number of
/// references between it and the first row. `isFirst` is 1 for a row that the caller named.
final class RekeyTable {
  let schema: TableSchema
  let number: Int
  let dialect: any Dialect
  /// The columns that may change, by their positions in the schema.
  var changing: Set<Int> = []
  /// Those that the caller names: a reference with one of them means what the caller says.
  var given: Set<Int> = []
  var followers: [Follower] = []

  /// A foreign key by which rows of another of these tables refer to rows of this one.
  struct Follower {
    /// The child's number among the tables.
    let table: Int
    let pairs: [(child: Int, parent: Int)]
    /// True if only the options declare the reference, so that SQLite does not know it.
    let isDeclared: Bool
    /// A condition for its rows `k` that do not follow; nil if all do.
    var stays: String?

    init(_ key: ParentKey, _ table: Int, of parent: TableSchema, _ child: TableSchema) {
      self.table = table
      pairs = zip(key.childColumns, key.parentColumns).compactMap { column, other in
        guard let column = child.index(of: column), let other = parent.index(of: other) else {
          return nil
        }
        return (column, other)
      }
      let columns = key.childColumns
      isDeclared = child.foreignKeys.contains { $0.childColumns.hasSameNames(as: columns) }
    }

    /// The columns that change with the parent's.
    func changes(of parent: RekeyTable) -> [(child: Int, parent: Int)] {
      pairs.filter { parent.changing.contains($0.parent) }
    }

    /// Whether an index finds the child's rows. It has to compare as the parent's column does.
    func isIndexed(_ parent: RekeyTable, _ child: RekeyTable) -> Bool {
      let schema = child.schema
      if pairs.contains(where: { parent.type($0.parent) != child.type($0.child) }) { return false }
      let columns = Set(pairs.map(\.child))
      if let id = schema.rowidAlias, columns.map({ schema.columns[$0].name }) == [id.name] {
        return true
      }
      return schema.indexes.contains { index in
        let first = index.columns.prefix(pairs.count).compactMap { $0.flatMap(schema.index(of:)) }
        return !index.isPartial && Set(first) == columns
          && zip(first, index.collations).allSatisfy { schema.columns[$0].collation == $1 }
      }
    }
  }

  /// The name of the temporary table, its name in SQL, and the table with the rows.
  private let name: String
  let (sql, target): (String, String)

  init(schema: TableSchema, number: Int, dialect: any Dialect) {
    (self.schema, self.number, self.dialect) = (schema, number, dialect)
    name = "seedbed:rekey:\(number)"
    (sql, target) = (dialect.temporary(name), schema.sql)
  }

  /// The positions of the identity's columns in the schema; nil for a rowid without another name.
  var identity: [Int?] {
    if schema.rowidName == nil { return schema.primaryKey.map { schema.index(of: $0.name) } }
    return [schema.rowidAlias.flatMap { schema.index(of: $0.name) }]
  }

  func column(_ t: String, _ slot: Int) -> String {
    "\(t).\(schema.columns[slot].name.quoted)"
  }

  private func type(_ column: Int) -> String {
    // Without the column's own affinity, an index would silently not be used.
    dialect.type(of: schema.columns[column], in: schema)
  }

  private var identityNames: [String] { schema.identity.indices.map { "i\($0)" } }
  /// The columns that the children are compared with.
  private var old: [Int] { Set(followers.flatMap(\.pairs).map(\.parent)).ordered() }

  private func insert(_ changed: [Int]) -> String {
    let columns =
      identityNames + changed.map { "n\($0)" } + old.map { "o\($0)" } + ["turn", "isFirst"]
    return "INSERT INTO \(sql) AS f (\(columns.listed))"
  }

  // MARK: SQL that collects

  var creation: String {
    let key = zip(identityNames, identity).map { name, slot in
      "\(name) \(schema.rowidName == nil ? slot.map(type) ?? "" : "INTEGER")"
    }
    let values = changing.ordered().map { "n\($0) \(type($0))" } + old.map { "o\($0) \(type($0))" }
    let rest = [
      "turn INTEGER NOT NULL", "isFirst INTEGER", "PRIMARY KEY (\(identityNames.listed))",
    ]
    let indexes = followers.enumerated().map { slot, follower in
      "CREATE INDEX \(dialect.temporaryIndex("\(name):\(slot)", on: name)) "
        + "(\(follower.pairs.map { "o\($0.parent)" }.listed));"
    }
    return "CREATE TABLE \(sql) (\((key + values + rest).listed));" + indexes.joined()
  }

  /// Collects the first rows, which a query finds.
  func collect(_ columns: [String], _ query: String) -> String {
    let changed = changing.ordered()
    let given = identityNames + columns.compactMap(schema.index).map { "n\($0)" }
    let new = changed.map { slot in
      // A reference in another case keeps its own letters where the key's stay.
      let new = dialect.exactly("q.n\(slot)", schema.columns[slot])
      return given.contains("n\(slot)") ? "nullif(\(new), \(column("t", slot)))" : "NULL"
    }
    let values = identityNames.map { "q.\($0)" } + new + old.map { column("t", $0) } + ["0", "1"]
    let same = zip(schema.identity, identityNames).map { "t.\($0.quoted) = q.\($1)" }
    return """
      WITH q (\(given.listed)) AS (\(query))
      \(insert(changed)) SELECT \(values.listed)
      FROM q \(dialect.orderedJoin) \(target) AS t ON \(same.allTrue)
      """
  }

  /// The changing columns that others refer to.
  var carried: Set<Int> { Set(followers.flatMap { $0.changes(of: self) }.map(\.parent)) }

  /// The foreign keys by which the table's rows refer to rows of the same table.
  var ownFollowers: [Follower] { followers.filter { $0.table == number } }

  /// The changing columns of these keys.
  var ownReferences: Set<Int> { Set(ownFollowers.flatMap { $0.changes(of: self) }.map(\.child)) }

  /// A condition for rows that refer to themselves, until their references are written.
  func refersToItself(by follower: Follower) -> String {
    let refers = follower.pairs.map { "r.o\($0.parent) = \(column("m", $0.child))" }
    return "EXISTS (SELECT 1 FROM \(target) AS m WHERE \((isRow("m") + refers).allTrue))"
  }

  /// A row whose key contains a reference is written before the row that it refers to, which has an
  /// earlier turn. Rows may form a ring, as a person and the main address, so the count ends here.
  static let lastTurn = 64

  /// Collects the rows that refer to a parent's rows found in one turn. If two references would
  /// change the same column, the first one does.
  func collect(_ follower: Follower, of parent: RekeyTable, turn: Int) -> String {
    let changes = follower.changes(of: parent)
    let new = Dictionary(changes.map { ($0.child, "r.n\($0.parent)") }) { first, _ in first }
    let changed = new.keys.ordered()
    let values =
      schema.identity.map { "k.\($0.quoted)" } + changed.compactMap { new[$0] }
      + old.map { column("k", $0) } + ["\(turn + 1)", "0"]
    // The order of the join is chosen here, since SQLite does not know the sizes. Without an index,
    // it is one pass over the child, whose values are read as the parent's column would read them.
    let isIndexed = follower.isIndexed(parent, self)
    let tables = ["\(parent.sql) AS r", "\(target) AS k"]
    let matches = follower.pairs.map { pair in
      let (own, other) = (column("k", pair.child), "r.o\(pair.parent)")
      return isIndexed ? "\(own) = \(other)" : "\(other) = \(dialect.notSearched)\(own)"
    }
    let isChanged = changes.map { "r.n\($0.parent) IS NOT NULL" }.anyTrue
    let follows = follower.stays.map { ["NOT \($0)"] } ?? []
    let set = changed.map { "n\($0) = coalesce(f.n\($0), excluded.n\($0))" }
    var isNew = changed.map { "f.n\($0) IS NULL AND excluded.n\($0) IS NOT NULL" }
    if !carried.isDisjoint(with: changed), turn < Self.lastTurn {
      isNew.append("f.turn < excluded.turn")
    }
    return """
      \(insert(changed)) SELECT \(values.listed)
      FROM \((isIndexed ? tables : tables.reversed()).joined(separator: " CROSS JOIN "))
      WHERE \((matches + ["r.turn = \(turn)", "(\(isChanged))"] + follows).allTrue)
      ON CONFLICT (\(identityNames.listed)) DO UPDATE
      SET \((set + ["turn = excluded.turn"]).listed) WHERE \(isNew.anyTrue)
      """
  }

  /// The old and the new keys, before anything is written.
  func keys(_ slots: [Int]) -> String {
    let old = slots.map { column("t", $0) }
    let new = zip(slots, old).map { changing.contains($0) ? "coalesce(r.n\($0), \($1))" : $1 }
    return "SELECT \((old + new).listed) "
      + "FROM \(sql) AS r \(dialect.orderedJoin) \(target) AS t ON \(isRow("t").allTrue)"
  }

  // MARK: SQL that compares

  /// A query for a row that follows, and would not refer to the row `u` to which it refers now.
  func changesParent(
    by follower: Follower, _ parent: TableSchema, _ moving: RekeyTable?, or later: [String]
  ) -> String {
    let pairs = follower.pairs
    let changed = pairs.filter { changing.contains($0.child) }
    let refers = pairs.map {
      "u.\(parent.columns[$0.parent].name.quoted) = \(column("t", $0.child))"
    }
    let isAlike = pairs.map { pair -> String in
      let own = changing.contains(pair.child) ? "r.n\(pair.child)" : nil
      let other = moving?.changing.contains(pair.parent) == true ? "s.n\(pair.parent)" : nil
      let present = "u.\(parent.columns[pair.parent].name.quoted)"
      return [
        zip([other].compactMap(\.self), [own].compactMap(\.self)).map { "\($0) = \($1)" }.first,
        own.map { "\(isNull(other)) AND (\($0) IS NULL OR \(present) = \($0))" } ?? isNull(other),
        other.map { "\(isNull(own)) AND \($0) = \(column("t", pair.child))" },
      ].compactMap(\.self).anyTrue
    }
    let found = moving.map { moving in
      let isRow = zip(moving.schema.identity, moving.identityNames).map {
        "s.\($1) = u.\($0.quoted)"
      }
      return " LEFT JOIN \(moving.sql) AS s ON \(isRow.allTrue)"
    }
    let keeps = """
      EXISTS (SELECT 1 FROM \(parent.sql) AS u\(found ?? "")
        WHERE \((refers + isAlike.map { "(\($0))" }).allTrue))
      """
    let isHeld = pairs.map { "\(column("t", $0.child)) IS NOT NULL" }
    let others = given.isDisjoint(with: pairs.map(\.child)) ? [] : ["r.isFirst = 0"]
    return """
      SELECT 1 FROM \(sql) AS r \(dialect.orderedJoin) \(target) AS t ON \(isRow("t").allTrue)
      WHERE (\(changed.map { "r.n\($0.child) IS NOT NULL" }.anyTrue))
        AND \((isHeld + others).allTrue) AND NOT (\(([keeps] + later).anyTrue)) LIMIT 1
      """
  }

  private func isNull(_ value: String?) -> String { value.map { "\($0) IS NULL" } ?? "true" }

  // MARK: SQL that writes

  /// The plus makes SQLite find each row by its identity instead of searching the temporary table
  /// for it.
  private func isRow(_ t: String) -> [String] {
    zip(schema.identity, identityNames).map { "\(t).\($0.quoted) = \(dialect.notSearched)r.\($1)" }
  }

  func count(_ condition: String) -> String {
    "SELECT count(*) FROM \(sql) AS r WHERE \(condition)"
  }

  /// A condition for rows in which one of these columns changes.
  func changes(in columns: [Int]) -> String {
    "(\(columns.map { "r.n\($0) IS NOT NULL" }.anyTrue))"
  }

  func update(_ columns: [Int], where condition: String) -> String {
    let set = columns.map { slot in
      "\(schema.columns[slot].name.quoted) = coalesce(r.n\(slot), \(column("t", slot)))"
    }
    return """
      \(dialect.update) \(target) AS t SET \(set.listed)
      FROM \(sql) AS r WHERE \((isRow("t") + [condition]).allTrue)
      """
  }

  /// Gives the rows of another table, which has their identities as `k0`…, the new ones.
  func follow(in other: String) -> String? {
    let moving = identity.enumerated().filter { $1.map(changing.contains) == true }
    if moving.isEmpty { return nil }
    let new = moving.map { "k\($0) = coalesce(r.n\($1 ?? 0), g.k\($0))" }
    let same = identityNames.indices.map { "g.k\($0) = r.i\($0)" }
    return "UPDATE \(other) AS g SET \(new.listed) FROM \(sql) AS r WHERE \(same.allTrue)"
  }

  /// The rows after the change.
  private var joined: String {
    let same = schema.identity.indices.map { index in
      let slot = identity[index].flatMap { changing.contains($0) ? $0 : nil }
      return "t.\(schema.identity[index].quoted) = "
        + (slot.map { "coalesce(r.n\($0), r.i\(index))" } ?? "\(dialect.notSearched)r.i\(index)")
    }
    return "\(sql) AS r \(dialect.orderedJoin) \(target) AS t ON \(same.allTrue)"
  }

  /// The number of rows with all their new values.
  func countWritten(_ columns: [Int], where condition: String) -> String {
    let isWritten = columns.map {
      "(r.n\($0) IS NULL OR NOT (\(dialect.differ("r.n\($0)", column("t", $0)))))"
    }
    return "SELECT count(*) FROM \(joined) WHERE \(([condition] + isWritten).allTrue)"
  }

  func followed(_ key: [String], after turn: Int) -> String {
    "SELECT \(key.map { "t.\($0.quoted)" }.listed) FROM \(joined) "
      + "WHERE r.turn >= \(turn) ORDER BY \(identityNames.map { "r.\($0)" }.listed)"
  }
}
