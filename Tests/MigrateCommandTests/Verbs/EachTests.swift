import Foundation
import TestSupport
import Testing

@testable import MigrateCommand
@testable import Seedbed

/// `--each` as a process: a verb over many databases.
struct EachTests {
  /// Databases at 1 of 2 in a folder.
  private func many(_ count: Int) throws -> (Sandbox, names: [String]) {
    let sandbox = try Sandbox.atOne([
      "Migrations/0002_names/elements.update.csv":
        "number,was:name,name\n1,Hydrogen,Wasserstoff\n2,Helium,helium\n",
      "many/README": "",
    ])
    let names = (0..<count).map { "many/\($0).sqlite" }
    for name in names {
      try FileManager.default.copyItem(
        atPath: "\(sandbox.path)/app.sqlite", toPath: "\(sandbox.path)/\(name)")
    }
    return (sandbox, names)
  }

  @Test func `no more files are opened than the process may open`() throws {
    let (sandbox, _) = try many(40)
    let shell = "ulimit -n 64; exec \(Child.migrate) up --each 'many/*.sqlite' --jobs 40"
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

  /// Killed again and again, each database is at its old state or at the new one, and in the end
  /// all are at the new one.
  @Test func `killed twenty times in the middle`() throws {
    let count = 120
    let (sandbox, names) = try many(count)
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
