import Testing

/// A catalog as it lies on the disk of a device, sound or not.
struct Bundle: Sendable {
  /// By their paths in the catalog's folder: `0001_case/items.csv`.
  var files: [String: [UInt8]] = [:]
  /// Symbolic links, and where they lead.
  var links: [String: String] = [:]
  /// Folders with nothing in them.
  var folders: [String] = []
  /// Whether `seedbed.lock` is written, once all the above is there.
  var isLocked = false
  /// What happens to a file behind the lock's back: new bytes, or nil where it goes.
  var changes: [Change] = []

  struct Change: Sendable {
    var path: String
    var edit: @Sendable ([UInt8]) -> [UInt8]?
  }

  init() {}

  init(_ files: [String: String]) {
    self.files = files.mapValues { Array($0.utf8) }
  }

  /// One migration with one file.
  init(file: String, _ bytes: [UInt8]) { files = ["0001_case/" + file: bytes] }

  func with(_ path: String, _ text: String) -> Bundle {
    var bundle = self
    bundle.files[path] = Array(text.utf8)
    return bundle
  }

  func locked() -> Bundle {
    var bundle = self
    bundle.isLocked = true
    return bundle
  }

  /// With something else in a file's place once the lock is written.
  func then(_ path: String, _ edit: @escaping @Sendable ([UInt8]) -> [UInt8]?) -> Bundle {
    var bundle = locked()
    bundle.changes.append(Change(path: path, edit: edit))
    return bundle
  }
}

/// A bundle that must be refused, and how.
struct BadCase: Sendable, CustomTestStringConvertible {
  var name: String
  var bundle: Bundle
  /// `<code> <file>:<line>:<column>`, as far as the error has them.
  var expected: String
  /// Whether the refusal comes before the first write: then not even the ledger may be there.
  var isBeforeTheRun = false

  var testDescription: String { name }

  /// One file of the migration `0001_case`; a place that is expected stands in this file.
  static func file(_ file: String, _ name: String, _ bytes: [UInt8], _ expected: String) -> BadCase
  {
    BadCase(
      name: name, bundle: Bundle(file: file, bytes), expected: inFile("0001_case/" + file, expected)
    )
  }

  static func file(_ file: String, _ name: String, _ text: String, _ expected: String) -> BadCase {
    Self.file(file, name, Array(text.utf8), expected)
  }

  /// `csv 2:1` and `gzip` say nothing of the file.
  static func inFile(_ file: String, _ expected: String) -> String {
    let words = expected.split(separator: " ")
    return words.count == 1 ? "\(words[0]) \(file)" : "\(words[0]) \(file):\(words[1])"
  }

  var beforeTheRun: BadCase {
    var copy = self
    copy.isBeforeTheRun = true
    return copy
  }
}

/// A bundle that must be accepted, and what the database then answers.
struct GoodCase: Sendable, CustomTestStringConvertible {
  var name: String
  var bundle: Bundle
  var query: String
  /// Values by bars, rows by slashes.
  var expected: String

  init(_ name: String, _ bundle: Bundle, _ query: String, _ expected: String) {
    (self.name, self.bundle, self.query, self.expected) = (name, bundle, query, expected)
  }

  var testDescription: String { name }
}
