package import Seedbed

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The next migration of a catalog, made from the source CSVs of its tables.
///
///     let summary = try Release(directory: "Migrations", name: "iupac_2016").make()
///
/// What the catalog makes of an empty database is compared with each table's CSV by key, and the
/// next numbered folder gets the files that turn the one into the other. Nobody writes a `was:`
/// column by hand.
package struct Release: Sendable {
  /// The catalog's folder.
  package let directory: String
  /// The words of the folder's name; if one is amended, empty for the last one.
  package var name: String
  /// Tables and their CSV files, instead of all that catalog.json names as `source`.
  package var sources: [TableFile] = []
  /// SQL that runs first, and becomes the up.sql of the migration.
  package var upSQL: String?
  /// What the app does to its schema before these rows come, if the schema is the app's own. It
  /// becomes the schema.sql of the migration, which devices never run.
  package var schemaSQL: String?
  /// The file that has this schema, by its name in errors.
  package var schemaSQLShownAs: String?
  /// What the migration is for, in words for a person; nil for none.
  package var description: String?
  /// The file that has this SQL, by its name in errors.
  package var upSQLShownAs: String?
  /// Whether missing tables are created, as `ReleaseSummary.proposals` shows.
  package var creates = false
  /// Whether more than 5 % of a table's rows may be retired.
  package var allowsDeletes = false
  /// Whether to accept what looks like the work of a spreadsheet.
  package var acceptsSpreadsheets = false
  /// Whether the migration of this name is made again, from the state before it. Files in it that
  /// hold no rows of a table with a source stay, and after a merge it gets the next number.
  package var amends = false
  /// CSV files that say which rows only got another key, by table; one without a table's name is
  /// that of the only table.
  package var renamed: [TableFile] = []
  /// Use the time as the number instead of the next integer.
  package var usesTimestamp = false
  /// How scratch databases are opened.
  package var settings = ScratchSettings()
  /// Plays the catalog with the new folder on another engine; nil if it is for SQLite alone.
  package var onServer: ServerTrial.Closure?

  /// A file that belongs to a table.
  package struct TableFile: Sendable, Equatable {
    /// nil for the only table.
    package let table: String?
    /// Where the file is.
    package let path: String
    /// Its name in errors.
    package let shownAs: String

    /// `shownAs`: nil for the path.
    package init(_ table: String?, _ path: String, shownAs: String? = nil) {
      self.table = table
      self.path = path
      self.shownAs = shownAs ?? path
    }
  }

  /// - Parameters:
  ///   - directory: the catalog's folder.
  ///   - name: the words of the new folder's name.
  package init(directory: String, name: String) {
    self.directory = directory
    self.name = name
  }

  /// The text of a SQL file.
  package static func text(of path: String) throws -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw SeedbedError(.io, "Cannot read the file '\(path)'. Name an existing file.")
    }
    guard let text = String(utf8: data) else {
      throw SeedbedError(.sql, "The file is not UTF-8. Save it as UTF-8.", at: .init(path))
    }
    return text
  }

  /// The text of a file that shows a schema, as the app's own SQL or another program's output.
  package static func schemaText(of path: String) throws -> String {
    SchemaText.passingOverOthers(try text(of: path))
  }

  /// Writes the folder and the lock; nothing if catalog and sources agree.
  ///
  /// The new folder is applied to a scratch database and compared with the sources before it is
  /// published.
  ///
  /// - Throws: `SeedbedError`; then nothing was written.
  package func make() throws -> ReleaseSummary {
    let begins = creates || schemaSQL != nil
    let isBeginning = begins && !FileManager.default.fileExists(atPath: directory)
    if isBeginning { try beginCatalog() }
    let turn = try CatalogTurn(directory)
    defer { turn.end() }
    defer { if isBeginning { endEmptyCatalog() } }
    do {
      return try ReleaseMaker(self).make()
    } catch {
      throw SeedbedError.ofScratch(error)
    }
  }

  /// If no migration was made, the new folder is removed.
  private func endEmptyCatalog() {
    let manager = FileManager.default
    guard (try? manager.contentsOfDirectory(atPath: directory))?.isEmpty == true else { return }
    try? manager.removeItem(atPath: directory)
  }

  private func beginCatalog() throws {
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
    } catch {
      throw SeedbedError.file("make '\(directory)'", error)
    }
  }

  /// What `make` would find; writes nothing.
  ///
  /// With `amends` the question is whether the migration is up to date.
  package func check() throws -> ReleaseSummary {
    // SQL is tried in a folder of the catalog's.
    let turn = try CatalogTurn(directory)
    defer { turn.end() }
    do {
      var asItIs = self
      (asItIs.amends, asItIs.renamed) = (false, [])
      (asItIs.upSQL, asItIs.schemaSQL) = (nil, nil)
      // A catalog that cannot be read before it is amended, as after a merge, says so below.
      if amends, let summary = try? ReleaseMaker(asItIs).check() { return summary }
      return try ReleaseMaker(self).check()
    } catch {
      throw SeedbedError.ofScratch(error)
    }
  }
}

extension Release {
  /// The rows that seem to have only another key, and nothing else; writes nothing.
  ///
  /// - Parameter table: nil for all tables.
  package func likelyRenames(of table: String?) throws -> ReleaseSummary {
    let turn = try CatalogTurn(directory)
    defer { turn.end() }
    do {
      var plain = self
      plain.renamed = []
      var summary = ReleaseSummary()
      summary.renames = try ReleaseMaker(plain).check().renames.filter { renames in
        table.map { renames.table.isSameName(as: $0) } ?? true
      }
      return summary
    } catch {
      throw SeedbedError.ofScratch(error)
    }
  }
}

/// What `Release.make` wrote, or would write.
package struct ReleaseSummary: Sendable, Equatable {
  /// What becomes of a table's rows.
  package struct Table: Sendable, Equatable {
    /// Its name, as the schema spells it.
    package let table: String
    /// Rows that only the source has.
    package let inserted: Int
    /// Rows of which a column differs, or the key.
    package let updated: Int
    /// Rows that the source no longer has.
    package let deleted: Int
    /// The columns that some row changes, as the CSV spells them.
    package let changedColumns: [String]
  }

  /// A table that does not exist yet.
  package struct Proposal: Sendable, Equatable {
    /// Its name.
    package let table: String
    /// The CREATE TABLE statement.
    package let sql: String
    /// Why it looks like that.
    package let reasons: [String]
  }

  /// Rows of a table that are added and as ones that are retired, as if only their key changed.
  package struct Renames: Sendable, Equatable {
    /// Their table, as the schema spells it.
    package let table: String
    /// How many.
    package let rows: Int
    /// What the key of the first of them was, for people, and is now: `word='colour'`.
    package let oldKey: String
    package let newKey: String
    /// What a file for `Release.renamed` holds that says so.
    package let file: String
  }

  /// A column that the catalog's files fill and the source does not name.
  package struct Absence: Sendable, Equatable {
    /// Its table, as the schema spells it.
    package let table: String
    /// As the files spell it.
    package let column: String
  }

  /// The source CSV of a table.
  package struct Source: Sendable, Equatable {
    /// Its table, as the caller spells it.
    package let table: String
    /// Its path in the catalog's folder.
    package let file: String
  }

  /// A separate migration, because the one before may not contain it.
  package struct Cut: Sendable, Equatable {
    /// Its folder.
    package let folder: String
    /// What was refused.
    package let reason: String
  }

  /// The new folders, in order; empty if nothing was written.
  package internal(set) var folders: [String] = []
  /// The tables that differ.
  package internal(set) var tables: [Table] = []
  /// How many tables were compared.
  package internal(set) var compared = 0
  /// The tables that a source has and the catalog does not make.
  package internal(set) var proposals: [Proposal] = []
  /// The tables that were created, if `Release.creates` is set.
  package internal(set) var created: [Proposal] = []
  /// By table, rows that seem to have only another key.
  package internal(set) var renames: [Renames] = []
  /// Columns that stay as they are, because no CSV has them any longer.
  package internal(set) var absent: [Absence] = []
  /// The sources that `make` noted in catalog.json; of `Revert`, those that may still contain what
  /// was reverted.
  package internal(set) var sources: [Source] = []
  /// The folders that one migration could not hold together with those before them.
  package internal(set) var cuts: [Cut] = []
  /// SQL that removes the tables and columns that `Release.upSQL` adds; nil if the migration had a
  /// down.sql, or nothing was added.
  package internal(set) var downSQL: String?
  /// Whether it is the migration's down.sql now; else it is a proposal, since `Release.upSQL` does
  /// more.
  package internal(set) var writesDownSQL = false
  /// Whether a down.sql was kept that may undo another up.sql.
  package internal(set) var keepsDownSQL = false
  /// What became of the lock; nil if nothing was written.
  package internal(set) var lock: LockSummary?

  /// Whether the catalog makes exactly what the sources say.
  package var isUpToDate: Bool { tables.isEmpty && proposals.isEmpty }
}
