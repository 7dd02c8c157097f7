import Foundation
import TestSupport

@testable import Seedbed

/// A program that loads the extension into its own SQLite: the shell `sqlite3`.
struct SQLHost {
  /// The file of the extension; nil if none was built for these tests.
  static let here = ProcessInfo.processInfo.environment["SEEDBED_EXTENSION_FILE"].map {
    SQLHost(file: $0)
  }

  let file: String

  /// What `up()` of the migrator does, by the SQL function.
  func up(_ bench: Bench, _ migrator: Migrator, _ policies: Migrator.Policies) throws
    -> Migrator.Report
  {
    var options = [#""no-backup":true"#]
    if let policy = policies.onEdited { options.append(#""onEdited":"\#(policy.rawValue)""#) }
    if let policy = policies.onTaken { options.append(#""on-taken":"\#(policy.rawValue)""#) }
    let statements = """
      .load '\(file)' sqlite3_seedbed_init
      SELECT seedbed_up('Migrations', '{\(options.joined(separator: ","))}');
      SELECT seedbed_last_error();

      """
    let ended = try Child.run(
      ["sqlite3", "app.sqlite"], in: bench.folder, input: Array(statements.utf8))
    let lines = ended.output.split(separator: "\n").filter { $0.hasPrefix(#"{"schema":1,"#) }
    guard let line = lines.last else { throw Failure(output: ended.output) }
    let answer = try JSONDecoder().decode(Answer.self, from: Data(line.utf8))
    if let error = answer.error { throw error.error.with { $0.applied = answer.applied ?? [] } }
    let logged = try migrator.conflicts()
    return Migrator.Report(
      database: migrator.path, from: answer.from ?? 0, to: answer.to ?? 0, backup: nil,
      outcome: .applied,
      migrations: (answer.migrations ?? []).map { migration in
        let ids = Set(migration.conflicts.map(\.id))
        return Migrator.Report.Migration(
          version: migration.version, name: migration.name,
          tables: migration.tables.map(\.table),
          conflicts: logged.filter { ids.contains($0.id) }, isWithdrawn: false)
      }, touchedTables: [], notes: [])
  }

  struct Failure: Error { let output: String }

  /// The document of a report, or that of an error.
  private struct Answer: Decodable {
    var from: Version?
    var to: Version?
    var migrations: [Migration]?
    var error: Problem?
    var applied: [Version]?
  }

  private struct Migration: Decodable {
    var version: Version
    var name: String
    var tables: [Table]
    var conflicts: [Conflict]
  }

  private struct Conflict: Decodable { var id: Int64 }

  private struct Table: Decodable {
    let table: Migrator.Report.Table

    private enum Key: CodingKey { case table, inserted, updated, deleted, unchanged, kept }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      var counts = Migrator.Counts()
      counts.inserted = try values.decode(Int.self, forKey: .inserted)
      counts.updated = try values.decode(Int.self, forKey: .updated)
      counts.deleted = try values.decode(Int.self, forKey: .deleted)
      counts.unchanged = try values.decode(Int.self, forKey: .unchanged)
      counts.kept = try values.decode(Int.self, forKey: .kept)
      table = Migrator.Report.Table(
        table: try values.decode(String.self, forKey: .table), counts: counts)
    }
  }

  private struct Problem: Decodable {
    var code: String
    var message: String
    var error: SeedbedError { SeedbedError(SeedbedError.Code(rawValue: code) ?? .io, message) }
  }
}
