import Foundation
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// One process at a time writes in a catalog's folder.
struct CatalogTurnTests {
  private static func bench() throws -> Workbench {
    try Workbench([
      "catalog.json": #"{"tables": {"t": {"source": "data/t.csv"}}}"#,
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);",
      "0001_t/t.csv": "id,v\n1,x\n", "data/t.csv": "id,v\n1,x\n2,y\n",
    ])
  }

  @Test func `whoever writes there waits for no one, and leaves all as it is`() throws {
    let bench = try Self.bench()
    let turn = try CatalogTurn(bench.catalog)
    let names = try bench.names
    let busy =
      "Another command is writing in '\(bench.catalog)'. Nothing was changed: try again when it "
      + "has ended."
    let writers: [(String, () throws -> Void)] = [
      ("make", { _ = try bench.make() }), ("check", { _ = try bench.release().check() }),
      ("new", { _ = try NewMigration.create(directory: bench.catalog, name: "x") }),
      ("lock", { _ = try CatalogLock.write(directory: bench.catalog) }),
      ("revert", { _ = try Revert(directory: bench.catalog, migration: "1").make() }),
      ("snapshot", { _ = try Snapshot.write(directory: bench.catalog) }),
      ("drop", { _ = try Snapshot.drop(directory: bench.catalog, before: 1) }),
      ("build", { _ = try FirstDatabase.build(directory: bench.catalog) }),
    ]
    for (name, write) in writers {
      let error = #expect(throws: SeedbedError.self, "\(name)") { try write() }
      #expect(error?.code == .busy && error?.message == busy, "\(name)")
    }
    #expect(try bench.names == names)
    // Who only reads, or writes elsewhere, is not concerned.
    _ = try bench.exported("t")
    _ = try Linter(directory: bench.catalog).findings()
    _ = try FirstDatabase.build(directory: bench.catalog, to: bench.path + "-out.sqlite")
    try FileManager.default.removeItem(atPath: bench.path + "-out.sqlite")
    turn.end()
    #expect(try bench.make().folders == ["0002_next"])
  }

  @Test func `what a process left that was killed is cleared away, and nothing else`() throws {
    let bench = try Self.bench()
    try bench.write([
      ".seedbed.lock.123.partial": "x", ".catalog.json.9.partial": "x", ".mine.1.partial": "x",
      ".migrate.partial/0002_x/t.csv": "id\n", "data/.seedbed.lock.1.partial": "x",
    ])
    #expect(try bench.make().folders == ["0002_next"])
    #expect(
      try bench.names.filter { $0.contains(".partial") } == [
        ".mine.1.partial", "data/.seedbed.lock.1.partial",
      ])
  }

  @Test func `a folder that is not there is for others to report`() throws {
    try CatalogTurn("/nowhere/at/all").end()
  }

  // MARK: what the disk refuses

  @Test(arguments: [
    (POSIXError(.ENOSPC) as any Error, SeedbedError.Code.diskFull),
    (POSIXError(.EDQUOT), .diskFull), (POSIXError(.EACCES), .io),
    (SeedbedError(.csv, "It is a comma."), .csv),
  ])
  func `a disk that is full has a code of its own`(_ error: any Error, _ code: SeedbedError.Code) {
    let found = SeedbedError.file("make 'x'", error)
    #expect(found.code == code)
    if code == .diskFull {
      #expect(found.message.hasPrefix("Cannot make 'x': "))
      #expect(found.message.hasSuffix(". Free some space and try again."))
    }
  }

  @Test func `Foundation's own error is told by what the system said`() throws {
    #if os(Linux)
      let error = #expect(throws: (any Error).self) {
        try Data(repeating: 0, count: 1 << 16).write(to: URL(fileURLWithPath: "/dev/full"))
      }
      let found = SeedbedError.file("write '/dev/full'", try #require(error))
      #expect(found.code == .diskFull, "\(found)")
    #endif
  }
}
