import Seedbed
import SeedbedCells

/// Turns values back into fields.
extension FieldDecoder {
  /// The field that this decoder reads as exactly this value, quoted if necessary; nil if there is
  /// none, such as for a number in a column of text.
  func field(of value: Value) -> String? {
    switch (self, value) {
    case (_, .null): return ""
    case (.verbatim, .text(let text)), (.numberOrText, .text(let text)):
      guard !text.utf8.contains(0), self == .verbatim || reads(text, as: value) else { return nil }
      return text.csvField
    case (.check, .text(let text)): return reads(text, as: value) ? text.csvField : nil
    case (.boolean, .integer(let number)): return number == 0 || number == 1 ? "\(number)" : nil
    case (.integer, .integer(let number)), (.number, .integer(let number)),
      (.numberOrText, .integer(let number)), (.check, .integer(let number)):
      return String(number)
    case (.real, .real(let number)): return number.isFinite ? DecimalText.text(number) : nil
    case (.number, .real(let number)), (.numberOrText, .real(let number)):
      return reads(number.description, as: value) ? number.description : nil
    case (.base64, .blob(let bytes)): return BlobEncoding.base64.text(of: bytes).csvField
    case (.hex, .blob(let bytes)): return BlobEncoding.hex.text(of: bytes).csvField
    default: return nil
    }
  }

  private func reads(_ text: String, as value: Value) -> Bool { self.value(of: text) == value }
}

extension BlobEncoding {
  func text(of bytes: [UInt8]) -> String {
    switch self {
    case .base64: .base64(bytes)
    case .hex: bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }
}

extension String {
  /// A field of a CSV record. The empty text is `""`, since an empty field is NULL.
  var csvField: String {
    let isPlain = utf8.allSatisfy { byte in
      byte != 0x2C && byte != 0x22 && byte != 0x0A && byte != 0x0D
    }
    return isPlain && !isEmpty ? self : "\"" + doubling("\"") + "\""
  }
}
