import Foundation
import TestSupport
import Testing

@testable import MigrateCommand
@testable import Seedbed

/// `--each` as a process: a verb over many databases.
struct EachTests {
  private func masked(_ text: String) -> String {
    text.replacingOccurrences(
      of: #"[0-9.]+ m?s(, [0-9,]+ databases a second)?\n"#, with: "N ms\n",
      options: .regularExpression
    ).replacingOccurrences(
      of: "Slowest    tenants/[abc]", with: "Slowest    tenants/X", options: .regularExpression)
  }

  private static let gone =
    "0002_names/elements.update.csv: The table 'elements' no longer exists in this database: "
    + "0001_elements filled it. If a migration renamed the table, name the file after it. "
    + "Otherwise restore a backup that has it, or create it again as the migrations do and put "
    + "its rows back"

  @Test func `a plan says how the release will go`() throws {
    let sandbox = try Sandbox.tenants()
    let plan = try Program.run(["plan", "--each", "tenants/"], in: sandbox)
    #expect(
      masked(plan.output) == """
        3 databases: 2 would change, 1 cannot be updated
        Conflicts  1 database (33.3 %)
                   elements.name: 1 edited (keepEdits)
        Slowest    tenants/X.sqlite  N ms
        Cannot     1: \(Self.gone).
                     tenants/c.sqlite
        Time       N ms

        """)
    #expect(
      plan.errors == "tenants/c.sqlite: \(Self.gone): migrate restore FILE --database "
        + "tenants/c.sqlite or migrate reseed elements --database tenants/c.sqlite.\n")
    #expect(plan.code == 2)
    #expect(try sandbox.versions() == ["1", "1", "1"])
  }

  @Test func `up goes on, stops, and goes on again`() throws {
    let sandbox = try Sandbox.tenants()
    try FileManager.default.moveItem(
      atPath: "\(sandbox.path)/tenants/c.sqlite", toPath: "\(sandbox.path)/tenants/0.sqlite")
    let stopped = try Program.run(["up", "--each", "tenants/*.sqlite", "--jobs", "1"], in: sandbox)
    #expect(stopped.output.hasPrefix("3 databases: 1 failed, 2 left as they were\n"))
    #expect(
      stopped.output.hasSuffix(
        "After a failure no other was begun. Repair it, or go on with --keep-going.\n"))
    let line = ["up", "--each", "tenants/*.sqlite", "--keep-going", "--canary", "1"]
    for _ in 1...2 {
      // The one that failed comes first again, however often it is tried.
      let canary = try Program.run(line, in: sandbox)
      #expect(canary.output.hasPrefix("3 databases: 1 failed, 2 left as they were\n"))
      #expect(
        canary.output.hasSuffix(
          "A canary failed, so no other was begun. Repair it or the release, then run it again.\n"))
    }
    #expect(stopped.code == 2)
    let all = try Program.run(["up", "--each", "tenants/*.sqlite", "--keep-going"], in: sandbox)
    #expect(all.output.hasPrefix("3 databases: 2 brought up to date, 1 failed\n"))
    let again = try Program.run(
      ["up", "--each", "tenants/*.sqlite", "--keep-going", "--json"], in: sandbox)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(again.output.utf8)) as? [String: Any])
    #expect(document["upToDate"] as? Int == 2 && document["failed"] as? Int == 1)
    #expect(document["left"] as? Int == 0 && document["changed"] as? Int == 0)
    let failures = try #require(document["failures"] as? [[String: Any]])
    #expect(failures[0]["database"] as? String == "\(sandbox.path)/tenants/0.sqlite")
    let error = try #require(failures[0]["error"] as? [String: Any])
    #expect((error["message"] as? String)?.hasSuffix("--database tenants/0.sqlite.") == true)
    #expect(again.code == 2)
    // Each has its backup next to it.
    #expect(FileManager.default.fileExists(atPath: "\(sandbox.path)/tenants/a.sqlite.backups"))
  }

  @Test func `paths on stdin`() throws {
    let sandbox = try Sandbox.tenants()
    try sandbox.write(["list": "tenants/a.sqlite\r\n\ntenants/b.sqlite\n"])
    let shell = "exec \(Child.migrate) up --each - < list"
    let found = try Child.run(["/bin/sh", "-c", shell], in: sandbox.path)
    #expect(found.output.hasPrefix("2 databases: 2 brought up to date\n") && found.code == 0)
    #expect(try sandbox.versions() == ["2", "2", "1"])
    try sandbox.write(["list": "tenants/z.sqlite"])
    let missing = try Child.run(["/bin/sh", "-c", shell], in: sandbox.path)
    #expect(
      missing.output.contains(
        "tenants/z.sqlite: There is no database here, and '--each' creates none. Create it first: "
          + "migrate up --database tenants/z.sqlite.\n"))
    let look = "exec \(Child.migrate) status --each - < list"
    let looked = try Child.run(["/bin/sh", "-c", look], in: sandbox.path)
    #expect(looked.output.contains("1 database: 1 failed\n") && looked.code == 2, "\(looked)")
    let none = try Program.run(["up", "--each", "-"], in: sandbox)
    #expect(none.output.hasPrefix("0 databases\n") && none.code == 0)
  }

  @Test func `a folder's other files are passed over, and a pattern's are not`() throws {
    let sandbox = try Sandbox.tenants().write([
      "tenants/notes.txt": "no database", "tenants/a.sqlite-wal.bak": "x",
      "tenants/d.sqlite": String(repeating: "x", count: 600),
    ])
    let folder = try Program.run(["status", "--each", "tenants"], in: sandbox)
    #expect(folder.output.hasPrefix("4 databases: 3 pending, 1 failed\ntenants/a.sqlite  is at 1 "))
    #expect(folder.code == 2, "a database that is none any more must be seen")
    let pattern = try Program.run(["status", "--each", "tenants/?.sqlite"], in: sandbox)
    #expect(pattern.output.hasPrefix("4 databases: 3 pending, 1 failed\n"))
    #expect(
      pattern.errors == "tenants/d.sqlite: This file is encrypted, or not a SQLite database. Leave "
        + "it out with --except d.sqlite, or, if it was one, restore a backup: migrate restore "
        + "--database tenants/d.sqlite.\n")
    #expect(pattern.code == 2)
  }

  @Test func `verbs that look say which databases need a hand`() throws {
    let sandbox = try Sandbox.tenants()
    _ = try Program.run(["up", "--each", "tenants/[ab].sqlite"], in: sandbox)
    let status = try Program.run(["status", "--each", "tenants", "--exit-code"], in: sandbox)
    #expect(
      status.output == """
        3 databases: 2 up to date, 1 pending
        tenants/c.sqlite  is at 1 of 2, pending

        """)
    #expect(status.code == 1)
    let conflicts = try Program.run(["conflicts", "--each", "tenants"], in: sandbox)
    #expect(
      conflicts.output == """
        3 databases: 2 without conflicts, 1 with conflicts
        tenants/b.sqlite  1 conflict
        elements.name: 1 edited (keepEdits)

        """)
    let forgotten = try Program.run(["conflicts", "--prune", "--each", "tenants"], in: sandbox)
    #expect(
      forgotten.output
        == "3 databases: 2 without conflicts, 1 whose conflicts were forgotten\n")
    try sandbox.sql("UPDATE seedbed_migrations SET checksum = 'sha256:0'", database: "app.sqlite")
    try FileManager.default.copyItem(
      atPath: "\(sandbox.path)/app.sqlite", toPath: "\(sandbox.path)/tenants/e.sqlite")
    let verify = try Program.run(["verify", "--each", "tenants"], in: sandbox)
    #expect(verify.output.hasPrefix("4 databases: 3 without findings, 1 with findings\n"))
    #expect(
      verify.output.contains(
        "tenants/e.sqlite  Migrations/0001_elements: Migration 1 'elements' changed"))
    #expect(verify.code == 3)
    let rehearse = try Program.run(
      ["rehearse", "--each", "tenants/[ac].sqlite", "--points", "3"], in: sandbox)
    #expect(rehearse.output == "2 databases: 1 failed, 1 with nothing pending\n")
  }

  @Test(arguments: [
    (["up", "--each", "none/"], 2, "There is no database at 'none/'. Name them by a pattern in "),
    (
      ["up", "--each", "*.none"], 2, "There is no database at '*.none'. Name them by a pattern in "
    ),
    (["up", "--jobs", "2"], 64, "Option '--jobs' is only for '--each PATTERN'."),
    (["up", "--canary", "2"], 64, "Option '--canary' is only for '--each PATTERN'."),
    (["up", "--schemas", "x"], 64, "Option '--schemas' is only for '--each PATTERN'."),
    (
      ["up", "--each", "*.sqlite", "--schemas", "x"], 64,
      "'--schemas' is for a server: '--each postgresql://… --schemas PATTERN'."
    ),
    (["up", "--except", "x"], 64, "Option '--except' is only for '--each PATTERN'."),
    (["up", "--keep-going"], 64, "Option '--keep-going' is only for '--each PATTERN'."),
    (
      ["up", "--each", "x", "--jobs", "0"], 64, "Option '--jobs' takes a whole number from 1, not "
    ),
    (
      ["up", "--each", "a", "b"], 64, "'--each', '--schemas' and '--except' take one pattern each."
    ),
    (["up", "--each", "a", "--database", "b"], 64, "Name all databases with '--each', or one "),
    (["up", "--each", "a", "--backups", "b"], 64, "With '--each' the backups of each database "),
    (["verify", "--each", "a", "--snapshots"], 64, "'--snapshots' needs no database. Leave out "),
  ])
  func `a wrong line`(_ line: [String], _ code: Int32, _ words: String) throws {
    let sandbox = try Sandbox.withElements()
    let found = try Program.run(line, in: sandbox)
    #expect(found.code == code && found.errors.hasPrefix(words), "\(found)")
  }

  @Test func `no more files are opened than the process may open`() throws {
    let sandbox = try Sandbox.tenants()
    let names = (0..<40).map { "many/\($0).sqlite" }
    try FileManager.default.createDirectory(
      atPath: "\(sandbox.path)/many", withIntermediateDirectories: true)
    for name in names {
      try FileManager.default.copyItem(
        atPath: "\(sandbox.path)/tenants/a.sqlite", toPath: "\(sandbox.path)/\(name)")
    }
    let shell = "ulimit -n 64; exec \(Child.migrate) up --each 'many/*' --jobs 40"
    let found = try Child.run(["/bin/sh", "-c", shell], in: sandbox.path)
    #expect(found.code == 0, "\(found.output)")
    #expect(found.output.hasPrefix("40 databases: 40 brought up to date\n"))
  }

  @Test func `a remedy names no option that is refused`() {
    #expect(Remedy.moveBackups.typed("migrate", for: nil, nil) == "--backups DIR")
    #expect(Remedy.moveBackups.typed("migrate", for: nil, "a.sqlite") == nil)
    #expect(Remedy.leaveBackupOut.typed("migrate", for: .up, nil) == "--no-backup")
    #expect(Remedy.leaveBackupOut.typed("migrate", for: .reseed, nil) == "--no-backup")
    #expect(Remedy.leaveBackupOut.typed("migrate", for: .restore, nil) == nil)
    #expect(Remedy.allowOutOfOrder.typed("migrate", for: .plan, nil) == "--allow-out-of-order")
    #expect(
      Remedy.allowOutOfOrder.typed("migrate", for: .verify, nil)
        == "migrate up --allow-out-of-order")
  }

  private typealias Remedy = SeedbedError.Remedy

  @Test func `the first of the exit codes that is present`() throws {
    let sandbox = try Sandbox.tenants()
    try FileManager.default.copyItem(
      atPath: "\(sandbox.path)/app.sqlite", toPath: "\(sandbox.path)/tenants/f.sqlite")
    try sandbox.sql(
      "INSERT INTO seedbed_migrations SELECT 9, name, state, checksum, chain, applied_at, "
        + "duration_ms, inserted, updated, deleted, unchanged, kept, run, tool "
        + "FROM seedbed_migrations", database: "tenants/f.sqlite")
    let found = try Program.run(["up", "--each", "tenants", "--keep-going"], in: sandbox)
    #expect(found.output.contains("2 failed") && found.code == 5, "newer comes before failed")
  }

  /// Killed again and again, each database is at its old state or at the new one, and in the end
  /// all are at the new one.
  @Test func `killed twenty times in the middle`() throws {
    let sandbox = try Sandbox.tenants()
    let count = 120
    let names = (0..<count).map { "many/\($0).sqlite" }
    try FileManager.default.createDirectory(
      atPath: "\(sandbox.path)/many", withIntermediateDirectories: true)
    for name in names {
      try FileManager.default.copyItem(
        atPath: "\(sandbox.path)/tenants/a.sqlite", toPath: "\(sandbox.path)/\(name)")
    }
    let states = [["1", "Hydrogen Helium Lithium"], ["2", "Wasserstoff helium Lithium"]]
    func state(_ name: String) throws -> [String] {
      try sandbox.sql("SELECT max(version) FROM seedbed_migrations", database: name)
        + sandbox.sql(
          "SELECT group_concat(name, ' ') FROM (SELECT name FROM elements ORDER BY number)",
          database: name)
    }
    func done() throws -> Int { try names.count { try state($0) == states[1] } }
    var dice = Dice(seed: 17)
    for round in 1...20 {
      let before = try done()
      let run = try Program.start(
        ["up", "--each", "many/*.sqlite", "--no-backup", "--jobs", "2"], in: sandbox)
      // Not before it has begun, and then at any instant.
      _ = run.waits { run.child.code != nil || ((try? done()) ?? 0) > before }
      usleep(UInt32(dice.below(3000)))
      run.send(SIGKILL)
      _ = run.wait()
      for name in names { #expect(try states.contains(state(name)), "\(name) in round \(round)") }
    }
    let last = try Program.run(["up", "--each", "many/*.sqlite", "--no-backup"], in: sandbox)
    #expect(last.code == 0)
    #expect(try done() == count)
  }
}
