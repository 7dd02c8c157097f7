import Foundation
import TestSupport
import Testing

@testable import MigrateCommand

/// What is called like a database and is no file: nobody waits for it.
struct NoFileTests {
  /// A line of each verb that looks at a database, without its `--database`.
  static let lines = [
    ["status"], ["verify"], ["conflicts"], ["conflicts", "--prune"], ["up"], ["plan"],
    ["rehearse"], ["backups"], ["restore"], ["down", "--to", "0"], ["reseed", "elements"],
    ["baseline", "1"], ["resolve", "1", "--mine"], ["pin"], ["pin", "elements", "1"],
    ["unpin", "elements", "1"], ["origin", "elements", "1"], ["report", "out.html"],
    ["export", "elements", "--mine"], ["export", "--suggestions"], ["fill", "1"], ["absent"],
  ]

  static let places = [
    ("pipe", "a named pipe"), ("socket", "a socket"), ("device", "a device"),
    ("folder", "a folder"),
  ]

  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox.withElements(["folder/a.txt": ""])
    _ = try Oddities(in: sandbox.path)
    return sandbox
  }

  @Test(arguments: lines) func `every verb refuses it at once`(_ line: [String]) throws {
    let sandbox = try sandbox()
    for (place, what) in Self.places {
      let running = try Program.start(line + ["--database", place], in: sandbox)
      let message =
        "'\(place)' is \(what), not a file. Name the database's file with --database PATH.\n"
      #expect(running.waitBriefly() == Outcome(errors: message, code: 2), "\(place)")
    }
  }

  @Test func `the table has every verb that looks at a database`() {
    let none = [
      "make", "new", "show", "lint", "lock", "revert", "snapshot", "build", "bundle", "help",
      "sign", "suggestions",
    ]
    #expect(Set(Self.lines.map { $0[0] }).union(none) == Set(Verb.all.map(\.name)))
  }

  static let fleets = [
    ["status"], ["verify"], ["conflicts"], ["conflicts", "--prune"], ["plan"],
    ["up", "--keep-going"], ["up", "--canary", "1"], ["rehearse", "--points", "3"],
  ]

  @Test(arguments: fleets)
  func `among many it is passed over, or a failure if it is named`(_ line: [String]) throws {
    let sandbox = try Sandbox.atOne(["list": "app.sqlite\ntenants/pipe.db\n", "tenants/x.txt": ""])
    let folder = "\(sandbox.path)/tenants"
    _ = try Oddities(in: folder)
    for (name, _) in Self.places.dropLast() {
      try FileManager.default.moveItem(
        atPath: "\(folder)/\(name)", toPath: "\(folder)/\(name).db")
    }
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/a.db", withDestinationPath: "../app.sqlite")
    for place in ["tenants/", "tenants/*.db"] {
      let many = try Program.start(line + ["--each", place], in: sandbox).waitBriefly()
      #expect(
        many?.output.hasPrefix("1 database: 1 ") == true, "\(place) \(many?.description ?? "")")
      #expect(many?.code == 0 && many?.errors == "", "\(place)")
    }
    let named = "exec \"$0\" \(line.joined(separator: " ")) --each - < list"
    let listed = try Program.start(
      ["-c", named, Child.migrate], in: sandbox, program: "/bin/sh"
    ).waitBriefly()
    #expect(listed?.code == 2)
    #expect(
      listed?.errors.contains(
        "tenants/pipe.db: This is a named pipe, not a file. Leave it out with --except pipe.db.\n")
        == true, "\(listed?.description ?? "")")
  }
}
