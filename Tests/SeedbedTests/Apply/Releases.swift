import Foundation

@testable import Seedbed

/// Two releases of a small catalog: the second changes, retires, repoints and adds rows.
enum Releases {
  static let first = [
    "0001_base/up.sql": """
    CREATE TABLE elements (
      number INTEGER PRIMARY KEY, symbol TEXT UNIQUE, name TEXT COLLATE NOCASE, low REAL, high REAL,
      favourite INTEGER DEFAULT 0, CHECK (low < high));
    CREATE TABLE isotopes (
      id INTEGER PRIMARY KEY, element INTEGER REFERENCES elements (number), name TEXT);
    CREATE TABLE notes (id INTEGER PRIMARY KEY, element INTEGER REFERENCES elements (number));

    """,
    "0001_base/down.sql": "DROP TABLE notes; DROP TABLE isotopes; DROP TABLE elements;\n",
    "0001_base/elements.csv": """
    number,symbol,name,low,high
    1,H,Hydrogen,1,2
    2,He,Helium,4,5
    3,Li,Lithium,6,7
    4,Be,Beryllium,9,10

    """,
    "0001_base/isotopes.csv": "id,element,name\n10,1,Protium\n11,3,Lithium-6\n",
  ]

  static let second = [
    "0002_next/elements.update.csv": """
    number,symbol,was:symbol,name,was:name,low,was:low,high,was:high
    1,D,H,Deuterium,Hydrogen,3,1,4,2
    2,He,He,Helion,Helium,4,4,5,5

    """,
    "0002_next/elements.delete.csv": """
    number,symbol,name,low,high
    3,Li,Lithium,6,7
    4,Be,Beryllium,9,10

    """,
    "0002_next/elements.csv": "number,symbol,name\n20,Ca,Calcium\n21,Sc,Scandium\n",
    "0002_next/isotopes.update.csv": "id,element,was:element\n11,20,3\n",
    "0002_next/isotopes.csv": "id,element,name\n12,20,Calcium-40\n",
  ]

  static let both = first.merging(second) { $1 }

  /// With both releases in the catalog, the database at the first.
  static func atFirst(
    _ more: [String: String] = [:], user: String = ""
  ) throws -> Device {
    let device = try Device(both.merging(more) { $1 })
    try device.up(to: 1)
    if !user.isEmpty { try device.run(user) }
    return device
  }
}

extension Device {
  @discardableResult
  func down(to version: Version) throws -> Migrator.Report { try migrator().down(to: version) }

  /// All bytes of the database's file.
  func bytes() throws -> [UInt8] {
    guard let file = fopen(database, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return bytes
  }
}
