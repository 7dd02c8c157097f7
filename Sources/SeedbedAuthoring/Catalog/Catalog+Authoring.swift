package import Seedbed

// The parts of a catalog that the lock's writer needs.

extension Catalog {
  package var hasLock: Bool { head != nil }

  /// The facts about catalog.json for the lock; nil if there is no such file.
  package func optionsSummary() throws -> LockedFile? {
    let root = try source.root()
    guard try root.kind(of: Lock.optionsName) != nil else { return nil }
    return try LockedFile.read(
      try root.open(Lock.optionsName), place: Lock.optionsName, isCompressed: false, isRows: false)
  }

  /// The number of records in a row file.
  func records(
    of file: MigrationFile, in migration: Migration
  ) throws -> RecordTexts {
    RecordTexts(
      try RowReader(
        try open(file, in: migration), place: migration.place(of: file),
        isCompressed: file.isCompressed, locked: nil, limits: .ofAuthor))
  }

  /// The engine whose SQL the author writes first: PostgreSQL only in a catalog for it alone.
  func authoredEngine() throws -> EngineName { try servesSQLite() ? .sqlite : .postgresql }

  /// The migration with the SQL that its author writes: PostgreSQL's in a catalog for it alone.
  func authored(_ migration: Migration) throws -> Migration {
    try authoredEngine() == .sqlite ? migration : migration.ofOtherEngine ?? migration
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

  /// The statements of an SQL file.
  package func statements(of file: MigrationFile, in migration: Migration) throws -> [String] {
    Script(name: file.name, bytes: try bytes(of: file.name, in: migration.folder)).statements()
  }

  /// A migration.json with another description, and otherwise the options of an existing one. A
  /// withdrawal is left out, since it applies to that migration alone.
  package func optionsFile(
    like migration: Migration, description: String
  ) throws -> [UInt8] {
    let file = migration.file(.options)
    return try Self.optionsFile(
      description: description, like: file.map { try bytes(of: $0.name, in: migration.folder) },
      place: migration.folder + "/migration.json", without: ["withdrawn"])
  }

  /// The same from the bytes of an existing file; nil for none.
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

  /// The existing lock, read completely but not trusted; nil if there is none.
  package func existingLock() throws -> (lock: Lock, bytes: [UInt8])? {
    let root = try source.root()
    guard try root.kind(of: Lock.fileName) != nil else { return nil }
    let bytes = try root.open(Lock.fileName).content(limit: Lock.sizeLimit)
    return (try LockReader.read(bytes), bytes)
  }

  /// The same, but also nil for a lock that cannot be read, which does not show what was released.
  ///
  /// - Throws: for a lock from a newer Seedbed, which can read what was released.
  func oldLock() throws -> (lock: Lock, bytes: [UInt8])? {
    do {
      return try existingLock()
    } catch let error as SeedbedError where error.cause == .laterSeedbed {
      throw error
    } catch {
      return nil
    }
  }
}

extension Lock {
  /// The checksum of the lines below the head.
  package static func check(of lines: String) -> String {
    var lines = lines
    return lines.withUTF8 { CRC32.of(UnsafeRawBufferPointer($0)) }
  }
}
