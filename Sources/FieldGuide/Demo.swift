import Foundation
import Seedbed

/// The demonstration's own release, which takes long enough to be watched and killed.
enum Demo {
  /// The bundled catalog with `rows` spectral lines in one more table of its third release.
  ///
  /// For Seedbed this is a different release 3, so such a database has a file of its own.
  static func catalog(_ folder: URL, rows: Int) throws -> Catalog {
    var files = ["catalog.json": try bytes(folder.appending(path: "catalog.json"))]
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    for name in names where name.hasPrefix("0") {
      let migration = folder.appending(path: name)
      for file in try FileManager.default.contentsOfDirectory(atPath: migration.path) {
        files["\(name)/\(file)"] = try bytes(migration.appending(path: file))
      }
    }
    let third = names.first { $0.hasPrefix("0003") } ?? ""
    files["\(third)/up.sql"] = Array(
      "CREATE TABLE lines (id INTEGER PRIMARY KEY, element INTEGER, wavelength REAL);\n".utf8)
    files["\(third)/lines.csv"] = lines(rows)
    return try Catalog(files: files)
  }

  private static func bytes(_ file: URL) throws -> [UInt8] { Array(try Data(contentsOf: file)) }

  private static func lines(_ count: Int) -> [UInt8] {
    var text = Array("id,element,wavelength\n".utf8)
    text.reserveCapacity(count * 20)
    for id in 1...count {
      text += "\(id),\(id % 118 + 1),\(380 + id % 370).\(id % 9 + 1)\n".utf8
    }
    return text
  }
}
