/// The line of one file in the lock, without its folder: `up.sql 312 312 - 77b0…`.
struct LockedLine {
  var name: String
  var locked: LockedFile

  /// A digest's hexadecimal digits.
  private static let digestLength = 64

  /// Reads a line from its end, since a name may hold spaces; nil if it is not of that form.
  init?(_ text: ArraySlice<UInt8>) {
    let digest = text.suffix(Self.digestLength)
    var rest = text.dropLast(Self.digestLength)
    guard rest.popLast() == UInt8(ascii: " ") else { return nil }
    var rows: Int64?
    if rest.suffix(2).elementsEqual(" -".utf8) {
      rest.removeLast(2)
    } else {
      rows = Self.takeNumber(&rest)
      if rows == nil { return nil }
    }
    guard let contentSize = Self.takeNumber(&rest), let size = Self.takeNumber(&rest),
      !rest.isEmpty
    else { return nil }
    name = String(decoding: rest, as: UTF8.self)
    locked = LockedFile(
      size: size, contentSize: contentSize, rows: rows.map { Int(clamping: $0) },
      digest: String(decoding: digest, as: UTF8.self))
  }

  /// No file has so many bytes or rows, and the sums of a forged lock must not overflow.
  private static let tooMany: Int64 = 1 << 40

  /// Takes the last word off, with the space before it; nil if it is no such number.
  private static func takeNumber(_ rest: inout ArraySlice<UInt8>) -> Int64? {
    guard let space = rest.lastIndex(of: UInt8(ascii: " ")) else { return nil }
    let digits = rest[(space + 1)...]
    guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
    rest = rest[..<space]
    return FolderName.version(digits).flatMap { $0 < tooMany ? $0 : nil }
  }
}
