package import SeedbedCells

/// The options of one migration: `migration.json` over `catalog.json` over the defaults.
package struct MigrationOptions: Sendable, Equatable {
  package enum ForeignKeys: String, Sendable, CaseIterable { case on, off }
  enum Verify: String, Sendable, CaseIterable { case fail, warn }

  package var description: String?
  package var foreignKeys = ForeignKeys.on
  var verify = Verify.fail
  var isWithdrawn = false
  /// The findings that `migrate lint` leaves out, and why.
  package var allowed: [AllowedFinding] = []
  /// In a snapshot's folder only.
  package var snapshot: SnapshotMark?
  /// The release of the app that a database older than the catalog's base needs first.
  var tooOld: String?
  /// The version at which a filled database without a ledger is adopted.
  package var adopt: Version?
  /// The engines that the catalog serves.
  package var engines = [EngineName.sqlite]
  /// The catalog's number in signatures; nil if it was never signed.
  package var id: String?
  /// The oldest SQLite of all devices: 3039 for 3.39.
  package var oldestSQLite: Int?
  /// Whether devices also get the catalog's ready-made database.
  package var shipsFirstDatabase = false
  /// The pack's name, and the release of the base that it needs; nil for a base.
  var packName: String?
  var baseVersion: Version?
  /// The options of tables, by the names that the options use.
  package var tables: [Name: TableOptions] = [:]

  /// Whether a counter-example in verify.sql prevents the migration from being applied.
  package var failsOnVerify: Bool { verify == .fail }

  package var pack: Pack? { packName.map { Pack(name: $0, needs: baseVersion ?? 0) } }

  /// The options of a table.
  package func table(_ name: String) -> TableOptions { tables[name] ?? TableOptions() }
}

/// A kind of finding that the author of a migration has considered and accepts.
package struct AllowedFinding: Sendable, Equatable {
  package var code: String
  package var reason: String
  package var place: SeedbedError.Place
}

/// The record that makes a folder a snapshot.
package struct SnapshotMark: Sendable, Equatable {
  /// The chain up to its version. It tells which migrations the snapshot was made of.
  package var chain: String
  /// The tables, indexes, views and triggers that its SQL creates. A database that has one of them
  /// is not empty.
  package var creates: [String]
  /// The app's own tables that it fills, or that the SQL of its migrations writes to. A database
  /// with rows in one of them is not empty either.
  package var fills: [String] = []
  /// The columns that the files of its migrations fill, by table, spelled as in the files.
  package var columns: [Name: [String]] = [:]
  /// The migrations that were withdrawn when it was made.
  package var withdrawn: [Version] = []

  package init(chain: String, creates: [String]) { (self.chain, self.creates) = (chain, creates) }
}

/// The options of one table.
package struct TableOptions: Sendable, Equatable {
  /// The key that the option names; nil for the primary key.
  package var ownKey: [String]?
  /// The owners, each of whom has a copy of the catalog's rows.
  package var per: OwnerOption?
  /// The key of a row: with `per`, the owner is its first part.
  package var key: [String]? {
    guard let column = per?.column?.value else { return ownKey }
    return ownKey.map { [column] + $0.filter { !column.isSameName(as: $0) } }
  }
  package var source: String?
  package var onEdited: Migrator.EditPolicy?
  package var onTaken: Migrator.CollisionPolicy?
  /// The policies of single columns.
  package var columns: [ColumnOption<Migrator.EditPolicy>] = []
  package var blobs: [Name: BlobEncoding] = [:]
  /// How values of columns are compared.
  package var compare: [ColumnOption<Comparison>] = []
  package var empty = EmptyFields.inTable(.null)
  package var ignore: [String] = []
  package var reserve: Located<Int64>?
  /// References to this table, by their columns, that the schema does not declare.
  package var references: [DeclaredReference] = []
  package var disposable: [Located<String>] = []
  package var identity: [Located<String>] = []

  /// When two values of a column are the same. `text`: line ends, and white space at the end of
  /// lines and of the text, are no difference.
  package enum Comparison: String, Sendable, CaseIterable { case text }

  /// The meaning of an empty field in a column of text.
  package enum Empty: String, Sendable, CaseIterable { case null, text }

  package enum EmptyFields: Sendable, Equatable {
    /// In each column that is NOT NULL.
    case inTable(Empty)
    /// In the columns that the option names. In all others an empty field is NULL.
    case inColumns([ColumnOption<Empty>])

    /// Whether the option names the column, as one in which they are texts.
    package func names(_ column: String) -> Bool {
      guard case .inColumns(let columns) = self else { return false }
      return columns.contains { $0.value == .text && $0.column.isSameName(as: column) }
    }
  }

  /// The policy of a column of its own: `keepEdits` or `preferSeed`; nil if it has the table's.
  func policy(of column: String) -> Migrator.EditPolicy? {
    columns.first { $0.column.isSameName(as: column) }?.value
  }

  /// The encoding of a column of bytes.
  package func blob(_ column: String) -> BlobEncoding? {
    blobs[column]
  }
}

/// What an option says of one column.
package struct ColumnOption<Value: Sendable & Equatable>: Sendable, Equatable {
  package var column: String
  package var value: Value
  package var place: SeedbedError.Place
}

/// The value of an option and its place in the file. Only the database shows whether it fits.
package struct Located<Value: Sendable & Equatable>: Sendable, Equatable {
  package var value: Value
  package var place: SeedbedError.Place
}

/// Whose rows the rows of a table are: each row of the owners' table has a copy of the catalog's
/// rows.
package struct OwnerOption: Sendable, Equatable {
  package var table: Located<String>
  package var key: Located<String>
  /// The table's column with the owner; nil if its rows belong to the owner of their parents.
  package var column: Located<String>?
}

extension MigrationOptions {
  /// The app's tables with a row for each owner.
  package var ownersTables: [String] {
    tables.values.compactMap { $0.per?.table.value }.asNames.map(\.text).sorted()
  }
}

/// A reference that the options declare, spelled as there.
package struct DeclaredReference: Sendable, Equatable {
  package var child: String
  var columns: [String]
  var place: SeedbedError.Place
}
