/// The tar format, as far as a bundle uses it: plain files, each with the one header that it can
/// have. What a header cannot express, such as a link or an owner, is in no bundle.
package enum Ustar {
  package static let blockSize = 512
  /// The zero bytes at the end of an archive.
  package static let endSize: Int64 = 1024

  /// The header of a file; nil if its name is too long, or the file too large.
  package static func header(_ path: String, size: Int64) -> [UInt8]? {
    guard let (prefix, name) = split(path), size >= 0, size < Int64(1) << 33 else { return nil }
    var header = [UInt8](repeating: 0, count: blockSize)
    func put(_ text: some Collection<UInt8>, at offset: Int) {
      header.replaceSubrange(offset..<(offset + text.count), with: text)
    }
    put(name, at: 0)
    put("0000644\u{0}0000000\u{0}0000000\u{0}".utf8, at: 100)
    put(octal(size, digits: 11), at: 124)
    put("00000000000\u{0}".utf8, at: 136)
    // The sum is computed as if its own field were blank.
    put("        0".utf8, at: 148)
    put("ustar\u{0}00".utf8, at: 257)
    put(prefix, at: 345)
    put(octal(header.reduce(0) { $0 + Int64($1) }, digits: 6), at: 148)
    header[154] = 0
    return header
  }

  /// The size of a file with the zero bytes after it.
  package static func padded(_ size: Int64) -> Int64 { (size + 511) / 512 * 512 }

  /// The file that a header describes; nil if it is not exactly the header of a plain file.
  package static func file(_ header: [UInt8]) -> (path: String, size: Int64)? {
    guard header.count == blockSize else { return nil }
    func text(_ range: Range<Int>) -> String {
      String(decoding: header[range].prefix { $0 != 0 }, as: UTF8.self)
    }
    let prefix = text(345..<500)
    let path = (prefix.isEmpty ? "" : prefix + "/") + text(0..<100)
    guard let size = Int64(text(124..<135), radix: 8), self.header(path, size: size) == header
    else { return nil }
    return (path, size)
  }

  /// The folder and the name, each as long as its field can hold.
  private static func split(_ path: String) -> (prefix: [UInt8], name: [UInt8])? {
    let bytes = Array(path.utf8)
    if bytes.isEmpty || bytes.contains(0) { return nil }
    if bytes.count <= 100 { return ([], bytes) }
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    let (prefix, name) = (bytes[..<slash], bytes[(slash + 1)...])
    return prefix.count <= 155 && name.count <= 100 ? (Array(prefix), Array(name)) : nil
  }

  private static func octal(_ number: Int64, digits: Int) -> [UInt8] {
    let text = String(number, radix: 8)
    return Array((String(repeating: "0", count: max(0, digits - text.utf8.count)) + text).utf8)
  }
}
