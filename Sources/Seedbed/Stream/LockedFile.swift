import SeedbedCells

/// The facts about one file in the lock.
package struct LockedFile: Sendable, Equatable {
  /// The size in bytes on disk.
  package var size: Int64
  /// The size in bytes after decompression; equals `size` for a file that is not compressed.
  package var contentSize: Int64
  /// The number of records in a CSV file, without its header; nil for other files.
  package var rows: Int?
  /// SHA-256 of the decompressed content, 64 hexadecimal digits.
  package var digest: String
}

extension LockedFile {
  /// Reads the whole file, or until its content is longer than `limit`. A row file is checked as
  /// far as is possible without a schema.
  package static func read(
    _ file: any ReadableFile, place: String, isCompressed: Bool, isRows: Bool,
    limit: Int64 = .max, limits: RowReader.Limits = RowReader.Limits()
  ) throws -> LockedFile {
    let onDisk = try file.size()
    if isRows {
      let reader = try RowReader(
        file, place: place, isCompressed: isCompressed, locked: nil, limits: limits)
      var chunk: Chunk?
      repeat { chunk = try reader.next(returning: chunk) } while chunk != nil
      let totals = reader.totals
      return LockedFile(
        size: onDisk, contentSize: totals.contentBytes, rows: totals.rows, digest: totals.digest)
    }
    let content = try ContentReader(file, place: place, isCompressed: isCompressed)
    let digest = Digest()
    var size: Int64 = 0
    try content.readAll {
      digest.update($0)
      size += Int64($0.count)
      return size <= limit
    }
    return LockedFile(size: onDisk, contentSize: size, digest: digest.finish())
  }

  /// Throws if a fact about the file differs from the lock.
  static func require<Fact: Equatable>(
    _ what: String, _ found: Fact, _ expected: Fact, _ file: String
  ) throws {
    if found == expected { return }
    throw SeedbedError.lockMismatch(what, found: "\(found)", expected: "\(expected)", file)
  }
}
