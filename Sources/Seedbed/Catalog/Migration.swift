/// One numbered folder of the catalog.
package struct Migration: Sendable, Equatable {
  package var version: Version
  /// The words after the number. They have no effect.
  package var name: String
  /// The name of the folder, for places in errors.
  package var folder: String
  /// The files that the catalog's engine reads, in the order of their names.
  package var files: [MigrationFile]
  /// True if `migration.json` withdraws it. If it is pending, it is recorded and skipped.
  package var isWithdrawn: Bool
  /// True for a folder that brings an empty database to its version in one step.
  package var isSnapshot = false
  /// `sha256:…` of everything that changes data; nil if it was not read yet.
  package var checksum: String?
  /// The chain up to this migration in the lock; nil without a lock.
  package var chain: String?
  /// The number of records in its row files; nil if they were not counted.
  package var rows: Int?
  /// The other engine's SQL and digests; nil in a catalog for SQLite alone. In one for PostgreSQL
  /// alone, SQLite's side has no SQL.
  package var other: OtherEngine?
  /// The index of its part in a joined catalog.
  var part = 0

  @inline(never) package func file(_ kind: MigrationFile.Kind) -> MigrationFile? {
    files.first { $0.kind == kind }
  }
}

/// The other engine's SQL and digests of a migration.
package struct OtherEngine: Sendable, Equatable {
  /// The files in the order of their names.
  package var sql: [MigrationFile] = []
  package var checksum: String?
  package var chain: String?
}

extension Migration {
  /// The files for either engine, in the order of their names.
  package var allFiles: [MigrationFile] { files.with(other?.sql ?? []) }

  /// The migration as the other engine reads it; nil in a catalog for SQLite alone.
  package var ofOtherEngine: Migration? {
    guard let other else { return nil }
    var migration = self
    migration.files = files.filter { !$0.isSQL }.with(other.sql)
    (migration.checksum, migration.chain) = (other.checksum, other.chain)
    migration.other = OtherEngine(sql: files.filter(\.isSQL), checksum: checksum, chain: chain)
    return migration
  }

  /// The path of one of its files in the catalog, for messages.
  @inline(never) package func place(of file: MigrationFile) -> String { folder + "/" + file.name }

  /// - Throws: `catalog` if the catalog was for one engine when the folders were dropped.
  package func baseOfOtherEngine() throws -> Migration {
    if let base = ofOtherEngine { return base }
    throw SeedbedError.inCatalog(
      "The folders up to this one were dropped while the catalog was for SQLite alone, so their "
        + "chain on PostgreSQL is unknown. Put them back, or remove \"engines\" from "
        + "catalog.json.", folder)
  }
}

extension [MigrationFile] {
  fileprivate func with(_ others: [MigrationFile]) -> [MigrationFile] {
    if others.isEmpty { return self }
    return (self + others).ordered { ExactText($0.name) }
  }
}

/// One file of a migration's folder.
package final class MigrationFile: Sendable, Equatable {
  package enum Kind: Sendable, Hashable {
    case schema, up, after, afterDown, down, verify, options
    case insert(table: String), update(table: String), delete(table: String)
  }

  /// The name in the folder: `elements.csv.gz`.
  package let name: String
  package let kind: Kind
  /// The size in bytes on disk.
  package let size: Int64
  package let isCompressed: Bool
  /// The lock's facts about the file; nil without a lock.
  package let locked: LockedFile?
  /// The bytes to read in place of those in the folder; nil to read the folder.
  let content: [UInt8]?

  package init(
    name: String, kind: Kind, size: Int64, isCompressed: Bool, locked: LockedFile? = nil,
    content: [UInt8]? = nil
  ) {
    (self.name, self.kind, self.size) = (name, kind, size)
    (self.isCompressed, self.locked, self.content) = (isCompressed, locked, content)
  }

  /// Reads a file's name; nil if the name is ignored.
  ///
  /// - Throws: `catalog` for a name that a file in the `folder` cannot have.
  init?(
    named name: String, in folder: String, size: Int64, locked: LockedFile? = nil
  ) throws {
    switch FileName(name) {
    case .ignored: return nil
    case .unknown(let nearest):
      throw SeedbedError.fileUnknown(folder + "/" + name, nearest: nearest)
    case .twin(let kind): (self.kind, isCompressed) = (kind, false)
    case .legal(let kind, let isCompressed): (self.kind, self.isCompressed) = (kind, isCompressed)
    }
    (self.name, self.size, self.locked, content) = (name, size, locked, nil)
  }

  package static func == (one: MigrationFile, other: MigrationFile) -> Bool {
    one.name == other.name && one.kind == other.kind && one.size == other.size
      && one.isCompressed == other.isCompressed && one.locked == other.locked
      && one.content == other.content
  }

  /// The same file with the lock's facts about it.
  package func locked(as locked: LockedFile) -> MigrationFile {
    MigrationFile(name: name, kind: kind, size: size, isCompressed: isCompressed, locked: locked)
  }

  /// An SQL file of that name with other SQL.
  package func holding(_ content: [UInt8]) -> MigrationFile {
    MigrationFile(
      name: name, kind: kind, size: Int64(content.count), isCompressed: false, content: content)
  }

  /// Whether it is SQL for PostgreSQL.
  var isTwin: Bool { isSQL && FileName(name) == .twin(kind) }
}

extension MigrationFile.Kind {
  /// The table, and the operation on its rows; nil for other files.
  package var rows: (table: String, operation: String)? {
    switch self {
    case .insert(let table): (table, "insert")
    case .update(let table): (table, "update")
    case .delete(let table): (table, "delete")
    default: nil
    }
  }
}
