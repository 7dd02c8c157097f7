package import SeedbedCells

extension FieldDecoder {
  /// The value that this decoder reads from the text of a field; nil if the text does not fit.
  package func value(of text: String) -> Value? {
    var bytes = Array(text.utf8) + [0]
    var cell = Cell(bits: 0, length: UInt32(bytes.count - 1), kind: .text)
    return bytes.withUnsafeMutableBufferPointer { buffer -> Value? in
      guard let start = buffer.baseAddress,
        decode(&cell, stride: 1, count: 1, in: start, empty: .refused) == nil
      else { return nil }
      switch cell.kind {
      case .integer: return .integer(Int64(bitPattern: cell.bits))
      case .real: return .real(Double(bitPattern: cell.bits))
      case .null: return nil
      case .text, .escaped, .blob:
        let content = buffer[cell.start..<cell.start + Int(cell.length)]
        return cell.kind == .blob
          ? .blob(Array(content)) : .text(String(decoding: content, as: UTF8.self))
      }
    }
  }
}
