/// Reads the lines below the lock's head, and believes none that `migrate lock` did not write.
struct LockReader {
  private let bytes: [UInt8]
  private let head: LockHead
  private var line = 4
  private var options: LockedFile?
  private var migrations: [Migration] = []

  static func read(_ bytes: [UInt8]) throws -> Lock {
    let head = try LockHead.parse(bytes)
    var reader = LockReader(bytes: bytes, head: head)
    if reader.bodyDigest() != head.digest { throw reader.damage() }
    try reader.readLines()
    guard let last = reader.migrations.last, last.version == head.version, last.chain == head.chain
    else { throw SeedbedError.lockEdited(line: 2) }
    return Lock(head: head, options: reader.options, migrations: reader.migrations)
  }

  private init(bytes: [UInt8], head: LockHead) {
    (self.bytes, self.head) = (bytes, head)
  }

  private func bodyDigest() -> String {
    let digest = Digest()
    bytes.withUnsafeBytes {
      digest.update(UnsafeRawBufferPointer(rebasing: $0[head.length...]))
    }
    return digest.finish()
  }

  // MARK: lines

  private mutating func readLines() throws {
    migrations.reserveCapacity(head.lines / 3)
    var start = head.length
    while start < bytes.count {
      guard let end = bytes[start...].firstIndex(of: 0x0A) else {
        throw unexpected(start..<bytes.count)
      }
      try read(start..<end)
      start = end + 1
      line += 1
    }
  }

  /// `0001_elements/ …`, `0001_elements/up.sql …` or `catalog.json …`
  private mutating func read(_ range: Range<Int>) throws {
    guard let slash = bytes[range].firstIndex(of: UInt8(ascii: "/")) else {
      guard let file = lockedFile(range, from: range.lowerBound),
        file.name == Lock.optionsName, options == nil, migrations.isEmpty
      else { throw unexpected(range) }
      options = file.locked
      return
    }
    if slash + 1 < range.upperBound, bytes[slash + 1] == UInt8(ascii: " ") {
      try readMigration(range, slash: slash)
    } else {
      try readFile(range, slash: slash)
    }
  }

  /// `0001_elements/ sha256:… sha256:…`, and ` withdrawn` where it is.
  private mutating func readMigration(_ range: Range<Int>, slash: Int) throws {
    let folder = String(decoding: bytes[range.lowerBound..<slash], as: UTF8.self)
    let checksum = slash + 2
    let chain = checksum + 72
    let end = chain + 71
    guard end <= range.upperBound, isDigest(checksum), isDigest(chain),
      bytes[chain - 1] == UInt8(ascii: " "),
      case .migration(let version, let words) = FolderName(folder),
      version > migrations.last?.version ?? 0
    else { throw unexpected(range) }
    let isWithdrawn = bytes[end..<range.upperBound].elementsEqual(" withdrawn".utf8)
    guard isWithdrawn || end == range.upperBound else { throw unexpected(range) }
    migrations.append(
      Migration(
        version: version, name: words, folder: folder, files: [], isWithdrawn: isWithdrawn,
        checksum: String(decoding: bytes[checksum..<(checksum + 71)], as: UTF8.self),
        chain: String(decoding: bytes[chain..<end], as: UTF8.self), rows: 0))
  }

  private mutating func readFile(_ range: Range<Int>, slash: Int) throws {
    let last = migrations.count - 1
    guard last >= 0,
      bytes[range.lowerBound..<slash].elementsEqual(migrations[last].folder.utf8),
      let file = lockedFile(range, from: slash + 1)
    else { throw unexpected(range) }
    let path = migrations[last].folder + "/" + file.name
    switch FileName(file.name) {
    case .legal(let kind, let isCompressed):
      migrations[last].files.append(
        MigrationFile(
          name: file.name, kind: kind, size: file.locked.size, isCompressed: isCompressed,
          locked: file.locked))
      migrations[last].rows = (migrations[last].rows ?? 0) + (file.locked.rows ?? 0)
    case .later(let what): throw SeedbedError.fileUnsupported(path, what: what)
    case .unknown(let nearest): throw SeedbedError.fileUnknown(path, nearest: nearest)
    case .ignored: throw unexpected(range)
    }
  }

  /// `<name> <size> <size of the content> <rows or -> <digest>`, read from its end, since a name
  /// may hold spaces.
  private func lockedFile(
    _ range: Range<Int>, from start: Int
  ) -> (name: String, locked: LockedFile)? {
    var end = range.upperBound - 64
    guard end > start, bytes[end..<range.upperBound].allSatisfy(\.isHexadecimal) else { return nil }
    let digest = String(decoding: bytes[end..<range.upperBound], as: UTF8.self)
    end -= 1
    var rows: Int64?
    if bytes[end] == UInt8(ascii: " "), bytes[end - 1] == UInt8(ascii: "-") {
      end -= 2
    } else {
      rows = number(before: &end, from: start)
      if rows == nil { return nil }
    }
    guard let contentSize = number(before: &end, from: start),
      let size = number(before: &end, from: start), end > start, bytes[end] == UInt8(ascii: " ")
    else { return nil }
    let name = String(decoding: bytes[start..<end], as: UTF8.self)
    let locked = LockedFile(
      size: size, contentSize: contentSize, rows: rows.map { Int(clamping: $0) }, digest: digest)
    return (name, locked)
  }

  /// The number that stands before the space at `end`, which moves to the space before it.
  private func number(before end: inout Int, from start: Int) -> Int64? {
    var first = end
    while first > start, bytes[first - 1].isDigit { first -= 1 }
    guard first > start, first < end, bytes[end] == UInt8(ascii: " "),
      let number = FolderName.version(bytes[first..<end])
    else { return nil }
    end = first - 1
    return number
  }

  private func isDigest(_ start: Int) -> Bool {
    bytes[start..<(start + 7)].elementsEqual("sha256:".utf8)
      && bytes[(start + 7)..<(start + 71)].allSatisfy(\.isHexadecimal)
  }
}

// MARK: what is wrong with it

extension LockReader {
  /// What begins a line that git left where two branches disagree.
  static func conflictMarker(_ line: some Collection<UInt8>) -> String? {
    let markers = ["<<<<<<< ", "||||||| ", "=======", ">>>>>>> "]
    guard markers.contains(where: { line.starts(with: $0.utf8) }) else { return nil }
    return String(decoding: line, as: UTF8.self)
  }

  /// Why the lines are not those that the head promises: the likeliest reason first.
  private func damage() -> SeedbedError {
    let lines = bytes[head.length...].split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, text) in lines.enumerated() {
      if let marker = Self.conflictMarker(text) {
        return SeedbedError.lockConflict(marker, line: index + 4)
      }
      if text.last == 0x0D { return SeedbedError.lockLineEndings(line: index + 4) }
    }
    let complete = lines.count - 1
    if complete < head.lines {
      return SeedbedError.lockTruncated(found: complete + 3, expected: head.lines + 3)
    }
    return SeedbedError.lockEdited(line: editedLine())
  }

  /// The first line that is malformed or disagrees with those before it; nil where all agree.
  private func editedLine() -> Int? {
    var copy = self
    do {
      try copy.readLines()
    } catch let error {
      return (error as? SeedbedError)?.place?.line
    }
    var chain: String?
    for migration in copy.migrations {
      let files = migration.files.filter(\.changesData)
      let checksum = Checksum.of(files.map { ($0.name, $0.locked?.digest ?? "") })
      chain = Checksum.chain(after: chain, version: migration.version, checksum: checksum)
      if checksum != migration.checksum || chain != migration.chain {
        return copy.line(of: migration)
      }
    }
    return nil
  }

  private func line(of migration: Migration) -> Int? {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    return lines.firstIndex { $0.starts(with: (migration.folder + "/ ").utf8) }.map { $0 + 1 }
  }

  private func unexpected(_ range: Range<Int>) -> SeedbedError {
    SeedbedError.lockLine(
      String(decoding: bytes[range], as: UTF8.self),
      expected: "a folder or a file with its sizes and digests", line: line)
  }
}
