import Foundation
import TestSupport
import Testing

@testable import MigrateCommand

/// A database that this user, or nobody, can write to.
struct ReadOnlyTests {
  static let canMount: Bool = {
    guard geteuid() == 0, let sandbox = try? Sandbox() else { return false }
    let script = "mkdir disk && mount -t tmpfs none disk && umount disk"
    return (try? sandbox.shell(script))?.code == 0
  }()

  @Test(
    .enabled(if: canMount, "mounting a file system takes root, and the right to"),
    arguments: ["delete", "wal"])
  func `a read-only file system is named`(_ mode: String) throws {
    let sandbox = try Sandbox.atOne(Sandbox.more).write(["disk/README": "Empty."])
    try sandbox.sql("PRAGMA journal_mode = \(mode)")
    let mounted = try sandbox.shell(
      "mount -t tmpfs none disk && cp app.sqlite disk/ && mount -o remount,ro disk")
    try #require(mounted.code == 0, "\(mounted)")
    defer { _ = try? sandbox.shell("umount disk") }
    let database = "\(sandbox.path)/disk/app.sqlite"
    for line in [
      ["up"], ["up", "--no-backup"], ["plan"], ["reseed", "elements"], ["baseline", "2"],
      ["conflicts", "--prune"],
    ] {
      let outcome = try Program.run(line + ["--database", "disk/app.sqlite"], in: sandbox)
      let message =
        "'\(database)' is on a read-only file system. Make that writable, or move the database to "
        + "another one.\n"
      #expect(outcome == Outcome(errors: message, code: 2), "\(line)")
    }
    for verb in ["status", "verify", "conflicts", "backups"] {
      let outcome = try Program.run([verb, "--database", "disk/app.sqlite"], in: sandbox)
      #expect(outcome.code == 0 && outcome.errors == "", "\(verb) \(outcome)")
    }
    let new = try Program.run(["up", "--database", "disk/new.sqlite"], in: sandbox)
    #expect(
      new.errors == "'\(sandbox.path)/disk' is on a read-only file system. Make that writable, or "
        + "move the database to another one.\n")
  }

  /// SQLite says "disk I/O error" where the index of its log has no room.
  @Test(.enabled(if: canMount), arguments: ["wal", "delete"])
  func `a full disk is named`(_ mode: String) throws {
    let sandbox = try Sandbox.atOne([
      "Migrations/0002_more/elements.csv": "number,name\n3,Lithium\n"
    ])
    try sandbox.sql("PRAGMA journal_mode = \(mode)")
    let mounted = try sandbox.shell(
      "mkdir full && mount -t tmpfs -o size=256k none full && cp app.sqlite full/ && "
        + "dd if=/dev/zero of=full/fill bs=4k 2>/dev/null; true")
    try #require(mounted.code == 0, "\(mounted)")
    defer { _ = try? sandbox.shell("umount full") }
    for line in [
      ["up", "--no-backup"], ["reseed", "elements", "--no-backup"], ["baseline", "2"],
    ] {
      let outcome = try Program.run(line + ["--database", "full/app.sqlite"], in: sandbox)
      let message = outcome.errors
      #expect(outcome.code == 6, "\(line): \(outcome)")
      #expect(message.contains("isk is full") || message.contains(" are free"), "\(outcome)")
    }
    _ = try sandbox.shell("rm full/fill")
    let after = try Program.run(["up", "--database", "full/app.sqlite"], in: sandbox)
    #expect(after.code == 0, "\(after)")
  }

  /// Who runs the program: root may write everywhere.
  private static let person =
    geteuid() == 0
    ? ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", Child.migrate]
    : [Child.migrate]

  static let canBePerson = (try? Child.run(person + ["--version"]))?.code == 0

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    /// What is done to the modes of `app.sqlite` and of its folder.
    var modes: String
    var lines = [["up"], ["reseed", "elements"]]
    /// After the path of the folder.
    var message: @Sendable (String) -> String
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "a file that one may only read", modes: "chmod 444 data/app.sqlite; chmod 777 data")
    {
      "This user may not write to '\($0)/app.sqlite'. Give the user that permission.\n"
    },
    Case(
      name: "a file that one may not even read", modes: "chmod 000 data/app.sqlite; chmod 777 data",
      lines: [["up"], ["status"], ["verify"]]
    ) { "This user may not read '\($0)/app.sqlite'. Give the user that permission.\n" },
    Case(
      name: "a folder that one may only read", modes: "chmod 666 data/app.sqlite; chmod 555 data"
    ) {
      "This user may not write to the folder '\($0)', and SQLite puts a journal beside each "
        + "database that it changes. Give the user that permission.\n"
    },
    Case(
      name: "a new database in such a folder", modes: "rm data/app.sqlite; chmod 555 data",
      lines: [["up"]]
    ) {
      "This user may not write to the folder '\($0)', and SQLite puts a journal beside each "
        + "database that it changes. Give the user that permission.\n"
    },
  ]

  @Test(.enabled(if: canBePerson, "root needs setpriv to be somebody else"), arguments: cases)
  func `the missing permission is named`(_ c: Case) throws {
    let sandbox = try Sandbox.atOne(Sandbox.more).write(["data/README": ""])
    let moved = try sandbox.shell("chmod 755 .; mv app.sqlite data/; \(c.modes)")
    try #require(moved.code == 0, "\(moved)")
    defer { _ = try? sandbox.shell("chmod 777 data") }
    for line in c.lines {
      let words = Self.person + line + ["--database", "data/app.sqlite"]
      let outcome = try Child.run(words, in: sandbox.path)
      #expect(outcome.output == c.message("\(sandbox.path)/data"), "\(line)")
      #expect(outcome.code == 2, "\(line)")
    }
  }
}
