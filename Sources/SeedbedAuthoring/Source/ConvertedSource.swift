import Seedbed

/// A source that is no CSV, as the CSV that says the same, and the origin of each record. The CSV
/// is made while it is read.
struct ConvertedSource {
  /// Appends the next record to the CSV; false at the end.
  typealias Records = (inout [UInt8]) throws -> Bool

  /// The columns in which a value is text, even if it looks like a number.
  let texts: Set<Int>
  /// The header's record.
  let head: [UInt8]
  private let place: String
  private let header: [String]
  /// The line at which each column is first named.
  private let headerLines: [Int?]
  /// nil if the source has no lines.
  private let origins: Origins?
  private let records: () throws -> Records

  init(
    _ header: [String], _ headerLines: [Int?], texts: Set<Int>, _ origins: Origins?,
    place: String, _ records: @escaping () throws -> Records
  ) {
    head = Array((header.map(\.quotedField).joined(separator: ",") + "\n").utf8)
    (self.header, self.headerLines, self.texts) = (header, headerLines, texts)
    (self.origins, self.place, self.records) = (origins, place, records)
  }

  /// The CSV, from its header on.
  func file() throws -> any ReadableFile { File(place, head, try records()) }

  /// The line of the source from which a record comes, by its line in the CSV; nil if there are no
  /// lines.
  func origin(ofLine line: Int) -> Int? { origins?.origin(of: line - firstLine) }

  /// The line of the first record in the CSV. A name may have a line end in it, too.
  private var firstLine: Int { head.count { $0 == 0x0A } + 1 }

  /// The line at which a column is first named.
  func line(ofColumn name: String) -> Int? {
    header.firstIndex { $0.isSameName(as: name) }.flatMap { headerLines[$0] }
  }

  /// An error in the CSV, at the place in the source.
  func told(_ error: SeedbedError) -> SeedbedError {
    guard let at = error.place, at.file.isSameText(as: place), let line = at.line else {
      return error
    }
    var message = error.message
    var origin: Int?
    if line < firstLine {
      origin = at.column.flatMap { column in headerLines[headerIndex(atByte: column)] }
    } else if origins != nil {
      origin = self.origin(ofLine: line)
    } else if let key = keyText(ofLine: line) {
      message += " It is in the row with \(key)."
    }
    let told = SeedbedError(error.code, message, at: SeedbedError.Place(place, line: origin))
      .remedied(as: error)
    return error.cause.map { told.because(of: $0) } ?? told
  }

  private func headerIndex(atByte column: Int) -> Int {
    var end = 0
    for (index, name) in header.enumerated() {
      end += name.quotedField.utf8.count + 1
      if column <= end { return index }
    }
    return header.count - 1
  }

  /// The first field of a record, which identifies the row in most tables.
  private func keyText(ofLine line: Int) -> String? {
    // The error is reported in any case. This only improves it.
    guard let next = try? records() else { return nil }
    var record: [UInt8] = []
    var end = firstLine
    while end <= line {
      record.removeAll()
      guard (try? next(&record)) == true else { return nil }
      end += record.count { $0 == 0x0A }
    }
    var isQuoted = false
    let field = record.prefix { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return isQuoted || byte != 0x0A && byte != UInt8(ascii: ",")
    }
    let text = field.isEmpty ? "NULL" : String(decoding: field, as: UTF8.self)
    return "\(header[0])=\(text.shortened(to: 40))"
  }
}

extension ConvertedSource {
  /// The lines from which records come. In most files one record follows another on both sides, so
  /// only those are kept before which the two count differently: memory does not follow the file.
  struct Origins {
    private var jumps: [(line: Int, origin: Int)] = []
    /// The line in the CSV at which the next record begins, from 0, without the header.
    private var next = 0

    /// The next record comes from the line `origin`, and takes `lineCount` lines of the CSV.
    mutating func add(_ origin: Int, lineCount: Int) {
      if jumps.last.map({ origin - $0.origin != next - $0.line }) ?? true {
        jumps.append((next, origin))
      }
      next += lineCount
    }

    /// The line from which the record comes that begins on a line of the CSV.
    func origin(of line: Int) -> Int? {
      jumps.last { $0.line <= line }.map { $0.origin + line - $0.line }
    }
  }

  /// Makes the CSV as far as it is read.
  private final class File: ReadableFile {
    let path: String
    private var made: [UInt8]
    private let next: Records

    init(_ path: String, _ head: [UInt8], _ next: @escaping Records) {
      (self.path, made, self.next) = (path, head, next)
    }

    /// Unknown before the end.
    func size() -> Int64 { .max }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
      while made.count < buffer.count, try next(&made) {}
      let part = made.prefix(buffer.count)
      buffer.copyBytes(from: part)
      made.removeFirst(part.count)
      return part.count
    }
  }
}

extension SeedbedError {
  static func nullRow(_ place: Place) -> SeedbedError {
    .init(.csv, "A row has nothing but NULL. Give it a value, or remove it.", at: place)
  }
}

extension String {
  /// A CSV field in quotes, which is text even if it is empty or looks like a number.
  var quotedField: String { "\"" + doubling("\"") + "\"" }
}
