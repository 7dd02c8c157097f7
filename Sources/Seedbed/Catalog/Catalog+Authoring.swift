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

  /// The records of a row file.
  package func records(
    of file: MigrationFile, in migration: Migration
  ) throws -> RecordTexts {
    // The limit protects devices from a catalog that promises nothing; this is its author.
    var limits = RowReader.Limits()
    limits.contentBytes = .max
    return RecordTexts(
      try RowReader(
        try open(file, in: migration), place: migration.folder + "/" + file.name,
        isCompressed: file.isCompressed, locked: nil, limits: limits))
  }

  /// The statements of a SQL file.
  package func statements(of file: MigrationFile, in migration: Migration) throws -> [String] {
    Script(name: file.name, bytes: try bytes(of: file.name, in: migration.folder)).statements()
  }

  /// The options of catalog.json.
  package func generalOptions() throws -> MigrationOptions {
    let root = try source.root()
    return try OptionsFile.general(in: root, isThere: try hasOptions(), locked: nil)
  }

  /// A migration.json with other words for people, and all that one has besides; a withdrawal is
  /// of that migration alone.
  package func optionsFile(
    like migration: Migration, description: String
  ) throws -> [UInt8] {
    let file = migration.file(.options)
    return try Self.optionsFile(
      description: description, like: file.map { try bytes(of: $0.name, in: migration.folder) },
      place: migration.folder + "/migration.json", without: ["withdrawn"])
  }

  /// The same of the bytes of one; nil for none.
  package static func optionsFile(
    description: String, like bytes: [UInt8]?, place: String, without names: Set<String> = []
  ) throws -> [UInt8] {
    var members = [JSON.Member(key: "description", position: .init(), .string(description))]
    if let bytes, case .object(let others) = try JSONParser.parse(bytes, file: place).value {
      members += others.filter { $0.key != "description" && !names.contains($0.key) }
    }
    let json = JSON(value: .object(members), position: .init())
    return Array((json.text + "\n").utf8)
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
  /// - Throws: `catalog` for whatever `migrate lock` did not write.
  package static func read(_ bytes: [UInt8]) throws -> Lock { try LockReader.read(bytes) }

  /// What the head says of the lines below it.
  package static func check(of lines: String) -> String {
    var lines = lines
    return lines.withUTF8 { CRC32.of(UnsafeRawBufferPointer($0)) }
  }
}
