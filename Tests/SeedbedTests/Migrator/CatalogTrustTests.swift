import Foundation
import SeedbedAuthoring
import Testing

@testable import Seedbed

/// Catalogs that come over the air.
struct CatalogTrustTests {
  /// The app owns the table; the catalog brings rows only.
  static func device() throws -> Device {
    let device = try Device(
      ["0001_t/t.csv": "a,v\n1,x\n", "0002_t/t.csv": "a,v\n2,y\n"],
      app: "CREATE TABLE t (a INTEGER PRIMARY KEY, v TEXT)")
    try device.lock()
    return device
  }

  private func up(
    _ device: Device, allowsSQL: Bool = true, expecting chain: String? = nil
  ) throws -> Migrator.Report {
    let catalog = try Catalog(
      locked: device.catalog, allowsSQL: allowsSQL, expecting: chain)
    return try Migrator(catalog: catalog, at: device.database).up()
  }

  @Test func `rows alone are applied, with the chain that was announced`() throws {
    let device = try Self.device()
    let chain = try Catalog(locked: device.catalog).chain
    #expect(try up(device, allowsSQL: false, expecting: chain).to == 2)
    #expect(try device.rows("SELECT chain FROM seedbed_migrations WHERE version = 2") == [chain])
  }

  @Test(arguments: ["up", "after", "down", "after.down", "verify", "schema"])
  func `a catalog with SQL is refused before anything is touched:`(_ name: String) throws {
    let device = try Self.device()
    try device.write(["0002_t/\(name).sql": "SELECT 1;"])
    try device.lock()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: device.database))
    let sentence = """
      0002_t/\(name).sql: This catalog may only contain rows, but this is an SQL file. Ship it \
      with the app.
      """
    let late = #expect(throws: SeedbedError.self) { try up(device, allowsSQL: false) }
    #expect(late?.code == .catalog && late?.description == sentence)
    let early = #expect(throws: SeedbedError.self) {
      try Catalog(directory: device.catalog, allowsSQL: false)
    }
    #expect(early?.description == sentence)
    try device.remove("seedbed.lock")
    #expect(throws: SeedbedError.self) {
      try Catalog(directory: URL(fileURLWithPath: device.catalog), allowsSQL: false)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: device.database)) == bytes)
    try device.remove("0002_t/\(name).sql")
    try device.lock()
    #expect(try up(device, allowsSQL: false).to == 2)
  }

  @Test func `another release than the announced one is refused at once`() throws {
    let device = try Self.device()
    let url = URL(fileURLWithPath: device.catalog)
    let chain = try #require(try Catalog(locked: url).chain)
    let other = String(chain.dropLast()) + (chain.hasSuffix("0") ? "1" : "0")
    let error = #expect(throws: SeedbedError.self) { try Catalog(locked: url, expecting: other) }
    #expect(error?.code == .catalog)
    #expect(
      error?.description == """
        seedbed.lock:2: The catalog ends in the chain \(chain), expected \(other). It is not the \
        release that was announced: download it again.
        """)
    #expect(throws: SeedbedError.self) { try Catalog(directory: url, expecting: other) }
    #expect(throws: Never.self) { try Catalog(directory: url, expecting: chain) }
    try device.remove("seedbed.lock")
    let missing = #expect(throws: SeedbedError.self) {
      try Catalog(directory: url, expecting: chain)
    }
    #expect(missing?.message.contains("has no seedbed.lock") == true)
  }

  @Test func `a forged lock with the announced head is refused`() throws {
    let device = try Self.device()
    let chain = try #require(try Catalog(locked: device.catalog).chain)
    let before = try device.dump()
    // The digest of another file, under the old sums.
    let lock = URL(fileURLWithPath: device.catalog + "/seedbed.lock")
    let text = try String(contentsOf: lock, encoding: .utf8)
    try device.write(["0002_t/t.csv": "a,v\n2,z\n"])
    let forged = text.replacingOccurrences(
      of: Digest.of("a,v\n2,y\n"), with: Digest.of("a,v\n2,z\n"))
    let lines = forged.split(separator: "\n", omittingEmptySubsequences: false)
    let body = lines[3...].joined(separator: "\n")
    let head = "body \(lines.count - 4) crc32:\(Lock.check(of: body))"
    let whole = lines[..<2].joined(separator: "\n") + "\n\(head)\n\(body)"
    try Data(whole.utf8).write(to: lock)
    let error = #expect(throws: SeedbedError.self) { try up(device, expecting: chain) }
    #expect(error?.code == .catalog)
    #expect(error?.message.hasPrefix("The lock is not as it was written") == true)
    #expect(try device.dump() == before)
  }
}
