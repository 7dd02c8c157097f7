import Foundation
import SQLite3
import Seedbed
import SeedbedChecks
import Testing

@testable import FieldGuide

@MainActor
struct StartTests {
  @Test func bringsTheFirstRowsAndKeepsAnEdit() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let guide = try Guide(folder: folder)
    try guide.prepare()

    try await guide.migrator.up(to: 1)
    let first = try guide.elements()
    #expect(first.count == 118)
    let element = try #require(first.first { $0.symbol == "Uut" })
    try guide.rename(element, to: "Bobium")

    let start = StartUp()
    start.begin(guide.migrator)
    await start.run?.value
    guard case .ready = start.state else {
      Issue.record("\(start.state)")
      return
    }
    #expect(start.touchedTables == ["elements"])
    let elements = try guide.elements()
    #expect(elements[112].symbol == "Nh" && elements[112].name == "Bobium")
    #expect(elements[114].name == "Moscovium")
    #expect(try guide.migrator.outlook() == .upToDate)
  }

  @Test func saysWhyThereIsNoData() async throws {
    let start = StartUp()
    start.begin(try Guide(folder: URL(fileURLWithPath: "/no such folder")).migrator)
    await start.run?.value
    guard case .failed = start.state, !start.hasData else {
      Issue.record("\(start.state)")
      return
    }
  }

  /// The log says what the device does.
  @Test func findsWhatSeedbedReliesOn() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let catalog = try Catalog(locked: Guide(folder: folder).migrations)
    let sourceID = String(cString: sqlite3_sourceid())
    for line in DeviceChecks(catalog: catalog, in: folder.path, sourceID: sourceID).lines() {
      print(line)
      #expect(line.outcome != .no, "\(line)")
    }
  }
}
