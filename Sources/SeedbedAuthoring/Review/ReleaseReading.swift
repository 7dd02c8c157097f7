package import Seedbed

/// A migration as people review it: the rows that it adds, changes and retires.
///
///     let release = try ReleaseReading(directory: "Migrations")
///     for table in release.tables {
///       try table.rows(.insert) { row in print(row.key); return true }
///     }
///
/// Files are read without a database, and rows in constant memory.
package struct ReleaseReading: Sendable {
  /// Its number.
  package let version: Migrator.Version
  /// The name of its folder.
  package let folder: String
  /// The description in its migration.json.
  package let description: String?
  /// Whether devices skip it.
  package let isWithdrawn: Bool
  /// Its SQL files, in the order in which they run.
  package let scripts: [Script]
  /// The tables, by name.
  package let tables: [Table]

  /// An SQL file and its statements.
  package struct Script: Sendable, Equatable {
    /// `up.sql` or one of the others.
    package let name: String
    /// The statements in order, as they are written.
    package let statements: [String]
  }

  /// The changes of the release to one table.
  package struct Table: Sendable {
    /// The number of rows of each kind, and the columns that change.
    package let summary: ReleaseSummary.Table
    let files: [RowFileReading]

    /// The table's name as the files spell it.
    package var name: String { summary.table }

    /// The number of rows that are added, changed or retired.
    package func count(_ operation: Row.Operation) -> Int {
      switch operation {
      case .insert: summary.inserted
      case .update: summary.updated
      case .delete: summary.deleted
      }
    }

    /// The rows in files of one kind, in the order of the files.
    ///
    /// - Parameter body: returns false to stop.
    package func rows(_ operation: Row.Operation, _ body: (Row) throws -> Bool) throws {
      var isDone = false
      for file in files where file.operation == operation && !isDone {
        try reporting {
          try file.rows { row in
            isDone = try !body(row)
            return !isDone
          }
        }
      }
    }
  }

  /// One row of a release.
  package struct Row: Sendable, Equatable {
    /// The kind of file that it is in.
    package enum Operation: String, Sendable, CaseIterable {
      /// Added, changed, retired.
      case insert, update, delete
    }

    /// The operation on the row.
    package let operation: Operation
    /// The columns that identify the row, as far as its file shows them.
    package let key: [Field]
    /// The other columns. For a changed row, only the columns that change.
    package let fields: [Field]
  }

  /// The change to one column. A value is nil if there is none before or after, or if the old one
  /// is unknown.
  package struct Field: Sendable, Equatable {
    /// The column, as the header spells it.
    package let name: String
    /// The old value.
    package let old: Value?
    /// The new value.
    package let new: Value?
  }

  /// A value by its form, because only a table has types.
  package enum Value: Sendable, Equatable {
    /// Empty without quotes.
    case null
    /// Empty without quotes, if the options leave it to the column whether that is NULL or the
    /// empty text.
    case empty
    /// A number as it is written.
    case number(String)
    /// Any other text.
    case text(String)
    /// A value of a column that the options list as a BLOB.
    case blob(bytes: Int)

    /// Compares bytes, like devices do: Swift treats two forms of a letter as the same.
    package static func == (one: Value, other: Value) -> Bool {
      switch (one, other) {
      case (.null, .null), (.empty, .empty): true
      case (.number(let one), .number(let other)), (.text(let one), .text(let other)):
        one.utf8.elementsEqual(other.utf8)
      case (.blob(let one), .blob(let other)): one == other
      default: false
      }
    }
  }

  /// - Parameter name: a version, a folder's name, or its words; nil for the last migration.
  /// - Throws: `SeedbedError` with the place, for a file that could not be applied.
  package init(directory: String, migration name: String? = nil) throws {
    self = try reporting {
      let catalog = try Catalog(authoring: directory)
      return try Self(catalog, catalog.migration(called: name))
    }
  }

  /// The migrations that are not in an earlier lock, in order.
  ///
  /// - Parameters:
  ///   - bytes: an earlier `seedbed.lock`.
  ///   - place: its name in errors.
  package static func since(
    _ bytes: [UInt8], place: String, directory: String
  ) throws -> [ReleaseReading] {
    try reporting {
      let catalog = try Catalog(authoring: directory)
      let old = Set(try Lock.read(released: bytes, place: place).migrations.map(\.version))
      return try catalog.migrations().filter { !old.contains($0.version) }.map {
        try Self(catalog, $0)
      }
    }
  }

  private init(_ catalog: Catalog, _ migration: Migration) throws {
    version = migration.version
    folder = migration.folder
    isWithdrawn = migration.isWithdrawn
    description = try catalog.options(of: migration).description
    let order: [MigrationFile.Kind] = [.schema, .up, .after, .verify, .afterDown, .down]
    let authored = try catalog.authored(migration)
    scripts = try order.compactMap { authored.file($0) }.map {
      Script(name: $0.name, statements: try catalog.statements(of: $0, in: migration))
    }
    let files = try migration.files.filter(\.isRows).map {
      try RowFileReading($0, in: migration, of: catalog)
    }
    let names = files.reduce(into: [String]()) { names, file in
      let isKnown = names.contains(name: file.table)
      if !isKnown { names.append(file.table) }
    }
    tables = try names.map { name in
      try Self.table(
        name, files.filter { $0.table.isSameName(as: name) })
    }
  }

  private static func table(_ name: String, _ files: [RowFileReading]) throws -> Table {
    var counts: [Row.Operation: Int] = [:]
    var columns: [String] = []
    for file in files {
      let (rows, changed) = try file.totals()
      counts[file.operation, default: 0] += rows
      columns += changed.filter { !columns.contains(name: $0) }
    }
    return Table(
      summary: ReleaseSummary.Table(
        table: name, inserted: counts[.insert] ?? 0, updated: counts[.update] ?? 0,
        deleted: counts[.delete] ?? 0, changedColumns: columns),
      files: files)
  }

  /// The rows of a row file anywhere: git passes it outside its folder.
  ///
  /// - Parameters:
  ///   - directory: a catalog whose catalog.json names the key columns. It need not exist.
  ///   - body: returns false to stop.
  package static func rows(
    ofFile path: String, shownAs place: String, directory: String,
    _ body: (Row) throws -> Bool
  ) throws {
    try reporting {
      // If the catalog cannot be read now, its older files must still be shown.
      let catalog = try? Catalog(authoring: directory)
      try RowFileReading(path, shownAs: place, catalog: catalog).rows(body)
    }
  }
}

extension Catalog {
  /// A migration by its number, folder or words; nil for the last one.
  func migration(called name: String?) throws -> Migration {
    let migrations = try migrations()
    guard let name else {
      if let last = migrations.last { return last }
      throw SeedbedError(.usage, "The catalog has no folder of a migration.")
    }
    // A shell completes folders with their paths.
    let word = name.split(separator: "/").last.map(String.init) ?? name
    let isNumber = word.utf8.allSatisfy { (0x30...0x39).contains($0) }
    let found = migrations.filter { migration in
      isNumber ? migration.version == Version(word) : migration.folder == word
    }
    let named = found.isEmpty ? migrations.filter { $0.name == word } : found
    if let one = named.first, named.count == 1 { return one }
    throw SeedbedError.noSuchMigration(word, named.map(\.folder), among: migrations)
  }
}

/// Runs code that reads a catalog, and turns every error into a `SeedbedError`.
func reporting<Result>(_ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch {
    throw SeedbedError.ofScratch(error)
  }
}

extension SeedbedError {
  /// The error without the versions applied before it, since those are in a scratch database.
  static func ofScratch(_ error: any Error) -> SeedbedError {
    SeedbedError.from(error).with { $0.applied = [] }
  }
}

extension SeedbedError {
  fileprivate static func noSuchMigration(
    _ word: String, _ found: [String], among migrations: [Migration]
  ) -> SeedbedError {
    let shown = word.shortened(to: 40)
    if found.count > 1 {
      return SeedbedError(
        .usage,
        "Several migrations are called '\(shown)': \(found.joined(separator: ", ")). Give its "
          + "number.")
    }
    let near = Nearest.word(to: word, among: migrations.map(\.folder) + migrations.map(\.name))
    var last = migrations.last.map { " The last one is '\($0.folder)'." } ?? ""
    if let number = Version(word), let first = migrations.first, number < first.version {
      last = " The first one is '\(first.folder)'."
    }
    return SeedbedError(
      .usage,
      "There is no migration '\(shown)'." + (near.map { " Did you mean '\($0)'?" } ?? last))
  }
}
