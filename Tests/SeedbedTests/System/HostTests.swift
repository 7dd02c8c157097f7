import Foundation
import Testing

@testable import Seedbed

/// The one place through which system calls go.
struct HostTests {
  @Test func `a call that a signal interrupted is made again`() throws {
    var turns = 0
    let result = try Seedbed.Host.real.call(.read, "x") {
      turns += 1
      errno = EINTR
      return turns < 3 ? -1 : 7
    }
    #expect(result == 7)
    #expect(turns == 3)
  }

  @Test func `a call that a test fails is not made`() {
    var host = Seedbed.Host()
    host.failing = { call, path in call == .link && path == "a" ? EMLINK : 0 }
    var turns = 0
    #expect(throws: SeedbedError.self) {
      try host.call(.link, "a") {
        turns += 1
        return 0
      }
    }
    #expect(turns == 0)
    #expect(throws: Never.self) { try host.call(.link, "b") { 0 } }
  }

  static let splits: [(String, String, String)] = [
    ("a/b", "a", "b"), ("b", "", "b"), ("/b", "/", "b"), ("/a/b/", "/a", "b"), ("a//b", "a/", "b"),
    ("/", "/", ""), ("", "", ""), ("a/b.c/d.e", "a/b.c", "d.e"),
  ]

  @Test(arguments: splits)
  func `a path is split`(_ path: String, _ folder: String, _ name: String) {
    let found = Paths.split(path)
    #expect(found.folder == folder)
    #expect(found.name == name)
  }

  @Test func `a path is absolute as far as it exists, and links are followed`() throws {
    let device = try Device()
    let link = device.path + "/link"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: device.catalog)
    #expect(Paths.absolute(link + "/not/there.db") == device.catalog + "/not/there.db")
    #expect(Paths.absolute(device.path + "/./Migrations/../x") == device.path + "/x")
    #expect(Paths.absolute("file:x").hasPrefix("/"))
    #expect(Paths.absolute("/") == "/")
    #expect(Paths.absolute("/no-such-name") == "/no-such-name")
  }

  @Test func `a database may be named like a URI`() throws {
    let device = try Device(["0001_t/up.sql": "CREATE TABLE t (a);"])
    let path = device.path + "/file:app?mode=memory&x=%41#.sqlite"
    let migrator = Migrator(
      catalog: try Catalog(directory: device.catalog), at: path)
    #expect(try migrator.up().to == 1)
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(try migrator.status().current == 1)
    try Connection(path, .readWrite, setup: nil).executeAll("PRAGMA journal_mode = wal")
    #expect(try migrator.status().current == 1)
  }

  @Test func `the time is UTC to the millisecond, and its file form has no colons`() throws {
    let now = Clock.timestamp()
    #expect(now.contains(/^20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\d\.\d{3}Z$/))
    #expect(Clock.fileTimestamp().contains(/^20\d{6}T\d{6}\.\d{3}Z$/))
    let first = Clock.monotonic()
    Clock.sleep(milliseconds: 5)
    #expect(Clock.monotonic() - first >= 0.005)
  }

  @Test func `a cancellation interrupts while it may, and never after`() {
    let cancellation = Migrator.Cancellation()
    let count = Guarded(0)
    cancellation.interrupting(with: { count.withLock { $0 += 1 } }) { cancellation.cancel() }
    #expect(cancellation.isCancelled)
    cancellation.cancel()
    #expect(count.withLock { $0 } == 1)
    #expect(throws: SeedbedError.self) { try cancellation.check() }
  }

  @Test func `a request that came before the work interrupts nothing, and is seen`() {
    let cancellation = Migrator.Cancellation()
    cancellation.cancel()
    #expect(cancellation.isCancelled)
    let error = #expect(throws: SeedbedError.self) { try cancellation.check() }
    #expect(error?.code == .cancelled)
  }
}
