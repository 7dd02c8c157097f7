/// The digests that a text would have if all its lines ended in LF, or all in CRLF.
enum LineEndings {
  /// The largest text that is looked at: the hint is not worth the memory of a larger one.
  static let sizeLimit = 16 << 20

  static func digests(_ text: [UInt8]) -> [LineEndingRule.Ending: String] {
    var lf: [UInt8] = []
    var crlf: [UInt8] = []
    for (index, byte) in text.enumerated() {
      if byte == 0x0D, index + 1 < text.count, text[index + 1] == 0x0A { continue }
      if byte == 0x0A { crlf.append(0x0D) }
      crlf.append(byte)
      lf.append(byte)
    }
    return [.lf: Digest.of(lf), .crlf: Digest.of(crlf)]
  }

  /// What would make the files those that were applied, where nothing but line endings of whole
  /// file types differs; empty if that is not so.
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
  /// line endings, and how to keep them from it. Reads every file that changes data; throws if
  /// these are what was applied, and only the lock says otherwise.
  func lineEndings(of migration: Migration, applied: String) throws -> [LineEndingRule] {
    let changing = migration.files.filter(\.changesData)
    let files = try changing.map { ($0.name, try digest(of: $0, in: migration)) }
    if Checksum.of(files) == applied { throw SeedbedError.lockedOtherwise(migration) }
    var texts: [String: [LineEndingRule.Ending: String]] = [:]
    // git converts no binary files.
    for file in changing where !file.isCompressed {
      let text = try open(file, in: migration)
      guard try text.size() <= LineEndings.sizeLimit else { continue }
      texts[file.name] = LineEndings.digests(try text.content(limit: LineEndings.sizeLimit))
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
