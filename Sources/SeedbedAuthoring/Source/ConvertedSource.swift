import Seedbed

/// A source that is no CSV, as the CSV that says the same, and the origin of each record.
struct ConvertedSource {
  private(set) var csv: [UInt8]
  /// The columns in which a value is text, even if it looks like a number.
  let texts: Set<Int>
  private let place: String
  private let header: [String]
  /// The line at which each column is first named.
  private let headerLines: [Int?]
  /// The line of each record in the CSV, in ascending order, with the one that it comes from.
  private var records: [(line: Int, start: Int, origin: Int?)] = []

  /// The fields of a record, and the line that it comes from. Those that it lacks at its end are
  /// NULL.
  typealias Record = (csv: [UInt8], count: Int, line: Int?)

  init(
    _ header: [(name: String, line: Int?)], texts: Set<Int>, _ found: [Record], place: String
  ) throws {
    self.place = place
    self.texts = texts
    self.header = header.map(\.name)
    headerLines = header.map(\.line)
    csv = Array((header.map(\.name.quotedField).joined(separator: ",") + "\n").utf8)
    csv.reserveCapacity(found.reduce(csv.count) { $0 + $1.csv.count + header.count })
    records.reserveCapacity(found.count)
    // A name may have a line end in it, too.
    var line = csv.count { $0 == 0x0A } + 1
    for record in found {
      if record.csv.allSatisfy({ $0 == UInt8(ascii: ",") }) {
        throw SeedbedError(
          .csv, "A row has nothing but NULL. Give it a value, or remove it.",
          at: .init(place, line: record.line))
      }
      records.append((line, csv.count, record.line))
      csv += record.csv
      for _ in record.count..<max(record.count, header.count) { csv.append(UInt8(ascii: ",")) }
      csv.append(UInt8(ascii: "\n"))
      line += record.csv.count { $0 == 0x0A } + 1
    }
  }

  /// The line of the source from which a record comes, by its line in the CSV; nil if there are no
  /// lines.
  func origin(ofLine line: Int) -> Int? { record(onLine: line)?.origin }

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
    if let record = record(onLine: line) {
      origin = record.origin
      if origin == nil { message += " It is in the row with \(keyText(of: record.start))." }
    } else {
      origin = at.column.flatMap { column in headerLines[headerIndex(atByte: column)] }
    }
    let told = SeedbedError(error.code, message, at: SeedbedError.Place(place, line: origin))
      .remedied(as: error)
    return error.cause.map { told.because(of: $0) } ?? told
  }

  /// nil for the header.
  private func record(onLine line: Int) -> (line: Int, start: Int, origin: Int?)? {
    var (low, high) = (0, records.count)
    while low < high {
      let middle = (low + high) / 2
      if records[middle].line <= line { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : records[low - 1]
  }

  private func headerIndex(atByte column: Int) -> Int {
    var end = 0
    for (index, name) in header.enumerated() {
      end += name.quotedField.utf8.count + 1
      if column <= end { return index }
    }
    return header.count - 1
  }

  /// The first field, which identifies the row in most tables.
  private func keyText(of start: Int) -> String {
    var isQuoted = false
    let field = csv[start...].prefix { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return isQuoted || byte != 0x0A && byte != UInt8(ascii: ",")
    }
    let text = field.isEmpty ? "NULL" : String(decoding: field, as: UTF8.self)
    return "\(header[0])=\(text.shortened(to: 40))"
  }
}

extension String {
  /// A CSV field in quotes, which is text even if it is empty or looks like a number.
  var quotedField: String { "\"" + doubling("\"") + "\"" }
}
