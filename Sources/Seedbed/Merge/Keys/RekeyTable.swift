/// The rows of one table that change with a key, in a temporary table: `i0`… identifies a row, `o3`
/// is what it has in the table's column 3, `n3` what it is to have, NULL if that stays, and `turn`
/// how many references away it was found.
struct RekeyTable {
  let schema: TableSchema
  let number: Int
  let dialect: any Dialect
  /// The columns that may change, by their places in the schema.
  var changing: Set<Int> = []
  var followers: [Follower] = []

  /// A foreign key by which rows of another of the tables refer to rows of this one.
  struct Follower {
    struct Pair {
      var child: Int
      var parent: Int
    }

    /// The child's, among all.
    let table: Int
    let pairs: [Pair]
    /// A reference that only the options declare is none to SQLite.
    let isDeclared: Bool
    /// Its rows `k` that do not follow; nil if all do.
    var stays: String?

    init(_ key: ParentKey, _ table: Int, of parent: RekeyTable, _ child: RekeyTable) {
      self.table = table
      pairs = zip(key.childColumns, key.parentColumns).compactMap { column, other in
        guard let column = child.schema.index(of: column),
          let other = parent.schema.index(of: other)
        else { return nil }
        return Pair(child: column, parent: other)
      }
      let columns = key.childColumns.map { $0.asciiLowercased() }
      isDeclared = child.schema.foreignKeys.contains {
        $0.childColumns.map { $0.asciiLowercased() } == columns
      }
    }

    /// The columns that change with the parent's.
    func changes(of parent: RekeyTable) -> [Pair] {
      pairs.filter { parent.changing.contains($0.parent) }
    }

    /// One of them that nobody can set.
    func generatedColumn(_ parent: RekeyTable, _ child: RekeyTable) -> String? {
      changes(of: parent).map { child.schema.columns[$0.child] }
        .first { $0.generated != .no }?.name
    }

    /// Whether the child's rows are found by an index. It has to compare as the parent does.
    func isIndexed(_ parent: RekeyTable, _ child: RekeyTable) -> Bool {
      let schema = child.schema
      guard pairs.allSatisfy({ parent.type($0.parent) == child.type($0.child) }) else {
        return false
      }
      let columns = Set(pairs.map(\.child))
      let alias = schema.rowidAlias.flatMap { schema.index(of: $0.name) }
      if let alias, columns == [alias] { return true }
      return schema.indexes.contains { index in
        let first = index.columns.prefix(pairs.count).compactMap { $0.flatMap(schema.index(of:)) }
        return !index.isPartial && Set(first) == columns
          && zip(first, index.collations).allSatisfy { schema.columns[$0].collation == $1 }
      }
    }
  }

  var sql: String { dialect.temporary(name) }
  private var name: String { "seedbed:rekey:\(number)" }
  var target: String { dialect.table(schema.name) }

  /// The places of the identity's columns in the schema; nil for a rowid that has no other name.
  var identity: [Int?] {
    if schema.rowidName == nil { return schema.primaryKey.map { schema.index(of: $0.name) } }
    return [schema.rowidAlias.flatMap { schema.index(of: $0.name) }]
  }

  fileprivate func type(_ column: Int) -> String {
    // Without the column's own affinity an index would be passed over silently.
    dialect.type(of: schema.columns[column], in: schema)
  }

  private var identityNames: [String] { schema.identity.indices.map { "i\($0)" } }
  private var changed: [Int] { changing.sorted() }
  /// What the children compare with.
  private var old: [Int] { Set(followers.flatMap(\.pairs).map(\.parent)).sorted() }
  private func columnList(_ changed: [Int]) -> String {
    (identityNames + changed.map { "n\($0)" } + old.map { "o\($0)" } + ["turn"])
      .joined(separator: ", ")
  }

  // MARK: SQL that collects

  var creation: String {
    let isRowid = schema.rowidName != nil
    let key = zip(identityNames, identity).map { name, place in
      isRowid ? "\(name) INTEGER" : "\(name) \(place.map(type) ?? "")"
    }
    let columns =
      key + changed.map { "n\($0) \(type($0))" } + old.map { "o\($0) \(type($0))" } + [
        "turn INTEGER NOT NULL", "PRIMARY KEY (\(identityNames.joined(separator: ", ")))",
      ]
    let indexes = followers.enumerated().map { place, follower in
      let columns = follower.pairs.map { "o\($0.parent)" }.joined(separator: ", ")
      return "CREATE INDEX \(dialect.temporaryIndex("\(name):\(place)", on: name)) (\(columns));"
    }
    return "CREATE TABLE \(sql) (\(columns.joined(separator: ", ")));" + indexes.joined()
  }

  /// The first rows, which a query finds.
  func collect(_ columns: [String], _ query: String) -> String {
    let given = identityNames + columns.compactMap { schema.index(of: $0).map { "n\($0)" } }
    let values =
      identityNames.map { "q.\($0)" }
      + changed.map { place in
        // What refers in other letters keeps them where the key's stay.
        let name = "t.\(schema.columns[place].name.quoted)"
        let new = dialect.exactly("q.n\(place)", schema.columns[place])
        return given.contains("n\(place)") ? "nullif(\(new), \(name))" : "NULL"
      }
      + old.map { "t.\(schema.columns[$0].name.quoted)" } + ["0"]
    let same = zip(schema.identity, identityNames).map { "t.\($0.quoted) = q.\($1)" }
    return """
      WITH q (\(given.joined(separator: ", "))) AS (\(query))
      INSERT INTO \(sql) (\(columnList(changed))) SELECT \(values.joined(separator: ", "))
      FROM q \(dialect.orderedJoin) \(target) AS t ON \(same.allTrue)
      """
  }

  /// The columns by which others refer to it, of those that change.
  var carried: Set<Int> { Set(followers.flatMap { $0.changes(of: self) }.map(\.parent)) }

  /// The foreign keys by which its rows refer to rows of the table itself.
  var ownFollowers: [Follower] { followers.filter { $0.table == number } }

  /// Their columns, of those that change.
  var ownReferences: Set<Int> { Set(ownFollowers.flatMap { $0.changes(of: self) }.map(\.child)) }

  /// True for the rows that refer to themselves, until their references are written.
  func refersToItself(by follower: Follower) -> String {
    let refers = follower.pairs.map {
      "r.o\($0.parent) = m.\(schema.columns[$0.child].name.quoted)"
    }
    return "EXISTS (SELECT 1 FROM \(target) AS m WHERE \((isRow("m") + refers).allTrue))"
  }

  /// Rows that refer to each other by what is part of their own keys are written in the order of
  /// their turns, so one that others of them refer to is given a later turn, but not for ever: they
  /// may form a ring.
  static let lastTurn = 64

  /// The rows that refer to those of a parent which were found in one turn. If two references
  /// would change the same column, the first one does.
  func collect(_ follower: Follower, of parent: RekeyTable, turn: Int) -> String {
    let changes = follower.changes(of: parent)
    let changed = Set(changes.map(\.child)).sorted()
    let new = changed.map { column in
      changes.first { $0.child == column }.map { "r.n\($0.parent)" } ?? "NULL"
    }
    let identity = schema.identity.map { "k.\($0.quoted)" }
    let values =
      identity + new + old.map { "k.\(schema.columns[$0].name.quoted)" } + [
        "\(turn + 1)"
      ]
    // The order is ours to say, since SQLite knows nothing of the sizes. Without an index: one pass
    // over the child, its values taken as the parent's column would.
    let isIndexed = follower.isIndexed(parent, self)
    let tables = ["\(parent.sql) AS r", "\(target) AS k"]
    let matches = follower.pairs.map { pair in
      let column = "k.\(schema.columns[pair.child].name.quoted)"
      return isIndexed
        ? "\(column) = r.o\(pair.parent)" : "r.o\(pair.parent) = \(dialect.notSearched)\(column)"
    }
    let isChanged = changes.map { "r.n\($0.parent) IS NOT NULL" }.anyTrue
    let follows = follower.stays.map { ["NOT \($0)"] } ?? []
    let conditions = matches + ["r.turn = \(turn)", "(\(isChanged))"] + follows
    let set = changed.map { "n\($0) = coalesce(f.n\($0), excluded.n\($0))" }
    var isNew = changed.map { "f.n\($0) IS NULL AND excluded.n\($0) IS NOT NULL" }
    if !carried.isDisjoint(with: changes.map(\.child)), turn < Self.lastTurn {
      isNew.append("f.turn < excluded.turn")
    }
    return """
      INSERT INTO \(sql) AS f (\(columnList(changed))) SELECT \(values.joined(separator: ", "))
      FROM \((isIndexed ? tables : tables.reversed()).joined(separator: " CROSS JOIN "))
      WHERE \(conditions.allTrue)
      ON CONFLICT (\(identityNames.joined(separator: ", "))) DO UPDATE
      SET \((set + ["turn = excluded.turn"]).joined(separator: ", "))
      WHERE \(isNew.anyTrue)
      """
  }

  /// Before anything is written: keys as they are, and as they are to be.
  func keys(_ places: [Int]) -> String {
    let old = places.map { "t.\(schema.columns[$0].name.quoted)" }
    let new = zip(places, old).map { changing.contains($0) ? "coalesce(r.n\($0), \($1))" : $1 }
    return "SELECT \((old + new).joined(separator: ", ")) "
      + "FROM \(sql) AS r \(dialect.orderedJoin) \(target) AS t ON \(isRow("t").allTrue)"
  }

  // MARK: SQL that writes

  /// The plus keeps SQLite from looking through the table for the rows, rather than the reverse.
  private func isRow(_ t: String) -> [String] {
    zip(schema.identity, identityNames).map { "\(t).\($0.quoted) = \(dialect.notSearched)r.\($1)" }
  }

  func count(_ condition: String) -> String {
    "SELECT count(*) FROM \(sql) AS r WHERE \(condition)"
  }

  /// True for the rows that one of these columns changes in.
  func changes(in columns: [Int], turn: Int?) -> String {
    let isChanged = columns.map { "r.n\($0) IS NOT NULL" }.anyTrue
    return "(\(isChanged))" + (turn.map { " AND r.turn = \($0)" } ?? "")
  }

  func update(_ columns: [Int], where condition: String) -> String {
    let set = columns.map { place in
      let name = schema.columns[place].name.quoted
      return "\(name) = coalesce(r.n\(place), t.\(name))"
    }
    return """
      \(dialect.update) \(target) AS t SET \(set.joined(separator: ", "))
      FROM \(sql) AS r WHERE \((isRow("t") + [condition]).allTrue)
      """
  }

  /// The rows as they are afterwards.
  private var joined: String {
    let same = zip(schema.identity, zip(identityNames, identity)).map { name, other in
      let place = other.1.flatMap { changing.contains($0) ? $0 : nil }
      return "t.\(name.quoted) = "
        + (place.map { "coalesce(r.n\($0), r.\(other.0))" } ?? "\(dialect.notSearched)r.\(other.0)")
    }
    return "\(sql) AS r \(dialect.orderedJoin) \(target) AS t ON \(same.allTrue)"
  }

  /// How many rows have all they are to have.
  func countWritten(_ columns: [Int], where condition: String) -> String {
    let isWritten = columns.map { place in
      "(r.n\(place) IS NULL OR NOT ("
        + dialect.differ("r.n\(place)", "t.\(schema.columns[place].name.quoted)") + "))"
    }
    return """
      SELECT count(*) FROM \(joined)
      WHERE \(([condition] + isWritten).allTrue)
      """
  }

  func followed(_ key: [String], after turn: Int) -> String {
    let order = identityNames.map { "r.\($0)" }.joined(separator: ", ")
    return "SELECT \(key.map { "t.\($0.quoted)" }.joined(separator: ", ")) FROM \(joined) "
      + "WHERE r.turn >= \(turn) ORDER BY \(order)"
  }
}
