import Foundation
import SeedbedChecks
import TestSupport
import Testing

@testable import Seedbed

struct DeviceChecksTests {
  private static let files = ["0001_a/up.sql": Array("CREATE TABLE a (b);".utf8)]

  private typealias Outcome = DeviceChecks.Line.Outcome

  private func lines(in folder: String, sourceID: String? = nil) throws -> [DeviceChecks.Line] {
    let catalog = try Catalog(locked: Checkout.root.appending(path: "Migrations").path)
    return DeviceChecks(catalog: catalog, in: folder, sourceID: sourceID).lines()
  }

  private func inFolder(_ body: (String) throws -> Void) throws {
    let place = try Place()
    try withExtendedLifetime(place) { try body(place.path) }
  }

  private func outcomes(_ lines: [DeviceChecks.Line]) -> [String: Outcome] {
    Dictionary(uniqueKeysWithValues: lines.map { ($0.name, $0.outcome) })
  }

  @Test(.disabled(if: hasDarwin)) func `all that this system has is right, and nothing is left`()
    throws
  {
    try inFolder { folder in
      let lines = try lines(in: folder)
      let absent: Set = [
        "write, kill, open again", "full flush", "protection classes",
        "kept out of device backups",
      ]
      for line in lines where line.name != "copies of files" {
        #expect(line.outcome == (absent.contains(line.name) ? .absent : .ok), "\(line)")
        #expect(line.description == "\(line.outcome.rawValue)  \(line.name): \(line.seen)")
      }
      #expect(lines.count == 12)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
      #expect(lines.last?.seen.hasPrefix("up to 4 in ") == true)
    }
  }

  @Test func `a run that was killed is found by the next start`() async throws {
    let place = try Place()
    let folder = place.path + "/killed"
    await #expect(processExitsWith: .exitCode(70)) { [folder = folder as String] in
      try DeviceChecks(catalog: Catalog(files: Self.files), in: folder).killMidway()
    }
    // Pages of the run are in the file, so there is something to take back.
    let path = folder + "/killed.sqlite"
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    #expect(try #require(size) > 1 << 20)
    let line = try #require(try lines(in: folder).first { $0.name == "write, kill, open again" })
    #expect(line.description == "ok  write, kill, open again: at 1 after the kill, at 2 after 'up'")
    // It is looked at once.
    #expect(try outcomes(lines(in: folder))["write, kill, open again"] == .absent)
  }

  @Test func `what a kill left half done is no`() throws {
    try inFolder { folder in
      let database = folder + "/killed.sqlite"
      try "".write(toFile: database, atomically: false, encoding: .utf8)
      #expect(try outcomes(lines(in: folder))["write, kill, open again"] == .no)
    }
  }

  @Test func `another copy of SQLite is no, and the same one is ok`() throws {
    try inFolder { folder in
      let own = try Connection(":memory:", .create, setup: nil)
        .value("SELECT sqlite_source_id()")?.text
      #expect(try outcomes(lines(in: folder, sourceID: own))["copies of SQLite"] == .ok)
      let other = try lines(in: folder, sourceID: "2020").first { $0.name == "copies of SQLite" }
      #expect(other?.description.hasPrefix("no  copies of SQLite: the app uses 2020. ") == true)
    }
  }

  @Test func `a release that fails, and a folder that is none, are no`() throws {
    try inFolder { folder in
      let catalog = try Catalog(files: ["0001_a/up.sql": Array("WRONG;".utf8)])
      let lines = DeviceChecks(catalog: catalog, in: folder).lines()
      #expect(
        outcomes(lines).filter { $0.value == .no }.keys.sorted() == ["first start of this app"])
      #expect(lines.last?.seen.contains("syntax error") == true)
      try "".write(toFile: folder + "/file", atomically: false, encoding: .utf8)
      let none = DeviceChecks(catalog: catalog, in: folder + "/file").lines()
      #expect(none.map(\.outcome) == [.no])
    }
  }

  @Test(.disabled(if: hasDarwin)) func `a system that locks no files says so`() throws {
    try inFolder { folder in
      let checks = DeviceChecks(catalog: try Catalog(files: Self.files), in: folder)
      #expect(checks.lockAndUnlock().description.hasPrefix("--  locked and unlocked: "))
    }
  }
}

private let hasDarwin: Bool = {
  #if canImport(Darwin)
    true
  #else
    false
  #endif
}()
