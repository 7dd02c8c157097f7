import SeedbedCells

/// Turns lines of JSON lines into records of CSV, and learns their columns.
///
/// It takes the lines that `JSONParser` takes, which says what is wrong with others.
package struct JSONRows {
  /// The names of the columns.
  package private(set) var keys: [[UInt8]] = []
  /// The columns in which a value is text, even if it looks like a number.
  package private(set) var texts: Set<Int> = []
  /// Whether the last line has nothing but NULL.
  package var isNull: Bool { text.isEmpty }

  private let mostMembers: Int
  private var indexes: [[UInt8]: Int] = [:]
  /// The fields of a line, one after the other.
  private var text: [UInt8] = []
  /// Where each column's field is in it; nil if the line lacks the key.
  private var fields: [Range<Int>?] = []

  /// - Parameter mostMembers: how many keys an object may have.
  package init(mostMembers: Int) { self.mostMembers = mostMembers }

  /// Appends a line to the CSV. Returns the number of lines that it takes there; nil if it is no
  /// object.
  package mutating func append(_ line: [UInt8], to csv: inout [UInt8]) -> Int? {
    text.removeAll(keepingCapacity: true)
    for index in fields.indices { fields[index] = nil }
    guard line.withUnsafeBytes(UTF8Check.isValid) else { return nil }
    do { try read(line) } catch { return nil }
    for (index, field) in fields.enumerated() {
      if index > 0 { csv.append(UInt8(ascii: ",")) }
      if let field { csv += text[field] }
    }
    csv.append(UInt8(ascii: "\n"))
    return text.count { $0 == UInt8(ascii: "\n") } + 1
  }

  private mutating func read(_ line: [UInt8]) throws(JSONScan.Fault) {
    var scan = JSONScan(line, mostMembers: mostMembers)
    var key: [UInt8] = []
    var (members, column) = (0, -1)
    scan.skipSpace()
    try scan.list(from: "{", to: "}") { (scan: inout JSONScan) throws(JSONScan.Fault) in
      try scan.key(into: &key)
      column = index(of: key, after: column)
      let start = text.count
      if try field(&scan) { texts.insert(column) }
      guard members < mostMembers, fields[column] == nil else { throw JSONScan.Fault() }
      fields[column] = start..<text.count
      members += 1
    }
    scan.skipSpace()
    guard scan.index == line.count else { throw JSONScan.Fault() }
  }

  /// Most lines have the same keys in the same order.
  private mutating func index(of key: [UInt8], after last: Int) -> Int {
    if last + 1 < keys.count, keys[last + 1] == key { return last + 1 }
    if let known = indexes[key] { return known }
    indexes[key] = keys.count
    keys.append(key)
    fields.append(nil)
    return keys.count - 1
  }

  /// Appends a value as a CSV field, and returns whether it is text. Lists and objects are text:
  /// their JSON, as it is written.
  private mutating func field(_ scan: inout JSONScan) throws(JSONScan.Fault) -> Bool {
    let (first, start, quote) = (scan.byte, scan.index, UInt8(ascii: "\""))
    let isText = first == quote || first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
    if isText { text.append(quote) }
    if first == quote {
      try scan.string(into: &text, isDoubling: true)
    } else {
      try scan.skipValue()
    }
    let json = scan.bytes[start..<scan.index]
    switch first {
    case quote, UInt8(ascii: "n"): break
    case UInt8(ascii: "t"): text.append(UInt8(ascii: "1"))
    case UInt8(ascii: "f"): text.append(UInt8(ascii: "0"))
    case _ where isText:
      let parts = json.split(separator: quote, omittingEmptySubsequences: false)
      text += parts.joined(separator: [quote, quote])
    default: text += json
    }
    if isText { text.append(quote) }
    return isText
  }
}

extension [UInt8] {
  /// The place of the next line end from `start` on.
  package func lineEnd(from start: Int) -> Int? { self[start...].firstIndex(of: 0x0A) }
}
