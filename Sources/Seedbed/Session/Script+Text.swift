import SeedbedCells

extension Script {
  /// The offset after a byte order mark, which counts as no column.
  package var textStart: Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

  package func checkText() throws {
    func refuse(_ offset: Int?, _ message: String) throws {
      guard let offset else { return }
      throw SeedbedError(.sql, message, at: place(piece(at: offset)))
    }
    let invalid = bytes.withUnsafeBytes { UTF8Check.firstInvalid($0) }
    try refuse(invalid, "This is not UTF-8. Save the file as UTF-8.")
    try refuse(bytes.firstIndex(of: 0), "Found a NUL byte. SQL files are text.")
  }

  /// A position in the file that only moves forward, so that each line is counted once.
  package struct Lines {
    private let bytes: [UInt8]
    private(set) var offset = 0
    private(set) var line = 1
    private(set) var lineStart: Int

    package init(in script: Script) { (bytes, lineStart) = (script.bytes, script.textStart) }

    package mutating func advance(to end: Int) {
      for index in offset..<max(offset, min(end, bytes.count)) where bytes[index] == 0x0A {
        line += 1
        lineStart = index + 1
      }
      offset = end
    }

    package func piece(_ sql: String) -> Piece {
      Piece(sql: sql, line: line, column: offset - lineStart + 1, offset: offset)
    }
  }

  package func piece(at offset: Int) -> Piece {
    var lines = Lines(in: self)
    lines.advance(to: offset)
    return piece(at: lines)
  }

  func piece(at place: Lines) -> Piece {
    let end = min(bytes.count, place.offset + 2000)
    return place.piece(
      String(decoding: bytes[min(place.offset, end)..<end], as: UTF8.self))
  }
}
