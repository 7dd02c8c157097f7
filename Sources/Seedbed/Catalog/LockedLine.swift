/// The line of one file in the lock: `0001_elements/up.sql 312 312 - 77b0…`.
struct LockedLine {
  /// Where in the text its name stands, without the folder.
  var name: Range<Int>
  var size: Int64
  var contentSize: Int64
  var rows: Int64?
  /// Where in the text the digest begins.
  var digest: Int

  /// A digest's hexadecimal digits.
  static let digestLength = 64

  /// Reads a line from its end, since a name may hold spaces; nil where it is not of that form.
  init?(_ bytes: [UInt8], _ line: Range<Int>, nameFrom start: Int) {
    digest = line.upperBound - Self.digestLength
    var end = digest - 1
    guard end > start, bytes[end] == UInt8(ascii: " ") else { return nil }
    if bytes[end - 1] == UInt8(ascii: "-") {
      end -= 2
    } else {
      guard let rows = Self.number(bytes, before: &end, from: start) else { return nil }
      self.rows = rows
    }
    guard let contentSize = Self.number(bytes, before: &end, from: start),
      let size = Self.number(bytes, before: &end, from: start), end > start
    else { return nil }
    self.size = size
    self.contentSize = contentSize
    name = start..<end
  }

  /// The number that stands before the space at `end`, which moves to the space before it.
  private static func number(
    _ bytes: [UInt8], before end: inout Int, from start: Int
  ) -> Int64? {
    var first = end
    while first > start, bytes[first - 1].isDigit { first -= 1 }
    guard first > start, first < end, bytes[end] == UInt8(ascii: " "),
      bytes[first - 1] == UInt8(ascii: " "),
      let number = FolderName.version(bytes[first..<end])
    else { return nil }
    end = first - 1
    return number
  }

  func locked(_ bytes: [UInt8]) -> LockedFile {
    LockedFile(
      size: size, contentSize: contentSize, rows: rows.map { Int(clamping: $0) },
      digest: String(decoding: bytes[digest..<(digest + Self.digestLength)], as: UTF8.self))
  }

  func name(_ bytes: [UInt8]) -> String { String(decoding: bytes[name], as: UTF8.self) }

  /// The file; nil where the name is none that a migration's folder may hold.
  func file(_ bytes: [UInt8]) -> MigrationFile? {
    let name = name(bytes)
    guard case .legal(let kind, let isCompressed) = FileName(name) else { return nil }
    return MigrationFile(
      name: name, kind: kind, size: size, isCompressed: isCompressed, locked: locked(bytes))
  }
}
