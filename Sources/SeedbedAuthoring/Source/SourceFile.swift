import Seedbed
import SeedbedCells

/// A source CSV: a file anywhere, plain or `.gz`.
struct SourceFile: Sendable, Equatable {
  let path: String
  /// Its name in errors.
  let place: String

  init(_ path: String, place: String) {
    self.path = path
    self.place = place
  }

  func reader() throws -> RowReader {
    // The author may keep it behind a link.
    let (folder, name) = Paths.split(Paths.absolute(path))
    guard Paths.exists(path) else { throw SeedbedError.sourceMissing(place) }
    return try RowReader(
      try Folder(folder).open(name), place: place, isCompressed: name.hasSuffix(".gz"),
      locked: nil, limits: .ofAuthor)
  }

  /// The bytes before the first record, as in a plain file.
  func head() throws -> [UInt8] {
    let (folder, name) = Paths.split(Paths.absolute(path))
    var head = [UInt8](repeating: 0, count: try reader().headerBytes)
    let file = try Folder(folder).open(name)
    var done = 0
    while done < head.count {
      let count = try head.withUnsafeMutableBytes {
        try file.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[done...]))
      }
      // The file has just been truncated.
      if count == 0 { throw SeedbedError.sourceMissing(place) }
      done += count
    }
    return head
  }

  func records() throws -> RecordTexts { RecordTexts(try reader()) }

  /// The names in its first line.
  func header() throws -> [String] { try reader().header.map(\.name) }
}

extension SourceFile {
  /// The common properties of a column's fields.
  struct Column: Sendable, Equatable {
    let name: String
    fileprivate(set) var isInteger = true
    fileprivate(set) var isReal = true
    fileprivate(set) var hasNull = false
    /// True if no value has occurred twice and none is NULL.
    fileprivate(set) var isUnique = true
    fileprivate(set) var hasValue = false
  }

  /// Reads files with the same header as text, to propose a table for them.
  static func columns(of files: [SourceFile]) throws -> [Column] {
    var columns: [Column] = []
    var seen: [Set<Int>] = []
    for file in files {
      let reader = try file.reader()
      if columns.isEmpty {
        columns = reader.header.map { Column(name: $0.name) }
        seen = columns.map { _ in [] }
      }
      let places = reader.header.map { field in
        columns.firstIndex { $0.name.isSameName(as: field.name) }
      }
      reader.decoders = reader.header.map { _ in .verbatim }
      var chunk: Chunk?
      while let next = try reader.next(returning: chunk) {
        for record in 0..<next.recordCount {
          for (index, place) in places.enumerated() {
            guard let place else { continue }
            look(
              at: next.cells[record * places.count + index], in: next, &columns[place], &seen[place]
            )
          }
        }
        chunk = next
      }
    }
    return columns
  }

  private static func look(
    at cell: Cell, in chunk: Chunk, _ column: inout Column, _ seen: inout Set<Int>
  ) {
    guard cell.kind != .null else {
      column.hasNull = true
      column.isUnique = false
      return
    }
    column.hasValue = true
    // Sound: the bytes belong to the chunk, which only this code uses now.
    let field = UnsafeMutableBufferPointer(
      start: chunk.bytes + cell.start, count: Int(cell.length))
    if column.isInteger { column.isInteger = NumberText.integer(field) != nil }
    if column.isReal {
      let decimal = NumberText.decimal(field)
      column.isReal = decimal.map { !$0.hasLeadingZeros } ?? false && NumberText.real(field) != nil
    }
    guard column.isUnique else { return }
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(field))
    column.isUnique = seen.insert(hasher.finalize()).inserted
    if !column.isUnique { seen = [] }
  }
}
