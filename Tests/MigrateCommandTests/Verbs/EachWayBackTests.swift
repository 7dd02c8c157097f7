import Foundation
import Testing

@testable import MigrateCommand

/// `down`, `restore` and `backups` over many databases, as a process.
struct EachWayBackTests {
  /// All three at 2, with a backup of 1; in `a` somebody made a row since.
  private func released() throws -> Sandbox {
    let sandbox = try Sandbox.tenants()
    try sandbox.write(["Migrations/0002_names/down.sql": "-- Nothing but rows."])
    try FileManager.default.removeItem(atPath: "\(sandbox.path)/tenants/c.sqlite")
    try FileManager.default.copyItem(
      atPath: "\(sandbox.path)/app.sqlite", toPath: "\(sandbox.path)/tenants/c.sqlite")
    let up = try Program.run(["up", "--each", "tenants/"], in: sandbox)
    try #require(up.code == 0, "\(up)")
    try sandbox.sql("INSERT INTO elements VALUES (99, 'mine')", database: "tenants/a.sqlite")
    return sandbox
  }

  @Test func `down takes a release back, and keeps what users made since`() throws {
    let sandbox = try released()
    let line = ["down", "--to", "1", "--each", "tenants/", "--canary", "2"]
    let down = try Program.run(line, in: sandbox)
    #expect(down.code == 0 && down.output.hasPrefix("3 databases: 3 taken back\n"), "\(down)")
    #expect(try sandbox.versions() == ["1", "1", "1"])
    let rows = "SELECT name FROM elements WHERE number IN (1, 99)"
    #expect(try sandbox.sql(rows, database: "tenants/a.sqlite") == ["Hydrogen", "mine"])
    #expect(try sandbox.sql(rows, database: "tenants/b.sqlite") == ["H"])
    let again = try Program.run(line + ["--json"], in: sandbox)
    #expect(again.code == 0 && again.output.contains(#""changed":0,"upToDate":3"#), "\(again)")
    #expect(again.output.contains(#""verb":"down""#))
  }

  @Test func `down stops at a canary that fails`() throws {
    let sandbox = try released()
    try sandbox.sql("DROP TABLE elements", database: "tenants/b.sqlite")
    let line = ["down", "--to", "1", "--each", "tenants/", "--canary", "3", "--jobs", "1"]
    let down = try Program.run(line, in: sandbox)
    #expect(down.code == 2 && down.output.contains("1 failed"), "\(down)")
    let rest = try Program.run(
      ["down", "--to", "1", "--each", "tenants/", "--keep-going"], in: sandbox)
    #expect(rest.code == 2 && rest.output.contains("1 failed"), "\(rest)")
    #expect(try sandbox.versions() == ["1", "2", "1"])
  }

  @Test func `each gets its newest backup of a version, also one that is damaged`() throws {
    let sandbox = try released()
    let listed = try Program.run(["backups", "--each", "tenants/"], in: sandbox)
    #expect(
      listed.output == """
        3 databases: 3 with backups
        tenants/a.sqlite  1 backup, of 1
        tenants/b.sqlite  1 backup, of 1
        tenants/c.sqlite  1 backup, of 1

        """)
    try Data("damaged".utf8).write(
      to: URL(fileURLWithPath: "\(sandbox.path)/tenants/c.sqlite"))
    let line = ["restore", "--to", "1", "--each", "tenants/"]
    let restored = try Program.run(line, in: sandbox)
    #expect(
      restored.code == 0 && restored.output.hasPrefix("3 databases: 3 restored\n"), "\(restored)")
    #expect(try sandbox.versions() == ["1", "1", "1"])
    let count = "SELECT count(*) FROM elements WHERE number = 99"
    #expect(try sandbox.sql(count, database: "tenants/a.sqlite") == ["0"])
    // What was there before is a backup, too.
    let before = try Program.run(
      ["backups", "--database", "tenants/a.sqlite", "--json"], in: sandbox)
    #expect(before.output.contains(#""version":2"#), "\(before)")
    let again = try Program.run(line, in: sandbox)
    #expect(again.output.hasPrefix("3 databases: 3 needed no restore\n"), "\(again)")
  }

  @Test(arguments: [
    (["restore", "--each", "tenants/"], "'restore' needs '--to N'."),
    (["restore", "x", "--to", "1"], "Name a backup, or a version with '--to', not both."),
    (
      ["restore", "--to", "7", "--database", "tenants/a.sqlite"], "There is no backup of version 7"
    ),
    (["down", "--each", "tenants/"], "'down' needs '--to N'."),
  ])
  func `a way back is named`(_ words: [String], _ reason: String) throws {
    let sandbox = try released()
    let refused = try Program.run(words, in: sandbox)
    #expect(refused.code != 0 && refused.errors.contains(reason), "\(refused)")
    #expect(try sandbox.versions() == ["2", "2", "2"])
  }
}

/// Many databases.
extension Sandbox {
  /// Databases at 1 in `tenants/`: in `b` the user edited a row, in `c` the table is gone.
  static func tenants() throws -> Sandbox {
    let sandbox = try Sandbox.atOne([
      "Migrations/0002_names/elements.update.csv":
        "number,was:name,name\n1,Hydrogen,Wasserstoff\n2,Helium,helium\n"
    ])
    let folder = "\(sandbox.path)/tenants"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in ["a", "b", "c"] {
      try FileManager.default.copyItem(
        atPath: "\(sandbox.path)/app.sqlite", toPath: "\(folder)/\(name).sqlite")
    }
    try sandbox.sql("UPDATE elements SET name = 'H' WHERE number = 1", database: "tenants/b.sqlite")
    try sandbox.sql("DROP TABLE elements", database: "tenants/c.sqlite")
    return sandbox
  }

  /// The version of each.
  func versions() throws -> [String] {
    try ["a", "b", "c"].map { name in
      try sql(
        "SELECT max(version) FROM seedbed_migrations", database: "tenants/\(name).sqlite")[0]
    }
  }
}
