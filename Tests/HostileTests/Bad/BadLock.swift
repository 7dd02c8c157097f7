import TestSupport

extension BadCase {
  static let lock = (edits + heads + lies + folders_).map(\.beforeTheRun) + contents

  static let lockable = Bundle([
    "catalog.json": "{}", "0001_case/up.sql": "CREATE TABLE made (id INTEGER PRIMARY KEY);\n",
    "0001_case/items.csv": "id,name\n1,one\n2,two\n", "0002_next/items.csv": "id,name\n3,three\n",
    "0002_next/parts.csv": "id,label\n1,a part\n",
  ])

  /// Its lock has ten lines: the head's three, catalog.json, then each folder and its two files.
  private static func edited(
    _ name: String, _ expected: String, _ edit: @escaping @Sendable ([String]) -> [String]
  ) -> BadCase {
    BadCase(
      name: "a lock \(name)",
      bundle: lockable.then("seedbed.lock") { bytes in
        let lines = String(decoding: bytes, as: UTF8.self).split(
          separator: "\n", omittingEmptySubsequences: false)
        return Array(edit(lines.map(String.init)).joined(separator: "\n").utf8)
      }, expected: "catalog seedbed.lock\(expected)")
  }

  private static func added(_ name: String, _ text: String, _ number: Int) -> BadCase {
    edited("with \(name)", ":\(number)") { lines in
      var lines = lines
      lines.insert(text, at: number - 1)
      return lines
    }
  }

  private static func without(_ lines: [String], _ index: Int) -> [String] {
    var lines = lines
    lines.remove(at: index)
    return lines
  }

  private static func line(
    _ number: Int, _ name: String, _ expected: String,
    _ edit: @escaping @Sendable (String) -> String
  ) -> BadCase {
    edited(name, expected) { lines in
      var lines = lines
      lines[number - 1] = edit(lines[number - 1])
      return lines
    }
  }

  private static let edits: [BadCase] = [
    edited("that is empty", "") { _ in [] },
    edited("without its last line", "") { $0.dropLast(2) + [""] },
    edited("without its last line feed", "") { $0.dropLast() },
    edited("of its head alone", "") { $0.prefix(3) + [""] },
    edited("cut in its head", "") { Array($0.prefix(2)) },
    edited("cut in a digest", "") { lines in
      lines.dropLast(2) + [String(lines[lines.count - 2].dropLast(9))]
    },
    added("the marks of a merge", "<<<<<<< HEAD", 5),
    added("the middle mark of a merge", "=======", 6),
    added("the last mark of a merge", ">>>>>>> theirs", 7),
    added("the base of a merge", "||||||| base", 8),
    added("a merge in its head", "<<<<<<< HEAD", 2), added("a merge before all", "<<<<<<< HEAD", 1),
    edited("with CRLF", ":1") { $0.map { $0.isEmpty ? "" : $0 + "\r" } },
    edited("with CRLF behind its head", ":4") { lines in
      lines.enumerated().map { $0 < 3 || $1.isEmpty ? $1 : $1 + "\r" }
    },
    added("a blank line", "", 5), added("a line of another file", "hello", 5),
    edited("with a line twice", ":5") { lines in
      var lines = lines
      lines.insert(lines[3], at: 4)
      return lines
    },
    edited("with two folders exchanged", ":8") { lines in
      Array(lines[..<4]) + Array(lines[7..<10]) + Array(lines[4..<7]) + Array(lines[10...])
    },
    edited("with a folder's line gone", "") { lines in without(lines, 7) },
    line(1, "in UTF-16", ":1") { $0.map { "\0\($0)" }.joined() },
    line(1, "behind a byte order mark", ":1") { "\u{FEFF}" + $0 },
  ]

  private static let heads: [BadCase] = [
    line(1, "of another format", ":1") { _ in "seedbed.lock 3" },
    line(1, "of a far format", ":1") { _ in "seedbed.lock 99999999999" },
    line(1, "of a format beyond all numbers", ":1") { _ in "seedbed.lock 99999999999999999999" },
    line(1, "without a format", ":1") { _ in "seedbed.lock" },
    line(1, "of another program", ":1") { _ in "# yarn lockfile v1" },
    line(1, "with a letter for a format", ":1") { _ in "seedbed.lock x" },
    line(1, "of a negative format", ":1") { _ in "seedbed.lock -1" },
    line(2, "without a head", ":2") { _ in "" },
    line(2, "with a head of another word", ":2") { $0.replacing("head", with: "tail") },
    line(2, "with a head in capitals", ":2") { $0.uppercased() },
    line(2, "with a head's digest cut", ":2") { String($0.dropLast()) },
    line(2, "with a head's digest too long", ":2") { $0 + "0" },
    line(2, "with another algorithm", ":2") { $0.replacing("sha256", with: "sha512") },
    line(2, "with a head of a word more", ":2") { $0 + " x" },
    line(2, "with a head of two blanks", ":2") { $0.replacing(" sha", with: "  sha") },
    line(2, "with a head's version beyond all numbers", ":2") {
      $0.replacing("head 2", with: "head 99999999999999999999")
    },
    line(2, "with a negative version", ":2") { $0.replacing("head 2", with: "head -2") },
    line(2, "with another version in its head", ":2") { $0.replacing("head 2", with: "head 3") },
    line(2, "with another chain in its head", ":2") { flipped($0) },
    line(3, "without a body", ":3") { _ in "" },
    line(3, "with a checksum that is no number", ":3") { $0.replacing("crc32:", with: "crc32:x") },
    promising("with too many lines promised", ":3", 9_000_000_000),
    promising("with the largest number of lines promised", ":3", .max),
    promising("with fewer lines promised", ":3", 1),
  ]

  /// The last hexadecimal digit becomes another one.
  private static func flipped(_ line: String) -> String {
    line.dropLast() + (line.last == "0" ? "1" : "0")
  }

  private static func promising(_ name: String, _ expected: String, _ lines: Int) -> BadCase {
    line(3, name, expected) { line in
      var words = line.split(separator: " ").map(String.init)
      words[1] = "\(lines)"
      return words.joined(separator: " ")
    }
  }

  /// Every line below the head is guarded by the head's checksum, and this names the first folder
  /// whose own sums do not agree.
  private static let lies: [BadCase] = [
    line(5, "with another checksum of a migration", ":5") { line in
      line.replacing("sha256:", with: "sha256:f", maxReplacements: 1).removingCharacter(at: 23)
    },
    line(6, "with another digest of a file", ":5") { flipped($0) },
    line(9, "with another digest in the second folder", ":8") { flipped($0) },
    line(6, "with a size that is no number", ":6") { $0.replacing(" 2 ", with: " two ") },
    line(6, "with a negative size", ":6") { $0.replacing(" 2 ", with: " -2 ") },
    line(6, "with a file in another folder", ":6") { $0.replacing("0001", with: "0002") },
    line(6, "with a file outside", ":6") { $0.replacing("items", with: "../items") },
    line(6, "with a file of no legal name", "") { $0.replacing("items.csv", with: "items.cvs") },
    line(5, "with version 0", ":5") { $0.replacing("0001_", with: "0000_") },
    line(5, "with a folder of no number", ":5") { $0.replacing("0001_", with: "x_") },
    line(5, "with a word behind a folder", ":5") { $0 + " withdrew" },
    line(8, "with the same version twice", ":8") {
      $0.replacing("0002_next/ ", with: "0001_next/ ")
    },
    line(4, "with another file for the options", ":4") { $0.replacing("catalog", with: "cat") },
    // The sums of the folder agree; only the head's checksum tells.
    line(6, "with another number of rows", "") { $0.replacing(" 2 ", with: " 3 ") },
    line(5, "with a migration withdrawn by hand", "") { $0 + " withdrawn" },
  ]

  private static func folder(
    _ name: String, _ path: String, _ expected: String, _ bytes: String?
  ) -> BadCase {
    BadCase(
      name: "behind the lock's back: \(name)",
      bundle: lockable.then(path) { _ in bytes.map { Array($0.utf8) } },
      expected: "catalog \(expected)")
  }

  private static let folders_: [BadCase] = [
    folder("a file more", "0001_case/down.sql", "0001_case/down.sql", ";"),
    folder("a file less", "0002_next/parts.csv", "0002_next/parts.csv", nil),
    folder("a folder more", "0003_more/parts.csv", "0003_more", "id\n"),
    folder("a folder less", "0002_next", "0002_next", nil),
    folder("the options gone", "catalog.json", "catalog.json", nil),
    folder("a file of no legal name", "0001_case/note.txt", "0001_case/note.txt", ""),
    folder("a folder of no legal name", "0003", "0003", ""),
    folder("the options with a blank more", "catalog.json", "catalog.json", "{ }"),
    folder("the options of the same length", "catalog.json", "catalog.json", "[]"),
    folder("the lock gone", "seedbed.lock", "", nil),
    BadCase(
      name: "behind the lock's back: no options when it was written",
      bundle: Bundle(["0001_case/items.csv": "id,name\n1,one\n"]).then("catalog.json") { _ in
        Array("{}".utf8)
      }, expected: "catalog catalog.json"),
  ].map { test in
    var test = test
    if test.expected == "catalog " { test.expected = "catalog" }
    return test
  }

  /// Only reading the file shows it; a size that differs is seen before anything is touched.
  private static let contents: [BadCase] = [
    folder(
      "rows of another size", "0001_case/items.csv", "0001_case/items.csv",
      "id,name\n1,one\n2,two!\n"
    ).beforeTheRun,
    folder("rows that are gone", "0001_case/items.csv", "0001_case/items.csv", "").beforeTheRun,
    folder("SQL of another size", "0001_case/up.sql", "0001_case/up.sql", ";").beforeTheRun,
    folder(
      "rows of the same size", "0001_case/items.csv", "0001_case/items.csv",
      "id,name\n1,one\n2,duo\n"),
    folder(
      "fewer rows of the same size", "0001_case/items.csv", "0001_case/items.csv",
      "id,name\n1,one and two\n"),
    folder(
      "SQL of the same size", "0001_case/up.sql", "0001_case/up.sql",
      "CREATE TABLE maid (id INTEGER PRIMARY KEY);\n"),
    {
      var bundle = Bundle(file: "items.csv.gz", Gzip("id,name\n1,one\n").bytes)
      bundle = bundle.then("0001_case/items.csv.gz") { bytes in
        let other = Gzip("id,name\n1,uno\n").bytes
        return other.count == bytes.count ? other : nil
      }
      return BadCase(
        name: "behind the lock's back: other rows, compressed to the same size", bundle: bundle,
        expected: "catalog 0001_case/items.csv.gz")
    }(),
  ]
}

extension String {
  fileprivate func removingCharacter(at offset: Int) -> String {
    var text = self
    text.remove(at: text.index(text.startIndex, offsetBy: offset))
    return text
  }
}
