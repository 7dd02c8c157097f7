import SeedbedCells

@testable import Seedbed

/// What each target does with an input, and what must hold besides that it does not crash.
enum FuzzTargets {
  static let byName: [String: @Sendable (FuzzInput) throws -> Void] = [
    "gzip": gzip, "csv": csv, "options": options, "lock": lock, "database": database,
    "tar": tar, "signature": signature,
  ]

  /// Rows in gzip, as a catalog without a lock has them.
  @Sendable private static func gzip(_ input: FuzzInput) throws {
    try input.withFile { _ = try rows($0, isCompressed: true, readBytes: .max) }
  }

  /// The same rows must come of a file however it is cut into pieces, and so must the same error.
  @Sendable private static func csv(_ input: FuzzInput) throws {
    let whole = try answer(input, readBytes: .max)
    for size in [1, 7] {
      let pieces = try answer(input, readBytes: size)
      guard pieces == whole else { throw FuzzInput.Unusable(what: "\(whole) and \(pieces)") }
    }
  }

  private static func answer(_ input: FuzzInput, readBytes: Int) throws -> String {
    var answer = ""
    try input.withFile { file in
      do {
        answer = "\(try rows(file, isCompressed: false, readBytes: readBytes))"
      } catch let error as SeedbedError {
        answer = error.description
      }
    }
    return answer
  }

  private static func rows(
    _ file: OpenFile, isCompressed: Bool, readBytes: Int
  ) throws -> RowReader.Totals {
    var limits = RowReader.Limits()
    limits.contentBytes = 1 << 24
    limits.readBytes = readBytes
    if readBytes < .max { limits.chunkBytes = 64 }
    let reader = try RowReader(
      file, place: "input", isCompressed: isCompressed, locked: nil, limits: limits)
    let kinds: [FieldDecoder] = [
      .integer, .real, .boolean, .number, .numberOrText, .base64, .hex, .verbatim,
    ]
    // The last column is text, so that not every input fails at its first number.
    reader.decoders = reader.header.indices.map { index in
      index + 1 == reader.header.count ? .verbatim : kinds[index % kinds.count]
    }
    var chunk: Chunk?
    repeat { chunk = try reader.next(returning: chunk) } while chunk != nil
    return reader.totals
  }

  /// catalog.json and migration.json.
  @Sendable private static func options(_ input: FuzzInput) throws {
    for scope in [OptionsReader.Scope.catalog, .migration] {
      var options = MigrationOptions()
      do {
        try OptionsReader(file: "input", scope: scope).read(input.bytes, over: &options)
      } catch let error as SeedbedError {
        // A place that no editor can show helps nobody.
        let lines = input.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard let line = error.place?.line, let column = error.place?.column,
          lines.indices.contains(line - 1), (1...lines[line - 1].count + 1).contains(column)
        else { throw FuzzInput.Unusable(what: "\(error)") }
      }
    }
  }

  /// With the checksum mended, so that what stands behind it is reached.
  @Sendable private static func lock(_ input: FuzzInput) throws {
    _ = try? LockReader.read(input.bytes)
    guard let head = try? LockHead.parse(input.bytes) else { return }
    let check = input.bytes.withUnsafeBytes {
      CRC32.of(UnsafeRawBufferPointer(rebasing: $0[head.length...]))
    }
    var lines = input.bytes.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
    lines[2] = Array("body \(head.lines) crc32:\(check)".utf8)[...]
    let lock = try LockReader.read(Array(lines.joined(separator: [0x0A])))
    for migration in lock.migrations { _ = migration.files.count }
  }

  /// A database file that nobody made with SQLite, looked at by what only reads.
  @Sendable private static func database(_ input: FuzzInput) throws {
    let path = FuzzInput.folder + "/app.sqlite"
    try input.write(to: path)
    let migrator = Migrator(
      catalog: try Catalog(directory: FuzzInput.folder + "/Migrations"), at: path)
    _ = try? migrator.status()
    _ = try? migrator.conflicts()
    _ = try migrator.plan()
  }
}
