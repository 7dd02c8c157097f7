/// Reads the lines below the lock's head, and believes none that `migrate lock` did not write.
package struct LockReader {
  private let head: LockHead
  private let bytes: [UInt8]
  private var line = 4
  private var options: LockedFile?
  private var first: FirstDatabase?
  private var base: CatalogBase?
  /// Migrations and snapshots as they come.
  private var folders: [Migration] = []

  package static func read(_ bytes: [UInt8]) throws -> Lock {
    let head = try LockHead.parse(bytes)
    let check = bytes.withUnsafeBytes {
      CRC32.of(UnsafeRawBufferPointer(rebasing: $0[head.length...]))
    }
    if check != head.check { throw LockDamage(bytes: bytes, head: head).error() }
    var reader = LockReader(head, bytes)
    try reader.readLines()
    // The checksum does not cover the head itself.
    if reader.line - 4 != head.lines { throw SeedbedError.lockEdited(line: 3) }
    let lock = reader.lock
    guard let last = lock.migrations.last ?? lock.base?.migration, last.version == head.version,
      last.chain == head.chain, last.other?.chain == head.otherChain
    else { throw SeedbedError.lockEdited(line: 2) }
    for snapshot in lock.snapshots {
      let chains = lock.chains(of: snapshot.version)
      guard chains.own == snapshot.chain,
        snapshot.other == nil || chains.other == snapshot.other?.chain
      else { throw SeedbedError.lockEdited(line: nil) }
    }
    return lock
  }

  /// The lines as they are, whether or not they are those that the head promises.
  static func readUnchecked(_ bytes: [UInt8], _ head: LockHead) throws -> Lock {
    var reader = LockReader(head, bytes)
    try reader.readLines()
    return reader.lock
  }

  private init(_ head: LockHead, _ bytes: [UInt8]) {
    (self.head, self.bytes) = (head, bytes)
  }

  private var lock: Lock {
    Lock(
      head: head, options: options, first: first, base: base,
      snapshots: folders.filter(\.isSnapshot),
      migrations: folders.filter { !$0.isSnapshot })
  }

  private mutating func readLines() throws {
    var rest = bytes[head.length...]
    while !rest.isEmpty {
      guard let end = rest.firstIndex(of: 0x0A) else { throw unexpected(rest) }
      try readLine(rest[..<end])
      rest = rest[(end + 1)...]
      line += 1
    }
  }

  /// `0001_elements/ …`, `0001_elements/up.sql …`, `base …`, `data/first.sqlite …` or
  /// `catalog.json …`.
  private mutating func readLine(_ text: ArraySlice<UInt8>) throws {
    guard let slash = text.firstIndex(of: UInt8(ascii: "/")) else { return try readOptions(text) }
    let rest = text[(slash + 1)...]
    if text.first == UInt8(ascii: "d") {
      guard folders.isEmpty, base == nil, first == nil, let found = FirstDatabase(line: text) else {
        throw unexpected(text)
      }
      first = found
    } else if text.first == UInt8(ascii: "b") {
      guard folders.isEmpty, base == nil, let found = CatalogBase(line: text) else {
        throw unexpected(text)
      }
      base = found
    } else if rest.first == UInt8(ascii: " ") {
      guard let folder = folder(text[..<slash], rest.dropFirst()), isInOrder(folder) else {
        throw unexpected(text)
      }
      folders.append(folder)
    } else {
      guard folders.last?.folder.utf8.elementsEqual(text[..<slash]) == true,
        let line = LockedLine(rest)
      else { throw unexpected(text) }
      try add(line, text)
    }
  }

  private mutating func readOptions(_ text: ArraySlice<UInt8>) throws {
    guard let line = LockedLine(text), line.name == Lock.optionsName, options == nil,
      folders.isEmpty, base == nil, first == nil
    else { throw unexpected(text) }
    options = line.locked
  }

  /// `0001_elements/`, the digests, and ` withdrawn` if it is.
  private func folder(_ name: ArraySlice<UInt8>, _ rest: ArraySlice<UInt8>) -> Migration? {
    var words = rest.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)[...]
    let isWithdrawn = words.count > 1 && words.last?.elementsEqual("withdrawn".utf8) == true
    if isWithdrawn { words.removeLast() }
    guard let sums = LockedSums(words) else { return nil }
    let folder = String(decoding: name, as: UTF8.self)
    let name = FolderName(folder)
    guard let (version, words: description) = name.parts else { return nil }
    let isSnapshot = name == .snapshot(version, words: description)
    // Every migration is for both engines or none, and a snapshot may be for SQLite alone.
    guard (sums.other != nil) == (head.otherChain != nil) || isSnapshot && sums.other == nil else {
      return nil
    }
    return Migration(
      version: version, name: description, folder: folder, files: [],
      isWithdrawn: isWithdrawn, isSnapshot: isSnapshot, checksum: sums.checksum,
      chain: sums.chain, rows: 0, other: sums.other)
  }

  /// A snapshot may have the version of the migration before it.
  private func isInOrder(_ next: Migration) -> Bool {
    let last = folders.last?.version ?? base?.version ?? 0
    let isAgain = next.isSnapshot && folders.last?.isSnapshot != true
    return next.version > last || next.version == last && isAgain
  }

  private mutating func add(_ line: LockedLine, _ text: ArraySlice<UInt8>) throws {
    let last = folders.count - 1
    switch FileName(line.name) {
    case .ignored: throw unexpected(text)
    case .unknown(let nearest):
      throw SeedbedError.fileUnknown(folders[last].folder + "/" + line.name, nearest: nearest)
    case .twin(let kind):
      if folders[last].other == nil { throw unexpected(text) }
      folders[last].other?.sql.append(
        MigrationFile(
          name: line.name, kind: kind, size: line.locked.size, isCompressed: false,
          locked: line.locked))
    case .legal(let kind, let isCompressed):
      folders[last].files.append(
        MigrationFile(
          name: line.name, kind: kind, size: line.locked.size, isCompressed: isCompressed,
          locked: line.locked))
      let rows = Int64(folders[last].rows ?? 0) + Int64(line.locked.rows ?? 0)
      folders[last].rows = Int(clamping: rows)
    }
  }

  private func unexpected(_ text: ArraySlice<UInt8>) -> SeedbedError {
    SeedbedError.lockLine(
      String(decoding: text, as: UTF8.self),
      expected: "a folder or a file with its sizes and digests", line: line)
  }
}

extension Lock {
  /// The chain up to a version; nil if it has no folder, and is not the base.
  package func chain(of version: Version) -> String? { chains(of: version).own }

  /// The chains of both engines up to a version; nil if it has no folder, and is not the base.
  package func chains(of version: Version) -> (own: String?, other: String?) {
    if let base, base.version == version { return (base.chain, base.other?.chain) }
    let migration = migrations.first { $0.version == version }
    return (migration?.chain, migration?.other?.chain)
  }
}
