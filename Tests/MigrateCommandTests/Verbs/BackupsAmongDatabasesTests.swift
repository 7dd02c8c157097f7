import Foundation
import TestSupport
import Testing

@testable import MigrateCommand

/// Backups where databases are named: they are no databases, and stay as they are.
struct BackupsAmongDatabasesTests {
  /// Three databases at 2 in `tenants/`, each with a backup of 1.
  private func released() throws -> (sandbox: Sandbox, backup: String) {
    let sandbox = try Sandbox.tenants()
    try sandbox.write(["Migrations/0002_names/down.sql": "-- Nothing but rows."])
    try FileManager.default.removeItem(atPath: "\(sandbox.path)/tenants/c.sqlite")
    try FileManager.default.copyItem(
      atPath: "\(sandbox.path)/app.sqlite", toPath: "\(sandbox.path)/tenants/c.sqlite")
    let up = try Program.run(["up", "--each", "tenants/"], in: sandbox)
    try #require(up.code == 0, "\(up)")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: "\(sandbox.path)/tenants/a.sqlite.backups")
    return (sandbox, "tenants/a.sqlite.backups/" + (try #require(names.first)))
  }

  private func bytes(_ path: String, in sandbox: Sandbox) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: "\(sandbox.path)/\(path)"))
  }

  @Test(arguments: ["up", "plan", "status", "verify", "down --to 0", "restore --to 1", "backups"])
  func `many databases pass over backups, and count them`(_ verb: String) throws {
    let (sandbox, backup) = try released()
    let before = try bytes(backup, in: sandbox)
    for pattern in ["tenants/*/*.sqlite", "tenants/a.sqlite.backups"] {
      let words = verb.split(separator: " ").map(String.init) + ["--each", pattern]
      let outcome = try Program.run(words, in: sandbox)
      #expect(outcome.code == 2 && outcome.output.isEmpty, "\(outcome)")
      #expect(outcome.errors.contains("'--each' passes over "), "\(outcome)")
      #expect(outcome.errors.contains("There is no database at '"), "\(outcome)")
    }
    let script = "printf '%s\\n' tenants/a.sqlite '\(backup)' | \"$0\" \"$@\""
    let words = verb.split(separator: " ").map(String.init) + ["--each", "-"]
    let outcome = try Program.run(
      ["-c", script, Child.migrate] + words, in: sandbox, program: "/bin/sh")
    #expect(outcome.errors.contains("'--each' passes over 1 backup.\n"), "\(outcome)")
    #expect(outcome.output.hasPrefix("1 database: 1 "), "\(outcome)")
    let json = try Program.run(
      ["-c", script, Child.migrate] + words + ["--json"], in: sandbox, program: "/bin/sh")
    #expect(json.output.contains(#""backupsPassedOver":1"#), "\(json)")
    #expect(try bytes(backup, in: sandbox) == before)
  }

  @Test(arguments: [
    "up", "plan", "down --to 0", "restore", "reseed elements", "baseline 1",
    "pin elements 1",
  ])
  func `a backup alone is refused by what writes`(_ verb: String) throws {
    let (sandbox, backup) = try released()
    let before = try bytes(backup, in: sandbox)
    let words = verb.split(separator: " ").map(String.init) + ["--database", backup]
    let outcome = try Program.run(words, in: sandbox)
    #expect(outcome.code == 64, "\(outcome)")
    #expect(outcome.errors.contains("is the backup of 'a.sqlite' at 1, so it is not"), "\(outcome)")
    #expect(try bytes(backup, in: sandbox) == before)
    // What looks may look.
    let status = try Program.run(["status", "--database", backup], in: sandbox)
    #expect(status.code == 0 && status.output.contains("is at 1 of 2"), "\(status)")
  }

  @Test func `a backup that was changed is not restored, and backups say so`() throws {
    let (sandbox, backup) = try released()
    try FileManager.default.copyItem(
      atPath: "\(sandbox.path)/\(backup)", toPath: "\(sandbox.path)/copy.sqlite")
    try sandbox.run(["up", "--no-backup", "--database", "copy.sqlite"])
    try FileManager.default.removeItem(atPath: "\(sandbox.path)/\(backup)")
    try FileManager.default.copyItem(
      atPath: "\(sandbox.path)/copy.sqlite", toPath: "\(sandbox.path)/\(backup)")
    let words = "is at 2, and its name says 1: it was changed after it was made."
    for line in [["restore"], ["restore", "--to", "1"], ["restore", backup]] {
      let outcome = try Program.run(line + ["--database", "tenants/a.sqlite"], in: sandbox)
      #expect(outcome.code == 6 && outcome.errors.contains(words), "\(outcome)")
    }
    let list = try Program.run(["backups", "--database", "tenants/a.sqlite"], in: sandbox)
    #expect(list.output.contains("(changed after it was made: it is at 2)"), "\(list)")
    let json = try Program.run(
      ["backups", "--json", "--database", "tenants/a.sqlite"], in: sandbox)
    #expect(json.output.contains(#""changedTo":2"#), "\(json)")
    let each = try Program.run(["backups", "--each", "tenants/"], in: sandbox)
    #expect(
      each.output.contains(
        "a.sqlite  1 backup, none to restore; 1 changed after it was made\n"), "\(each)")
    // A copy elsewhere is a database like any other.
    let copy = try Program.run(
      ["restore", "copy.sqlite", "--database", "tenants/a.sqlite"], in: sandbox)
    #expect(copy.code == 0 && copy.output.contains("Database is at 2"), "\(copy)")
  }

  @Test(arguments: ["up", "plan"])
  func `an empty file with backups is not filled like a new one`(_ verb: String) throws {
    let (sandbox, _) = try released()
    try sandbox.write(["tenants/a.sqlite": "", "tenants/new.sqlite": ""])
    let there = ["--database", "tenants/a.sqlite"]
    let outcome = try Program.run([verb] + there, in: sandbox)
    #expect(outcome.code == 2 && outcome.output.isEmpty, "\(outcome)")
    #expect(
      outcome.errors.contains(
        "'tenants/a.sqlite' is empty, and it has backups. Restore one: migrate restore --database "
          + "tenants/a.sqlite. To begin with a new database, remove the file."), "\(outcome)")
    let new = try Program.run([verb, "--database", "tenants/new.sqlite"], in: sandbox)
    #expect(new.code == 0, "\(new)")
    try sandbox.run(["restore"] + there)
    #expect(try Program.run([verb] + there, in: sandbox).code == 0)
  }

  @Test func `an empty file with backups is restored`() throws {
    let (sandbox, _) = try released()
    try sandbox.write(["tenants/a.sqlite": "", "tenants/new.sqlite": ""])
    let up = try Program.run(["up", "--each", "tenants/[an]*"], in: sandbox)
    #expect(
      up.errors.contains(
        "a.sqlite: This file is empty, and it has backups. Restore one: migrate restore "
          + "--database tenants/a.sqlite; or"), "\(up)")
    let restore = try Program.run(
      ["restore", "--to", "1", "--each", "tenants/", "--keep-going"], in: sandbox)
    #expect(restore.output.hasPrefix("4 databases: 3 restored, 1 failed\n"), "\(restore)")
    #expect(restore.errors.contains("new.sqlite: This file is empty, and '--each'"), "\(restore)")
    #expect(try sandbox.versions() == ["1", "1", "1"])
  }
}
