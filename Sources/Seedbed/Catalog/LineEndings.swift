/// The digests that a text would have if all its lines ended in LF, or all in CRLF.
struct LineEndings {
  private let lf = Digest()
  private let crlf = Digest()
  /// A carriage return at the end of what was fed so far: the next byte decides on it.
  private var hasPendingReturn = false

  mutating func update(_ bytes: some Sequence<UInt8>) {
    var unix: [UInt8] = []
    var windows: [UInt8] = []
    for byte in bytes {
      if byte == 0x0A {
        unix.append(0x0A)
        windows += [0x0D, 0x0A]
        hasPendingReturn = false
        continue
      }
      if hasPendingReturn {
        unix.append(0x0D)
        windows.append(0x0D)
      }
      hasPendingReturn = byte == 0x0D
      if !hasPendingReturn {
        unix.append(byte)
        windows.append(byte)
      }
    }
    unix.withUnsafeBytes { lf.update($0) }
    windows.withUnsafeBytes { crlf.update($0) }
  }

  /// Call it once.
  mutating func finish() -> [LineEndingRule.Ending: String] {
    if hasPendingReturn {
      let last: [UInt8] = [0x0D]
      last.withUnsafeBytes { lf.update($0) }
      last.withUnsafeBytes { crlf.update($0) }
    }
    return [.lf: lf.finish(), .crlf: crlf.finish()]
  }

  /// What would make the files those that were applied, where nothing but line endings of whole
  /// file types differs; empty where that is not so.
  ///
  /// `files` holds what changes data, with the digest of the content as it is; `texts`, by the name
  /// of a file that git may convert, its digests with other endings; `applied` is the checksum in
  /// the ledger.
  static func rules(
    _ files: [(name: String, digest: String)], texts: [String: [LineEndingRule.Ending: String]],
    applied: String
  ) -> [LineEndingRule] {
    // nil: as the files are. git decides by file type, so all files of one type go together.
    let endings: [LineEndingRule.Ending?] = [nil, .lf, .crlf]
    for sql in endings {
      for csv in endings where sql != nil || csv != nil {
        let converted = files.map { file in
          let ending = file.name.utf8.hasSuffix(".sql") ? sql : csv
          let digest = ending.flatMap { texts[file.name]?[$0] }
          return (name: file.name, digest: digest ?? file.digest)
        }
        guard Checksum.of(converted) == applied else { continue }
        return [("sql", sql), ("csv", csv)].compactMap { type, ending in
          ending.map { LineEndingRule(fileType: type, ending: $0) }
        }
      }
    }
    return []
  }
}

extension Catalog {
  /// For the error `drift`: whether the files differ from what was applied by nothing but their
  /// line endings, and how to keep them from it. Reads every file that changes data.
  func lineEndings(of migration: Migration, applied: String) throws -> [LineEndingRule] {
    var files: [(name: String, digest: String)] = []
    var texts: [String: [LineEndingRule.Ending: String]] = [:]
    for file in migration.files.filter(\.changesData) {
      files.append((name: file.name, digest: try digest(of: file, in: migration)))
      // git converts no binary files.
      if file.isCompressed { continue }
      let content = try open(file, in: migration)
      var digests = LineEndings()
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      while true {
        let count = try buffer.withUnsafeMutableBytes { try content.read(into: $0) }
        if count == 0 { break }
        digests.update(buffer[..<count])
      }
      texts[file.name] = digests.finish()
    }
    return LineEndings.rules(files, texts: texts, applied: applied)
  }
}

/// A line of `.gitattributes` that keeps files as they were applied.
struct LineEndingRule: Sendable, Equatable {
  enum Ending: String, Sendable, CaseIterable { case lf, crlf }

  /// `sql` or `csv`.
  var fileType: String
  /// What the files had when they were applied.
  var ending: Ending

  /// `*.sql text eol=lf`
  var line: String { "*.\(fileType) text eol=\(ending.rawValue)" }
}
