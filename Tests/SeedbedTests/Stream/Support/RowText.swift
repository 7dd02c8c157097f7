import SeedbedCells
import Testing

@testable import Seedbed

/// How a file is cut into pieces while it is read.
struct Cut: CustomTestStringConvertible {
  var chunkBytes: Int
  var readBytes: Int

  static let sizes = [1, 2, 3, 7, 64, Int.max]

  /// Every size of chunks with every size of reads, whole first.
  static let all = sizes.reversed().flatMap { chunk in
    sizes.reversed().map { Cut(chunkBytes: min(chunk, 256 << 10), readBytes: $0) }
  }

  static let whole = all[0]

  var limits: RowReader.Limits {
    var limits = RowReader.Limits()
    limits.chunkBytes = chunkBytes
    limits.readBytes = readBytes
    return limits
  }

  var testDescription: String { "chunks of \(chunkBytes) bytes, reads of \(readBytes)" }
}

/// What a row file holds, as one line of text for each record.
enum RowText {
  /// `12 'text' NULL 1.5 x'00ff'`: the decoded fields of each record.
  static func rows(
    _ file: ScratchFile, types: [String]? = nil, locked: LockedFile? = nil, cut: Cut = .whole,
    isAhead: Bool = false, adjusting: (inout RowReader.Limits) -> Void = { _ in }
  ) throws -> [String] {
    var limits = cut.limits
    adjusting(&limits)
    let reader = try RowReader(
      try file.open(), place: file.name, isCompressed: file.name.hasSuffix(".gz"), locked: locked,
      limits: limits)
    reader.decoders = try (types ?? reader.header.map { _ in "TEXT" }).map(decoder)
    if isAhead { try reader.startAhead() }
    var rows: [String] = []
    try reader.forEachChunk { rows += text($0, reader.decoders.count) }
    return rows
  }

  /// The same, or the error: its code and its whole text.
  static func outcome(
    _ file: ScratchFile, types: [String]? = nil, locked: LockedFile? = nil, cut: Cut = .whole,
    isAhead: Bool = false, adjusting: (inout RowReader.Limits) -> Void = { _ in }
  ) -> [String] {
    do {
      return try rows(
        file, types: types, locked: locked, cut: cut, isAhead: isAhead, adjusting: adjusting)
    } catch {
      return [words(error)]
    }
  }

  /// `csv t.csv:2:4: Text follows a closing quote. …`
  static func words(_ error: any Error) -> String {
    guard let error = error as? SeedbedError else { return "\(error)" }
    return "\(error.code) \(error)"
  }

  static func decoder(_ type: String) throws -> FieldDecoder {
    switch type {
    case "BLOB base64": return .base64
    case "BLOB hex": return .hex
    default:
      let column = ColumnSchema(
        name: "c", declaredType: type, isNotNull: false, defaultSQL: nil, primaryKeyPosition: 0,
        generated: .no, collation: "BINARY")
      return try FieldDecoder(column: column, isStrict: false, blob: nil)
    }
  }

  private static func text(_ chunk: Chunk, _ width: Int) -> [String] {
    (0..<chunk.recordCount).map { record in
      (0..<width).map { text(chunk.cells[record * width + $0], in: chunk) }
        .joined(separator: " ")
    }
  }

  static func text(_ cell: Cell, in chunk: Chunk) -> String {
    switch cell.kind {
    case .null: return "NULL"
    case .integer: return "\(Int64(bitPattern: cell.bits))"
    case .real: return "\(Double(bitPattern: cell.bits))"
    case .escaped: return "escaped"
    case .text: return "'\(chunk.text(cell))'"
    case .blob:
      let bytes = UnsafeBufferPointer(start: chunk.bytes + cell.start, count: Int(cell.length))
      return "x'\(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())'"
    }
  }
}

extension RowReader {
  /// Reads to the end, on this thread.
  func forEachChunk(_ body: (Chunk) throws -> Void = { _ in }) throws {
    var chunk: Chunk?
    while let next = try next(returning: chunk) {
      try body(next)
      chunk = next
    }
  }
}
