/// One numbered folder of the catalog.
package struct Migration: Sendable, Equatable {
  package var version: Version
  /// The words behind the number: cosmetic.
  package var name: String
  /// The folder's own name, for places in errors.
  package var folder: String
  /// True where `migration.json` takes it back: recorded and skipped where it is pending.
  package var isWithdrawn: Bool
  /// True for a folder that gives an empty database the state after its version in one step.
  package var isSnapshot: Bool
  /// `sha256:…` over what changes data; nil where it was not read yet.
  package var checksum: String?
  /// The chain up to this one as the lock has it; nil without a lock.
  package var chain: String?
  /// The records in its row files; nil where nobody counted them.
  package var rows: Int?
  /// In the order of their names.
  package var files: [MigrationFile]

  package init(
    version: Version, name: String, folder: String, files: [MigrationFile], isWithdrawn: Bool,
    isSnapshot: Bool = false, checksum: String? = nil, chain: String? = nil, rows: Int? = nil
  ) {
    self.version = version
    self.name = name
    self.folder = folder
    self.isWithdrawn = isWithdrawn
    self.isSnapshot = isSnapshot
    self.checksum = checksum
    self.chain = chain
    self.rows = rows
    self.files = files
  }

  package func file(_ kind: MigrationFile.Kind) -> MigrationFile? {
    files.first { $0.kind == kind }
  }
}

/// One file of a migration's folder.
package struct MigrationFile: Sendable, Equatable {
  package enum Kind: Sendable, Hashable {
    case schema, up, after, afterDown, down, verify, options
    case insert(table: String), update(table: String), delete(table: String)
  }

  /// As it is in the folder: `elements.csv.gz`.
  package var name: String
  package var kind: Kind
  /// In bytes, as it is on disk.
  package var size: Int64
  package var isCompressed: Bool
  /// What the lock promises; nil without a lock.
  package var locked: LockedFile?

  package init(
    name: String, kind: Kind, size: Int64, isCompressed: Bool, locked: LockedFile? = nil
  ) {
    (self.name, self.kind, self.size) = (name, kind, size)
    (self.isCompressed, self.locked) = (isCompressed, locked)
  }
}

/// What the lock says of one file.
package struct LockedFile: Sendable, Equatable {
  /// In bytes, as it is on disk.
  package var size: Int64
  /// In bytes, decompressed; the same as `size` for a file that is not compressed.
  package var contentSize: Int64
  /// The records of a CSV file, its header not counted; nil for other files.
  package var rows: Int?
  /// SHA-256 of the decompressed content, 64 hexadecimal digits.
  package var digest: String
}

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
  /// The tables, indexes, views and triggers that its SQL makes: where one of them is there, the
  /// database is no empty one.
  package var creates: [String]
  /// Tables of the app's own that it fills, or that SQL of those migrations writes: where one has
  /// rows, the database is no empty one either.
  package var fills: [String] = []
  /// The columns that files of those migrations fill, by table, as they name them.
  package var columns: [String: [String]] = [:]
  /// Those that were withdrawn when it was made.
  package var withdrawn: [Version] = []

  package init(chain: String, creates: [String]) {
    self.chain = chain
    self.creates = creates
  }
}

/// The options of one table.
package struct TableOptions: Sendable, Equatable {
  package enum BlobEncoding: String, Sendable, CaseIterable { case base64, hex }

  /// nil: the primary key.
  package var key: [String]?
  package var source: String?
  package var onEdited: Migrator.EditPolicy?
  package var onTaken: Migrator.CollisionPolicy?
  package var blobs: [String: BlobEncoding] = [:]
  package var ignore: [String] = []
  package var reserve: Located<Int64>?
  /// By which columns tables refer to this one, though the schema does not declare it.
  var references: [DeclaredReference] = []
  var disposable: [Located<String>] = []
  package var identity: [Located<String>] = []
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

extension String {
  /// Lowercase as SQLite compares names: ASCII letters only.
  package func asciiLowercased() -> String {
    String(decoding: utf8.map { $0 >= 65 && $0 <= 90 ? $0 + 32 : $0 }, as: UTF8.self)
  }
}

extension MigrationFile.Kind {
  /// The table and what is done to its rows; nil for other files.
  package var rows: (table: String, operation: String)? {
    switch self {
    case .insert(let table): (table, "insert")
    case .update(let table): (table, "update")
    case .delete(let table): (table, "delete")
    case .schema, .up, .after, .afterDown, .down, .verify, .options: nil
    }
  }
}
