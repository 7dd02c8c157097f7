/// The options of one migration: `migration.json` above `catalog.json` above the defaults.
package struct MigrationOptions: Sendable, Equatable {
  enum ForeignKeys: String, Sendable, CaseIterable { case on, off }
  enum Verify: String, Sendable, CaseIterable { case fail, warn }

  package var description: String?
  var foreignKeys = ForeignKeys.on
  var verify = Verify.fail
  var isWithdrawn = false
  /// What `migrate lint` is not to find, and why.
  package var allowed: [AllowedFinding] = []
  /// Of a snapshot's folder only.
  package var snapshot: SnapshotMark?
  /// Which release of the app a database needs first that is older than the catalog's base.
  var tooOld: String?
  /// For which engines the catalog has SQL.
  package var engines = [EngineName.sqlite]
  /// Whether devices get the catalog's ready-made database too.
  package var shipsFirstDatabase = false
  /// By the table's name as the options spell it; look up with `table(_:)`.
  package var tables: [String: TableOptions] = [:]

  /// Whether a counter-example of verify.sql keeps the migration from being applied.
  package var failsOnVerify: Bool { verify == .fail }

  /// Names of tables are compared as SQLite does: ASCII letters without regard to case.
  package func table(_ name: String) -> TableOptions {
    if let exact = tables[name] { return exact }
    let folded = name.asciiLowercased()
    return tables.first { $0.key.asciiLowercased() == folded }?.value ?? TableOptions()
  }
}

/// A kind of finding that a migration's author has weighed.
package struct AllowedFinding: Sendable, Equatable {
  package var code: String
  package var reason: String
  package var place: SeedbedError.Place
}

/// What makes a folder a snapshot.
package struct SnapshotMark: Sendable, Equatable {
  /// The chain up to its version: of which migrations it was made.
  package var chain: String
  /// The tables, indexes, views and triggers that its SQL makes: if one of them is there, the
  /// database is no empty one.
  package var creates: [String]
  /// Tables of the app's own that it fills, or that SQL of those migrations writes: if one has
  /// rows, the database is no empty one either.
  package var fills: [String] = []
  /// The columns that files of those migrations fill, by table, as they name them.
  package var columns: [String: [String]] = [:]
  /// Those that were withdrawn when it was made.
  package var withdrawn: [Version] = []

  package init(chain: String, creates: [String]) { (self.chain, self.creates) = (chain, creates) }
}

/// The options of one table.
package struct TableOptions: Sendable, Equatable {
  /// nil: the primary key.
  package var key: [String]?
  package var source: String?
  package var onEdited: Migrator.EditPolicy?
  package var onTaken: Migrator.CollisionPolicy?
  package var blobs: [String: BlobEncoding] = [:]
  package var empty = Empty.null
  package var ignore: [String] = []
  package var reserve: Located<Int64>?
  /// By which columns tables refer to this one, though the schema does not declare it.
  var references: [DeclaredReference] = []
  var disposable: [Located<String>] = []
  package var identity: [Located<String>] = []

  /// What an empty field is in a column of text that may not be NULL.
  package enum Empty: String, Sendable, CaseIterable { case null, text }

  /// How a column is written, if its fields are bytes.
  package func blob(_ column: String) -> BlobEncoding? {
    blobs.first { $0.key.isSameName(as: column) }?.value
  }
}

/// A value of an option with its place in the file: only the database shows whether it fits.
package struct Located<Value: Sendable & Equatable>: Sendable, Equatable {
  package var value: Value
  package var place: SeedbedError.Place
}

/// One reference that the options declare, as they spell it.
struct DeclaredReference: Sendable, Equatable {
  var child: String
  var columns: [String]
  var place: SeedbedError.Place
}
