/// Reads the lines below the lock's head, and refuses lines that `migrate lock` cannot have
/// written.
package final class LockReader {
  /// More bytes or rows than any file has. The sums in a forged lock must not overflow.
  static let tooMany: Int64 = 1 << 40

  private let head: LockHead
  private let bytes: [UInt8]
  private var line = 4
  private var options: LockedFile?
  private var first: FirstDatabase?
  private var base: Migration?
  /// The migrations and snapshots in the order of the lines.
  private var folders: [Migration] = []

  package static func read(_ bytes: [UInt8]) throws -> Lock {
    let reader = LockReader(head: try LockHead.parse(bytes), bytes: bytes)
    let head = reader.head
    let check = bytes.withUnsafeBytes {
      CRC32.of(UnsafeRawBufferPointer(rebasing: $0[head.length...]))
    }
    if check != head.check { throw try reader.damage() }
    try reader.readLines()
    // The checksum does not cover the head itself.
    if reader.line - 4 != head.lines { throw SeedbedError.lockEdited(line: 3) }
    let lock = reader.lock
    guard let last = lock.migrations.last ?? lock.base, last.version == head.version,
      last.chain == head.chain, last.other?.chain == head.otherChain
    else { throw SeedbedError.lockEdited(line: 2) }
    for snapshot in lock.snapshots {
      guard lock.chain(of: snapshot.version) == snapshot.chain else {
        throw SeedbedError.lockEdited(line: nil)
      }
    }
    return lock
  }

  private init(head: LockHead, bytes: [UInt8]) { (self.head, self.bytes) = (head, bytes) }

  private var lock: Lock {
    let snapshots = folders.filter(\.isSnapshot)
    return Lock(
      head: head, options: options, first: first, base: base, snapshots: snapshots,
      migrations: snapshots.isEmpty ? folders : folders.filter { !$0.isSnapshot })
  }

  // MARK: lines

  private func readLines() throws {
    var rest = bytes[head.length...]
    while !rest.isEmpty {
      guard let end = rest.firstIndex(of: 0x0A) else { throw unexpected(rest) }
      try readLine(rest[..<end])
      rest = rest[(end + 1)...]
      line += 1
    }
  }

  /// First at most one line each with `catalog.json …`, `data/first.sqlite …` and `base …`, in this
  /// order. Then, for each folder, `0001_elements/ …` and its files, `0001_elements/up.sql …`.
  private func readLine(_ text: ArraySlice<UInt8>) throws {
    if folders.isEmpty, base == nil {
      if first == nil {
        if options == nil, let file = Self.file(text), file.name == Lock.optionsName {
          return options = file.locked
        }
        first = FirstDatabase(line: text)
        if first != nil { return }
      }
      base = Self.base(text)
      if base != nil { return }
    }
    guard let slash = text.firstIndex(of: UInt8(ascii: "/")) else { throw unexpected(text) }
    let rest = text[(slash + 1)...]
    if rest.first == UInt8(ascii: " ") {
      guard var folder = Migration(lockLine: text), isNext(folder) else { throw unexpected(text) }
      // Older locks may have a snapshot's SQL for PostgreSQL, which is no longer read.
      if folder.isSnapshot { folder.other = nil }
      folders.append(folder)
    } else {
      let last = folders.count - 1
      guard last >= 0, folders[last].folder.utf8.elementsEqual(text[..<slash]),
        let (name, locked) = Self.file(rest),
        let file = try MigrationFile(
          named: name, in: folders[last].folder, size: locked.size, locked: locked),
        !file.isTwin || folders[last].other != nil || folders[last].isSnapshot
      else { throw unexpected(text) }
      if file.isTwin {
        folders[last].other?.sql.append(file)
      } else {
        folders[last].files.append(file)
        let rows = Int64(folders[last].rows ?? 0) + Int64(file.locked?.rows ?? 0)
        folders[last].rows = Int(clamping: rows)
      }
    }
  }

  /// Reads `base 0012_iupac_2016/` and its digests; nil for any other line.
  static func base(_ line: ArraySlice<UInt8>) -> Migration? {
    guard line.starts(with: "base ".utf8), let base = Migration(lockLine: line.dropFirst(5)),
      !base.isSnapshot, !base.isWithdrawn
    else { return nil }
    return base
  }

  /// Reads `up.sql 312 312 - 77b0…` from its end, since a name may contain spaces; nil for any
  /// other line.
  private static func file(_ line: ArraySlice<UInt8>) -> (name: String, locked: LockedFile)? {
    let words = line.words
    let start = words.count - 4
    guard start > 0, let size = words[start].decimal, let contentSize = words[start + 1].decimal,
      words[start + 3].count == 64
    else { return nil }
    let rows = words[start + 2].decimal
    guard rows != nil || words[start + 2].elementsEqual("-".utf8),
      max(size, contentSize, rows ?? 0) < tooMany
    else { return nil }
    let locked = LockedFile(
      size: size, contentSize: contentSize, rows: rows.map { Int(clamping: $0) },
      digest: words[start + 3].text)
    return (line[..<(words[start].startIndex - 1)].text, locked)
  }

  /// Whether a folder may follow the last one. A snapshot may have the same version as the
  /// migration before it. Either all migrations are for both engines or none is; a snapshot is
  /// for SQLite alone, except in older locks.
  private func isNext(_ next: Migration) -> Bool {
    let last = folders.last?.version ?? base?.version ?? 0
    let isAgain = next.isSnapshot && folders.last?.isSnapshot != true
    let isForBoth = next.other != nil
    return (next.version > last || next.version == last && isAgain)
      && (isForBoth == (head.otherChain != nil) || next.isSnapshot && !isForBoth)
  }

  private func unexpected(_ text: ArraySlice<UInt8>) -> SeedbedError {
    SeedbedError.lockLine(
      text, expected: "a folder or a file with its sizes and digests", line: line)
  }

  // MARK: damage

  /// The reason why the lines do not match the head, the likeliest first.
  private func damage() throws -> SeedbedError {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, text) in lines.enumerated() { try Self.refuseGits(text, index + 1) }
    if lines.count - 1 < head.lines + 3 {
      return SeedbedError.lockTruncated(found: lines.count - 1, expected: head.lines + 3)
    }
    // The first line that is malformed, or does not fit the lines before it.
    let reader = LockReader(head: head, bytes: bytes)
    do {
      try reader.readLines()
    } catch let error as SeedbedError {
      return SeedbedError.lockEdited(line: error.place?.line)
    }
    let lock = reader.lock
    let line = lock.migrations.firstForged(after: lock.base).flatMap { forged in
      lines.firstIndex { $0.starts(with: (forged.folder + "/ ").utf8) }
    }
    return SeedbedError.lockEdited(line: line.map { $0 + 1 })
  }

  /// Refuses the marks that git leaves in a merge conflict, and the line endings that it converts.
  static func refuseGits(_ line: ArraySlice<UInt8>, _ number: Int) throws {
    let markers = ["<<<<<<< ", "||||||| ", "=======", ">>>>>>> "]
    if markers.contains(where: { line.starts(with: $0.utf8) }) {
      throw SeedbedError.lock(
        "Found '\(line.text.shortened(to: 40))': two branches added migrations, and git left both "
          + "in the lock. Keep the folders of both, each with its own number: make yours again "
          + "with another one, or rename it and write the lock again.", line: number
      ).remedied(by: .amendMigration, .writeLock)
    }
    if line.last == 0x0D {
      throw SeedbedError.lock(
        "The lines end in CRLF; git does this on some systems, and then to other files too. Put "
          + "'seedbed.lock text eol=lf' and '*.sql text eol=lf' into .gitattributes, and check the "
          + "files out again.", line: number)
    }
  }
}

extension Migration {
  /// Reads `0001_elements/ sha256:… sha256:…`: the folder, its checksum and its chain. In a catalog
  /// for both engines, ` postgresql sha256:… sha256:…` follows; and ` withdrawn`, if the migration
  /// is. nil for other lines.
  init?(lockLine line: ArraySlice<UInt8>) {
    var words = line.words
    isWithdrawn = words.last?.elementsEqual("withdrawn".utf8) == true
    if isWithdrawn { words.removeLast() }
    let isForBoth =
      words.count == 6 && words[3].elementsEqual(EngineName.postgresql.rawValue.utf8)
    guard words.count == 3 || isForBoth, words[0].last == UInt8(ascii: "/"),
      words.enumerated().allSatisfy({ $0 == 0 || $0 == 3 || $1.isDigest() })
    else { return nil }
    folder = words[0].dropLast().text
    guard let parts = FolderName(folder).parts else { return nil }
    (version, name) = parts
    isSnapshot = folder.utf8.hasSuffix(FolderName.snapshotSuffix)
    (checksum, chain, files, rows) = (words[1].text, words[2].text, [], 0)
    if isForBoth { other = OtherEngine(checksum: words[4].text, chain: words[5].text) }
  }
}

extension SeedbedError {
  static func lock(_ message: String, line: Int? = nil) -> SeedbedError {
    SeedbedError(.catalog, message, at: Place(Lock.fileName, line: line))
  }

  /// The error for a lock that must be written again.
  static func staleLock(_ message: String, line: Int? = nil) -> SeedbedError {
    lock(message, line: line).remedied(by: .writeLock)
  }

  package static func lockMissing(_ path: String) -> SeedbedError {
    SeedbedError(
      .catalog,
      "The catalog '\(path)' has no seedbed.lock. Write it and ship it with the catalog."
    ).remedied(by: .writeLock)
  }

  static let lockNotRegular = staleLock(
    "This is not a regular file. Remove it, and write it again.")

  static func lockLine(
    _ found: ArraySlice<UInt8>, expected: String, line: Int
  ) -> SeedbedError {
    staleLock(
      "Found '\(found.text.shortened(to: 40))', expected \(expected). Write the lock again.",
      line: line)
  }

  static func lockTruncated(found: Int, expected: Int) -> SeedbedError {
    staleLock(
      "The lock is truncated: it has \(found) of its \(expected) lines. Copy it again, or write it "
        + "again.")
  }

  static func lockEdited(line: Int?) -> SeedbedError {
    staleLock(
      "The lock is not as it was written: it was edited or merged by hand. Write it again.",
      line: line)
  }
}
