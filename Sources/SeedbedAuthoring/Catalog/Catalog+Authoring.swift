package import Seedbed

// What the lock's writer asks of a catalog.

extension Catalog {
  package var hasLock: Bool { head != nil }

  /// What the lock is to say of catalog.json; nil if there is none.
  package func optionsSummary() throws -> LockedFile? {
    let root = try source.root()
    guard try root.kind(of: Lock.optionsName) != nil else { return nil }
    return try LockedFile.read(
      try root.open(Lock.optionsName), place: Lock.optionsName, isCompressed: false, isRows: false)
  }

  /// The records of a row file.
  func records(
    of file: MigrationFile, in migration: Migration
  ) throws -> RecordTexts {
    RecordTexts(
      try RowReader(
        try open(file, in: migration), place: migration.place(of: file),
        isCompressed: file.isCompressed, locked: nil, limits: .ofAuthor))
  }

  /// The bytes of catalog.json for a copy without SQL for PostgreSQL.
  func optionsOfDevices() throws -> [UInt8] {
    let bytes = try bytes(of: Lock.optionsName)
    guard try generalOptions().engines != [.sqlite],
      case .object(let members) = try JSONParser.parse(bytes, file: Lock.optionsName).value
    else { return bytes }
    let kept = members.filter { $0.key != "engines" }.map { "\($0.key.json): \($0.value.text)" }
    return Array("{\(kept.joined(separator: ", "))}\n".utf8)
  }

  /// The statements of a SQL file.
  package func statements(of file: MigrationFile, in migration: Migration) throws -> [String] {
    Script(name: file.name, bytes: try bytes(of: file.name, in: migration.folder)).statements()
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
    var members = ["\"description\": " + description.json]
    if let bytes, case .object(let others) = try JSONParser.parse(bytes, file: place).value {
      let kept = others.filter { $0.key != "description" && !names.contains($0.key) }
      members += kept.map { "\($0.key.json): \($0.value.text)" }
    }
    return Array("{\(members.joined(separator: ", "))}\n".utf8)
  }

  /// The existing lock, read completely and not trusted; nil if there is none.
  package func existingLock() throws -> (lock: Lock, bytes: [UInt8])? {
    let root = try source.root()
    guard try root.kind(of: Lock.fileName) != nil else { return nil }
    let bytes = try root.open(Lock.fileName).content(limit: Lock.sizeLimit)
    return (try LockReader.read(bytes), bytes)
  }

  /// The same; nil also for one that cannot be read, which says nothing of what was released.
  ///
  /// - Throws: for one that a newer Seedbed wrote: it does say so, to that one.
  func oldLock() throws -> (lock: Lock, bytes: [UInt8])? {
    do {
      return try existingLock()
    } catch let error as SeedbedError where error.cause == .newerLock {
      throw error
    } catch {
      return nil
    }
  }
}

extension Lock {
  /// What the head says of the lines below it.
  package static func check(of lines: String) -> String {
    var lines = lines
    return lines.withUTF8 { CRC32.of(UnsafeRawBufferPointer($0)) }
  }
}
