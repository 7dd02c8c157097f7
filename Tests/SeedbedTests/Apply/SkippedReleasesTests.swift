import Testing

@testable import Seedbed

/// A device that was away for sixty releases ends like one that took each of them.
struct SkippedReleasesTests {
  private static let rows = 40
  private static let count = 60

  /// Release 1 has the rows. Each later one changes some, and some retire a row or bring one again.
  private static var files: [String: String] {
    var files = [
      "0001_t/up.sql": """
      CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, code TEXT UNIQUE);
      CREATE TABLE c (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t (id));
      """,
      "0001_t/t.csv": "id,name,code\n" + (1...rows).map { "\($0),n1,c\($0)\n" }.joined(),
    ]
    var (names, gone) = ([String](repeating: "n1", count: rows + 1), Set<Int>())
    for release in 2...count {
      let folder = String(repeating: "0", count: release < 10 ? 3 : 2) + "\(release)_t"
      let row = release * 7 % rows + 1
      var changes = "id,name,was:name\n"
      for id in [release % rows + 1, release * 3 % rows + 1] where !gone.contains(id) && id != row {
        if names[id] == "n\(release)" { continue }
        changes += "\(id),n\(release),\(names[id])\n"
        names[id] = "n\(release)"
      }
      files["\(folder)/t.update.csv"] = changes
      if gone.contains(row) {
        files["\(folder)/t.csv"] = "id,name,code\n\(row),n\(release),c\(row)\n"
        gone.remove(row)
      } else if release.isMultiple(of: 3) {
        files["\(folder)/t.delete.csv"] = "id,name,code\n\(row),\(names[row]),c\(row)\n"
        gone.insert(row)
      }
      names[row] =
        gone.contains(row) || files["\(folder)/t.csv"] == nil ? names[row] : "n\(release)"
    }
    return files
  }

  private static func device() throws -> Device {
    let device = try Device(files)
    try device.up(to: 1)
    try device.run(
      """
      UPDATE t SET name = 'mine' WHERE id % 4 = 0;
      DELETE FROM t WHERE id % 9 = 0;
      INSERT INTO t VALUES (900, 'own', 'own');
      INSERT INTO c VALUES (1, 2), (2, 5), (3, 11);
      """)
    return device
  }

  private static func state(_ device: Device) throws -> [[String]] {
    try [
      "SELECT * FROM t ORDER BY id", "SELECT * FROM c ORDER BY id",
      """
      SELECT version, table_name, key, kind, resolution, base, mine, seed FROM seedbed_conflicts
      ORDER BY version, table_name, key, kind
      """, "SELECT * FROM seedbed_left_to_user ORDER BY table_name, key",
      "SELECT version, checksum, chain FROM seedbed_migrations ORDER BY version",
    ].map(device.rows)
  }

  @Test func `all at once, and one by one`() throws {
    let (away, here) = (try Self.device(), try Self.device())
    try away.up()
    for version in 2...Int64(Self.count) { try here.up(to: version) }
    let (found, expected) = (try Self.state(away), try Self.state(here))
    #expect(found == expected)
    // Nothing of it is empty.
    #expect(found.allSatisfy { $0.count > 2 } && found[2].count > 10, "\(found.map(\.count))")
  }
}
