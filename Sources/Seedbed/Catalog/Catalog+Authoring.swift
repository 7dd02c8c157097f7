// What the lock's writer asks of a catalog.

extension Catalog {
  package var hasLock: Bool { head != nil }

  /// What the lock is to say of catalog.json; nil where there is none.
  package func optionsSummary() throws -> LockedFile? {
    let root = try source.root()
    guard try root.kind(of: Lock.optionsName) != nil else { return nil }
    let file = try root.open(Lock.optionsName)
    let summary = try ContentSummary.read(
      file, place: Lock.optionsName, isCompressed: false, isRows: false)
    return LockedFile(
      size: try file.size(), contentSize: summary.contentSize, digest: summary.digest)
  }

  /// The bytes of a file as they are in the folder; by its path in the catalog, `catalog.json`.
  package func bytes(of file: String, in folder: String? = nil) throws -> [UInt8] {
    let root = try source.root()
    let place = try folder.map { try root.folder($0) } ?? root
    return try place.open(file).content(limit: Int.max)
  }

  /// The options of catalog.json.
  package func generalOptions() throws -> MigrationOptions {
    let root = try source.root()
    return try OptionsFile.general(in: root, isThere: try hasOptions(), locked: nil)
  }

  package func hasOptions() throws -> Bool {
    try source.root().kind(of: Lock.optionsName) != nil
  }

  /// The lock that is there, read whole and trusted by nobody; nil where there is none.
  package func existingLock() throws -> (lock: Lock, bytes: [UInt8])? {
    let root = try source.root()
    guard try root.kind(of: Lock.fileName) != nil else { return nil }
    let bytes = try root.open(Lock.fileName).content(limit: Lock.sizeLimit)
    return (try LockReader.read(bytes), bytes)
  }
}

extension Finding {
  package init(_ error: SeedbedError) {
    self.init(error, version: error.version)
  }

  package static func lockMissing(_ path: String) -> Finding {
    Finding(SeedbedError.lockMissing(path))
  }
}

extension Lock {
  /// What the head says of the lines below it.
  package static func check(of lines: String) -> String {
    var lines = lines
    return lines.withUTF8 { CRC32.of(UnsafeRawBufferPointer($0)) }
  }
}
