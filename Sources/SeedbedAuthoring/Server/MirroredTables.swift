import Seedbed

/// The tables of a database on a server, as SQLite can have them, so that rows can be compared
/// there: the same columns, keys, references and plain indexes. CHECK constraints, triggers, views
/// and rows are left out.
struct MirroredTables {
  struct Column {
    var name: String
    /// The type, and everything else that must hold: `TEXT NOT NULL DEFAULT ''`.
    var definition: String
    /// A value for rows that have none, in SQL; nil if the column may be NULL.
    var filler: String?
    var isGenerated: Bool
    /// Whether SQLite can add it to a table that has rows.
    var isAddable: Bool
  }

  /// Columns and tables by their numbers, which stay the same when they are renamed.
  struct Reference: Equatable {
    var columns: [Int64]
    var parent: Int64
    var parentColumns: [Int64]
  }

  struct Index: Equatable {
    var name: String
    var isUnique: Bool
    var columns: [Int64]
  }

  struct Table {
    var name: String
    /// In the table's order.
    var columns: [(number: Int64, column: Column)]
    var key: [Int64]
    var references: [Reference]
    var indexes: [Index]

    /// Whether both differ only in names and indexes.
    func hasShape(of other: Table) -> Bool {
      key == other.key && references == other.references
        && columns.map(\.number) == other.columns.map(\.number)
        && columns.map(\.column.definition) == other.columns.map(\.column.definition)
    }

    func name(of column: Int64) -> String {
      columns.first { $0.number == column }?.column.name ?? ""
    }
  }

  private(set) var tables: [Int64: Table] = [:]

  init() {}

  /// Reads the tables of the search path, without those of the ledger.
  init(_ session: any DatabaseSession, _ ledger: Ledger) throws {
    let names = try session.tableNames().asTexts
    let layouts = try session.layouts().filter { names.contains($0.name) && !ledger.owns($0.name) }
    let numbers = Dictionary(layouts.map { (ExactText($0.name), $0) }) { first, _ in first }
    try session.withFixedSchema {
      for layout in layouts {
        tables[layout.number] = try Self.table(layout, session.schema(of: layout.name), numbers)
      }
    }
    try refuseSimilar(layouts.map(\.name))
  }

  private static func table(
    _ layout: TableLayout, _ schema: TableSchema, _ others: [ExactText: TableLayout]
  ) -> Table {
    func numbers(_ names: [String], _ layout: TableLayout) -> [Int64] {
      names.compactMap { name in layout.columns.first { $0.name.isSameName(as: name) }?.number }
    }
    let columns = layout.columns.compactMap { place in
      schema.column(place.name).map { column in
        (number: place.number, column: Column(column, isID: schema.rowidAlias === column))
      }
    }
    let references = schema.foreignKeys.compactMap { key in
      others[key.parent].map { parent in
        Reference(
          columns: numbers(key.childColumns, layout), parent: parent.number,
          parentColumns: numbers(key.parentColumns, parent))
      }
    }
    let indexes = schema.indexes.filter { $0.isPlain && $0.origin != "pk" }.map { index in
      Index(
        name: index.name, isUnique: index.isUnique,
        columns: numbers(index.columns.compactMap(\.self), layout))
    }
    return Table(
      name: layout.name, columns: columns,
      key: schema.rowidAlias == nil ? numbers(schema.primaryKey.map(\.name), layout) : [],
      references: references, indexes: indexes)
  }

  private func refuseSimilar(_ names: [String]) throws {
    var known: [Name: String] = [:]
    for name in names {
      guard let other = known.updateValue(name, forKey: Name(name)) else { continue }
      throw SeedbedError(
        .usage,
        "The tables '\(other)' and '\(name)' differ only in case, so files cannot tell them apart. "
          + "Rename one of them.")
    }
  }
}

extension MirroredTables.Column {
  /// - Parameter isID: whether the table takes its ids from this column's sequence.
  init(_ column: ColumnSchema, isID: Bool) {
    let type = MirroredType(column)
    name = column.name
    isGenerated = column.generated != .no
    if isID {
      (definition, filler, isAddable) = ("INTEGER PRIMARY KEY AUTOINCREMENT", nil, false)
    } else if isGenerated {
      (definition, filler, isAddable) = ("\(type.name) GENERATED ALWAYS AS (NULL)", nil, false)
    } else if column.isAutoincrement {
      // SQLite has no sequence for it.
      (definition, filler, isAddable) = (type.name, nil, true)
    } else {
      filler = column.isNotNull ? type.filler : nil
      let isVolatile = column.hasVolatileDefault
      // No file needs to fill a column that has a DEFAULT. Its value does not matter here.
      let value = isVolatile ? type.random : column.defaultSQL == nil ? nil : filler
      definition =
        type.name + (column.isNotNull ? " NOT NULL" : "") + (value.map { " DEFAULT \($0)" } ?? "")
      isAddable = !isVolatile && (filler == nil || value != nil)
    }
  }
}

/// SQLite's type for one of PostgreSQL's. A text stays as it is written, so that no change of a
/// field goes unnoticed: numbers with decimals, times, JSON and all others are texts.
private struct MirroredType {
  let name: String
  /// Values in SQL: one that is always the same, and one that is not.
  let filler: String
  let random: String

  init(_ column: ColumnSchema) {
    switch (column.baseType ?? column.declaredType).asciiLowercased() {
    // With INTEGER, a key would be SQLite's rowid, which chooses ids.
    case "smallint", "integer", "bigint": (name, filler, random) = ("BIGINT", "0", "(random())")
    case "real", "double precision": (name, filler, random) = ("REAL", "0.0", "(random())")
    case "bytea": (name, filler, random) = ("BLOB", "x''", "(randomblob(16))")
    case "citext":
      (name, filler, random) = ("TEXT COLLATE NOCASE", "''", "(hex(randomblob(16)))")
    default: (name, filler, random) = ("TEXT", "''", "(hex(randomblob(16)))")
    }
  }
}
