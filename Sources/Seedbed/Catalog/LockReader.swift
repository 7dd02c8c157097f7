/// Reads the lines below the lock's head, and believes none that `migrate lock` did not write.
///
/// `status` reads a thousand migrations of which it needs little: their files are made into values
/// only where somebody asks for them.
package struct LockReader {
  private let head: LockHead
  private var line = 4
  private var options: LockedFile?
  private var base: CatalogBase?
  /// Migrations and snapshots as they come.
  private var folders: [Migration] = []
  private var hasSnapshots = false
  private var names: LockedNames
  /// Where the lines of the last folder's files begin.
  private var filesFrom = 0
  private var rows: Int64 = 0

  private var bytes: [UInt8] { names.bytes }

  package static func read(_ bytes: [UInt8]) throws -> Lock {
    let head = try LockHead.parse(bytes)
    let check = bytes.withUnsafeBytes {
      CRC32.of(UnsafeRawBufferPointer(rebasing: $0[head.length...]))
    }
    var reader = LockReader(head: head, names: LockedNames(bytes: bytes))
    if check != head.check { throw LockDamage(bytes: bytes, head: head).error() }
    try reader.readLines()
    // The checksum does not cover the head itself.
    if reader.line - 4 != head.lines { throw SeedbedError.lockEdited(line: 3) }
    let lock = reader.lock
    guard let last = lock.migrations.last ?? lock.base?.migration, last.version == head.version,
      last.chain == head.chain
    else { throw SeedbedError.lockEdited(line: 2) }
    for snapshot in lock.snapshots where lock.chain(of: snapshot.version) != snapshot.chain {
      throw SeedbedError.lockEdited(line: nil)
    }
    return lock
  }

  /// The lines as they are, whether or not they are those that the head promises.
  static func readUnchecked(_ bytes: [UInt8], _ head: LockHead) throws -> Lock {
    var reader = LockReader(head: head, names: LockedNames(bytes: bytes))
    try reader.readLines()
    return reader.lock
  }

  private init(head: LockHead, names: LockedNames) {
    (self.head, self.names) = (head, names)
  }

  private var lock: Lock {
    Lock(
      head: head, options: options, base: base,
      snapshots: hasSnapshots ? folders.filter(\.isSnapshot) : [],
      migrations: hasSnapshots ? folders.filter { !$0.isSnapshot } : folders, names: names)
  }

  private mutating func readLines() throws {
    // A head that lies about their number costs no memory.
    let lines = min(head.lines, bytes.count / LockedLine.digestLength)
    folders.reserveCapacity(lines / 3)
    names.folders.reserveCapacity(lines / 3)
    names.files.reserveCapacity(lines)
    var start = head.length
    while start < bytes.count {
      start = try readLine(start) + 1
      line += 1
    }
    endFolder(at: start)
  }

  /// `0001_elements/ …`, `0001_elements/up.sql …` or `catalog.json …`; returns where it ends.
  private mutating func readLine(_ start: Int) throws -> Int {
    let bytes = bytes
    var slash = start
    while slash < bytes.count, bytes[slash] != UInt8(ascii: "/"), bytes[slash] != 0x0A {
      slash += 1
    }
    let hasFolder = slash < bytes.count && bytes[slash] == UInt8(ascii: "/")
    // A line ends in a digest, which holds no line feed: nobody needs to look for one there.
    var end = min(hasFolder ? slash + LockedLine.digestLength : start, bytes.count)
    while end < bytes.count, bytes[end] != 0x0A { end += 1 }
    guard end < bytes.count else { throw unexpected(start..<end) }
    if !hasFolder {
      try readOptions(start..<end)
    } else if bytes[start] == UInt8(ascii: "b") {
      try readBase(start..<end)
    } else if bytes[slash + 1] == UInt8(ascii: " ") {
      endFolder(at: start)
      try readFolder(start..<end, slash: slash)
      filesFrom = end + 1
    } else {
      try readFile(start..<end, slash: slash)
    }
    return end
  }

  private mutating func readOptions(_ range: Range<Int>) throws {
    guard let line = LockedLine(bytes, range, nameFrom: range.lowerBound),
      line.name(bytes) == Lock.optionsName, options == nil, folders.isEmpty, base == nil
    else { throw unexpected(range) }
    options = line.locked(bytes)
  }

  private mutating func readBase(_ range: Range<Int>) throws {
    guard folders.isEmpty, base == nil, let found = CatalogBase(line: bytes[range]) else {
      throw unexpected(range)
    }
    base = found
  }

  /// `0001_elements/ sha256:… sha256:…`, and ` withdrawn` where it is.
  private mutating func readFolder(_ range: Range<Int>, slash: Int) throws {
    let checksum = slash + 2
    let chain = checksum + 72
    let end = chain + 71
    let name = range.lowerBound..<slash
    let folder = String(decoding: bytes[name], as: UTF8.self)
    guard end <= range.upperBound, isDigest(checksum), isDigest(chain),
      bytes[chain - 1] == UInt8(ascii: " "),
      let (version, words, isSnapshot) = Self.parts(folder),
      isInOrder(version, isSnapshot)
    else { throw unexpected(range) }
    if isSnapshot { hasSnapshots = true }
    let isWithdrawn = end < range.upperBound
    guard !isWithdrawn || bytes[end..<range.upperBound].elementsEqual(" withdrawn".utf8) else {
      throw unexpected(range)
    }
    names.folders.append(
      LockedNames.Folder(
        version: version, isSnapshot: isSnapshot, name: name,
        files: names.files.count..<names.files.count))
    folders.append(
      Migration(
        version: version, name: words, folder: folder, files: [], isWithdrawn: isWithdrawn,
        isSnapshot: isSnapshot,
        checksum: String(decoding: bytes[checksum..<(checksum + 71)], as: UTF8.self),
        chain: String(decoding: bytes[chain..<end], as: UTF8.self), rows: 0))
  }

  private static func parts(_ folder: String) -> (Version, words: String, isSnapshot: Bool)? {
    switch FolderName(folder) {
    case .migration(let version, let words): (version, words, false)
    case .snapshot(let version, let words): (version, words, true)
    default: nil
    }
  }

  private func isInOrder(_ version: Version, _ isSnapshot: Bool) -> Bool {
    guard let last = names.folders.last else {
      let base = base?.version ?? 0
      return version > base || version == base && isSnapshot
    }
    return version > last.version || version == last.version && isSnapshot && !last.isSnapshot
  }

  private mutating func readFile(_ range: Range<Int>, slash: Int) throws {
    guard let folder = names.folders.last,
      names.bytes.isSame(folder.name, as: range.lowerBound..<slash, of: names.bytes),
      let line = LockedLine(bytes, range, nameFrom: slash + 1)
    else { throw unexpected(range) }
    if !FileName.isPlainlyLegal(bytes, line.name) { try check(line.name(bytes), range) }
    names.files.append(line.name)
    rows = rows.addingReportingOverflow(line.rows ?? 0).partialValue
  }

  /// Refuses what is not legal.
  private func check(_ name: String, _ range: Range<Int>) throws {
    let path = folders[folders.count - 1].folder + "/" + name
    switch FileName(name) {
    case .legal: break
    case .unknown(let nearest): throw SeedbedError.fileUnknown(path, nearest: nearest)
    case .ignored: throw unexpected(range)
    }
  }

  /// Gives the last folder its files, once all their lines were looked at.
  private mutating func endFolder(at end: Int) {
    guard let last = folders.indices.last else { return }
    names.folders[last].files = names.folders[last].files.lowerBound..<names.files.count
    folders[last].rows = Int(clamping: rows)
    rows = 0
    let text = names.bytes
    let range = filesFrom..<end
    folders[last].readFiles { Self.files(text, range) }
  }

  /// The files whose lines stand in `range`; each was looked at before.
  private static func files(_ bytes: [UInt8], _ range: Range<Int>) -> [MigrationFile] {
    bytes[range].split(separator: 0x0A).compactMap { line in
      guard let slash = line.firstIndex(of: UInt8(ascii: "/")) else { return nil }
      return LockedLine(bytes, line.indices, nameFrom: slash + 1)?.file(bytes)
    }
  }

  private func isDigest(_ start: Int) -> Bool {
    bytes[start..<(start + 7)].elementsEqual("sha256:".utf8)
  }

  private func unexpected(_ range: Range<Int>) -> SeedbedError {
    SeedbedError.lockLine(
      String(decoding: bytes[range], as: UTF8.self),
      expected: "a folder or a file with its sizes and digests", line: line)
  }
}

extension Lock {
  /// The chain up to a version; nil where it has no folder, and is not the base.
  package func chain(of version: Version) -> String? {
    if let base, base.version == version { return base.chain }
    return migrations.first { $0.version == version }?.chain
  }
}

extension [UInt8] {
  /// Whether bytes of this array are those of another.
  func isSame(_ range: Range<Int>, as otherRange: Range<Int>, of other: [UInt8]) -> Bool {
    guard range.count == otherRange.count else { return false }
    for offset in 0..<range.count
    where self[range.lowerBound + offset] != other[otherRange.lowerBound + offset] {
      return false
    }
    return true
  }
}
