import SeedbedAuthoring
import TestSupport

@testable import Seedbed

/// A catalog of two migrations and the lock that belongs to it, written out line by line.
struct LockFixture {
  static let files = [
    "catalog.json": "{}\n",
    "0001_a/t.csv": "a\n1\n2\n",
    "0001_a/up.sql": "CREATE TABLE t (a INTEGER PRIMARY KEY);\n",
    "0002_b/after.sql": "SELECT 1;\n",
    "0002_b/migration.json": "{\"withdrawn\": true}\n",
  ]

  static let title =
    "seedbed.lock 1: written by 'migrate lock'; never edit it, and run that again after a merge"

  /// The lines below the head.
  static var body: [String] {
    [
      file("catalog.json"),
      "0001_a/ \(checksums[0]) \(chains[0])",
      file("0001_a/t.csv", rows: "2"),
      file("0001_a/up.sql"),
      "0002_b/ \(checksums[1]) \(chains[1]) withdrawn",
      file("0002_b/after.sql"),
      file("0002_b/migration.json"),
    ]
  }

  static let checksums = [
    Checksum.of(["t.csv", "up.sql"].map { ($0, Digest.of(files["0001_a/" + $0] ?? "")) }),
    Checksum.of([("after.sql", Digest.of(files["0002_b/after.sql"] ?? ""))]),
  ]

  static var chains: [String] {
    let first = Checksum.chain(after: nil, version: 1, checksum: checksums[0])
    return [first, Checksum.chain(after: first, version: 2, checksum: checksums[1])]
  }

  private static func file(_ path: String, rows: String = "-") -> String {
    let text = files[path] ?? ""
    return "\(path) \(text.utf8.count) \(text.utf8.count) \(rows) \(Digest.of(text))"
  }

  /// A lock with these lines, and a head that is right for them.
  static func lock(_ body: [String] = body) -> String {
    let text = body.map { $0 + "\n" }.joined()
    return
      "\(title)\nhead 2 \(chains[1])\nbody \(body.count) crc32:\(Lock.check(of: text))\n\(text)"
  }

  /// The catalog with a lock.
  static func catalog(_ lock: String = lock()) throws -> Place {
    let fixture = try Place(files)
    try fixture.write("seedbed.lock", lock)
    return fixture
  }
}
