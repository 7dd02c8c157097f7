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
/// For each table, the rows that the catalog gives an empty database are compared with the CSV by
/// key. The next numbered folder gets the files that turn one into the other. Authors need not
/// write a `was:` column by hand.
package struct Release: Sendable {
  /// The catalog's folder.
  package let directory: String
  /// The words of the folder's name. To amend the last migration, leave them empty.
  package var name: String
  /// Tables and their CSV files, in place of all that catalog.json names as `source`.
  package var sources: [TableFile] = []
  /// SQL that runs first. It becomes the migration's up.sql.
  package var upSQL: String?
  /// SQL that the app runs on its own schema before these rows are applied. It becomes the
  /// migration's schema.sql, which devices never run.
  package var schemaSQL: String?
  /// The name in errors of the file with this schema.
  package var schemaSQLShownAs: String?
  /// Databases of the app, or a file for a server, from which its schema is read as well.
  package var schemas = SchemaSources()
  /// The purpose of the migration, in words for a person; nil for none.
  package var description: String?
  /// The name in errors of the file with this SQL.
  package var upSQLShownAs: String?
  /// Whether to create missing tables, as `ReleaseSummary.proposals` shows.
  package var creates = false
  /// Whether more than 5 % of a table's rows may be retired.
  package var allowsDeletes = false
  /// Whether to accept changes that look like the work of a spreadsheet.
  package var acceptsSpreadsheets = false
  /// Whether to make the migration with this name again, from the state before it. Its files stay,
  /// unless they hold rows of a table with a source. After a merge it gets the next number.
  package var amends = false
  /// CSV files that list the rows that only got another key, by table. A file without a table's
  /// name is for the only table.
  package var renamed: [TableFile] = []
  /// Use the time as the number instead of the next integer.
  package var usesTimestamp = false
  /// How scratch databases are opened.
  package var settings = ScratchSettings()
  /// Files to read in place of sources, by the paths of the sources. Errors name the sources.
  var standIns: [String: String] = [:]
  /// Whether to publish the migration, or only to try it.
  var isPublished = true
  /// Tries the catalog with the new folder on another engine; nil if it is for SQLite alone.
  package var onServer: ServerTrial.Closure?

  /// A file that belongs to a table.
  package struct TableFile: Sendable, Equatable {
    /// The table; nil for the only table.
    package let table: String?
    /// The path of the file.
    package let path: String
    /// Its name in errors.
    package let shownAs: String

    /// `shownAs`: the name in errors; nil for the path.
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

  /// The text of an SQL file.
  package static func text(of path: String) throws -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw SeedbedError(.io, "Cannot read the file '\(path)'. Name an existing file.")
    }
    guard let text = String(utf8: data) else {
      throw SeedbedError(.sql, "The file is not UTF-8. Save it as UTF-8.", at: .init(path))
    }
    return text
  }

  /// Writes the folder and the lock, or nothing if the catalog and the sources agree.
  ///
  /// Before it is published, the new folder is applied to a scratch database and compared with the
  /// sources.
  ///
  /// - Throws: `SeedbedError`. Nothing was written then.
  package func make() throws -> ReleaseSummary {
    let begins = creates || hasSchema
    let isBeginning = begins && !FileManager.default.fileExists(atPath: directory)
    if isBeginning { try beginCatalog() }
    let turn = try CatalogTurn(directory)
    defer { turn.end() }
    defer { if isBeginning { endEmptyCatalog() } }
    do {
      var maker = try ReleaseMaker(self)
      return try maker.make()
    } catch {
      throw SeedbedError.ofScratch(error)
    }
  }

  /// Removes a new catalog folder again if no migration was made.
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

  /// The changes that `make` would find. Writes nothing.
  ///
  /// With `amends`, checks whether the migration is up to date.
  package func check() throws -> ReleaseSummary {
    // SQL is tried in a folder inside the catalog.
    let turn = try CatalogTurn(directory)
    defer { turn.end() }
    do {
      var asItIs = self
      (asItIs.amends, asItIs.renamed) = (false, [])
      (asItIs.upSQL, asItIs.schemaSQL, asItIs.schemas) = (nil, nil, SchemaSources())
      // If the catalog cannot be read before it is amended, as after a merge, the code below
      // reports it.
      if amends, var maker = try? ReleaseMaker(asItIs), let summary = try? maker.check() {
        return summary
      }
      var maker = try ReleaseMaker(self)
      return try maker.check()
    } catch {
      throw SeedbedError.ofScratch(error)
    }
  }
}

extension Release {
  /// The rows that seem to have got another key, and no other change. Writes nothing.
  package func likelyRenames() throws -> ReleaseSummary {
    let turn = try CatalogTurn(directory)
    defer { turn.end() }
    do {
      var plain = self
      plain.renamed = []
      var summary = ReleaseSummary()
      var maker = try ReleaseMaker(plain)
      summary.renames = try maker.check().renames
      return summary
    } catch {
      throw SeedbedError.ofScratch(error)
    }
  }
}

/// The result, or the forecast, of `Release.make`.
package struct ReleaseSummary: Sendable, Equatable {
  /// The changes to a table's rows.
  package struct Table: Sendable, Equatable {
    /// The table's name as the schema spells it.
    package let table: String
    /// The number of rows that only the source has.
    package let inserted: Int
    /// The number of rows in which a column or the key differs.
    package let updated: Int
    /// The number of rows that the source no longer has.
    package let deleted: Int
    /// The columns that change in some row, as the CSV spells them.
    package let changedColumns: [String]
  }

  /// A table that does not exist yet.
  package struct Proposal: Sendable, Equatable {
    /// Its name.
    package let table: String
    /// The CREATE TABLE statement.
    package let sql: String
    /// The reasons for its form.
    package let reasons: [String]
  }

  /// Rows of a table that are added and retired as if only their key had changed.
  package struct Renames: Sendable, Equatable {
    /// Their table, as the schema spells it.
    package let table: String
    /// The number of rows.
    package let rows: Int
    /// The first row's key before and after, for people: `word='colour'`.
    package let oldKey: String
    package let newKey: String
    /// The content of a file for `Release.renamed` that confirms it.
    package let file: String
  }

  /// A column that the catalog's files fill, but the source does not name.
  package struct Absence: Sendable, Equatable {
    /// Its table, as the schema spells it.
    package let table: String
    /// The column as the files spell it.
    package let column: String
  }

  /// The source CSV of a table.
  package struct Source: Sendable, Equatable {
    /// Its table, as the caller spells it.
    package let table: String
    /// Its path in the catalog's folder.
    package let file: String
  }

  /// A separate migration, because the one before may not contain its rows too.
  package struct Cut: Sendable, Equatable {
    /// Its folder.
    package let folder: String
    /// The refusal.
    package let reason: String
  }

  /// The new folders, in order; empty if nothing was written.
  package internal(set) var folders: [String] = []
  /// The tables that differ.
  package internal(set) var tables: [Table] = []
  /// The number of tables that were compared.
  package internal(set) var compared = 0
  /// Tables with a source that the catalog does not create.
  package internal(set) var proposals: [Proposal] = []
  /// The tables that were created, if `Release.creates` is set.
  package internal(set) var created: [Proposal] = []
  /// By table, the rows that seem to have got only another key.
  package var renames: [Renames] = []
  /// Tables whose rows the app makes, and to which rows of the release refer.
  package internal(set) var leftToApp: [String] = []
  /// Columns that stay as they are, because no CSV has them any more.
  package internal(set) var absent: [Absence] = []
  /// The sources that `make` recorded in catalog.json. After `Revert`, those that may still contain
  /// the reverted rows.
  package internal(set) var sources: [Source] = []
  /// The folders that could not be one migration together with the ones before.
  package internal(set) var cuts: [Cut] = []
  /// SQL that removes the tables and columns that `Release.upSQL` adds; nil if the migration
  /// already had a down.sql, or nothing was added.
  package internal(set) var downSQL: String?
  /// Whether this SQL is now the migration's down.sql. Otherwise it is a proposal, since
  /// `Release.upSQL` does more.
  package internal(set) var writesDownSQL = false
  /// Whether a down.sql was kept that may belong to another up.sql.
  package internal(set) var keepsDownSQL = false
  /// The result for the lock; nil if nothing was written.
  package internal(set) var lock: LockSummary?

  /// Whether the catalog creates exactly the content of the sources.
  package var isUpToDate: Bool { tables.isEmpty && proposals.isEmpty }
}
