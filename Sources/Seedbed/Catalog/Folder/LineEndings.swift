/// A line of `.gitattributes` that keeps files as they were when they were applied.
struct LineEndingRule: Sendable, Equatable {
  enum Ending: String, Sendable, CaseIterable { case lf, crlf }

  /// `sql` or `csv`.
  var fileType: String
  /// The line ending that the files had when they were applied.
  var ending: Ending

  /// `*.sql text eol=lf`
  var line: String { "*.\(fileType) text eol=\(ending.rawValue)" }

  /// The largest text to check. The hint is not worth the memory for a larger one.
  fileprivate static let sizeLimit = 16 << 20

  /// The digests that a text would have if all its lines ended in LF, or all in CRLF.
  static func digests(_ text: [UInt8]) -> [Ending: String] {
    var (lf, crlf): ([UInt8], [UInt8]) = ([], [])
    // `replacing` takes 40 times as long.
    for (index, byte) in text.enumerated() {
      if byte == 0x0D, index + 1 < text.count, text[index + 1] == 0x0A { continue }
      if byte == 0x0A { crlf.append(0x0D) }
      crlf.append(byte)
      lf.append(byte)
    }
    return [.lf: Digest.of(lf), .crlf: Digest.of(crlf)]
  }
}

extension Catalog {
  /// For the error `drift`: checks whether the files differ from what was applied only in the line
  /// endings of whole file types. Returns the rules that prevent that; empty if there is another
  /// difference. Reads every file that changes data; throws if the files are as they were applied,
  /// and only the lock differs.
  func lineEndings(of migration: Migration, applied: String) throws -> [LineEndingRule] {
    let changing = migration.files.filter(\.changesData)
    let files = try changing.map { ($0.name, try digest(of: $0, in: migration)) }
    if Checksum.of(files) == applied {
      throw SeedbedError(
        .drift,
        "Its files are as they were when it was applied, but seedbed.lock names others. Write the "
          + "lock again.", at: SeedbedError.Place(migration.folder), version: migration.version
      ).remedied(by: .writeLock)
    }
    var texts: [String: [LineEndingRule.Ending: String]] = [:]
    // git does not convert binary files.
    for file in changing where !file.isCompressed {
      let text = try open(file, in: migration)
      guard try text.size() <= LineEndingRule.sizeLimit else { continue }
      texts[file.name] = LineEndingRule.digests(
        try text.content(limit: LineEndingRule.sizeLimit))
    }
    // nil leaves the files as they are. git decides by file type, so all files of a type change
    // together.
    let endings: [LineEndingRule.Ending?] = [nil, .lf, .crlf]
    for (sql, csv) in endings.flatMap({ sql in endings.map { (sql, $0) } }) {
      let converted = files.map { name, digest in
        let ending = name.utf8.hasSuffix(".sql") ? sql : csv
        return (name, ending.flatMap { texts[name]?[$0] } ?? digest)
      }
      if Checksum.of(converted) == applied {
        return [("sql", sql), ("csv", csv)].compactMap { type, ending in
          ending.map { LineEndingRule(fileType: type, ending: $0) }
        }
      }
    }
    return []
  }
}
