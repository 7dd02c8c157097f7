import Foundation
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// A catalog, and all that lint finds in it: `code file:line`, in its order.
struct LintCase: Sendable, CustomTestStringConvertible {
  var name: String
  var files: [String: String]
  var expected: [String]
  /// Changes behind the lock's back; nil takes a file away.
  var later: [String: String?] = [:]

  var testDescription: String { name }

  init(
    _ name: String, _ files: [String: String], later: [String: String?] = [:], _ expected: String...
  ) {
    self.name = name
    self.files = files
    self.later = later
    self.expected = expected
  }

  /// Two migrations over a sound one with a natural key; each may replace files of the first.
  static func words(
    _ name: String, _ files: [String: String], _ expected: String...
  ) -> LintCase {
    var all = [
      "0001_words/up.sql": "CREATE TABLE words (word TEXT PRIMARY KEY, rank INTEGER, note TEXT);\n",
      "0001_words/down.sql": "DROP TABLE words;\n",
      "0001_words/words.csv": "word,rank\none,1\ntwo,2\nthree,3\n",
    ]
    all.merge(files) { $1 }
    var made = LintCase(name, all)
    made.expected = expected
    return made
  }

  /// Its SQL as the second migration, with a twin.
  static func sql(_ name: String, _ sql: String, _ expected: String...) -> LintCase {
    var made = words(name, ["0002_next/up.sql": sql, "0002_next/down.sql": "SELECT 1;\n"])
    made.expected = expected.map { $0.replacingOccurrences(of: ":", with: " 0002_next/up.sql:") }
    return made
  }

  func findings() throws -> [LintFinding] {
    let bench = try Workbench(files)
    // What cannot be locked is found without a lock, too.
    let isLocked = (try? CatalogLock.write(directory: bench.catalog)) != nil
    for (file, text) in later {
      if let text { try bench.write([file: text]) } else { try bench.remove(file) }
    }
    let found = try Linter(directory: bench.catalog).findings()
    return isLocked ? found : found.filter { $0.code != .unlocked }
  }
}

extension LintFinding {
  var summary: String { "\(code.rawValue) \(place.file)\(place.line.map { ":\($0)" } ?? "")" }
}
