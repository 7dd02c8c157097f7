import SeedbedCells

extension [UInt8] {
  /// The bytes of a text in base64; nil if it is spelled in any other way than by `String.base64`.
  package init?(base64 text: String) {
    self = Array(text.utf8)
    guard let count = withUnsafeMutableBufferPointer({ Base64.decode($0) }) else { return nil }
    removeLast(self.count - count)
  }
}

extension String {
  package static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<Swift.min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for byte in group { bits = bits << 8 | UInt32(byte) }
      bits <<= UInt32(8 * (3 - group.count))
      for place in 0..<4 {
        let digit = digits[Int(bits >> UInt32(18 - 6 * place) & 63)]
        text.append(place <= group.count ? digit : 0x3D)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
