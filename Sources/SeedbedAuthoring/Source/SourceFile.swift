import Seedbed
import SeedbedCells

/// A source of rows: CSV or JSON lines, plain or `.gz`, or a part of a database.
package struct SourceFile {
  enum Form {
    case csv, jsonLines
    case database(SourceDatabase)
  }

  let path: String
  /// Its name in errors.
  let place: String
  let form: Form
  /// The options of the table that it fills.
  let options: TableOptions?
  /// False for a CSV in place of a database, whose rows have no lines.
  private var hasLines = true
  private let cache = Cache()

  /// The columns of a source that is no CSV are found once.
  private final class Cache {
    var converted: ConvertedSource?
  }

  /// - Parameter path: a file, or a database, `#`, and a table or a file with a SELECT.
  init(_ path: String, place: String, _ options: TableOptions? = nil) {
    (self.path, self.place, self.options) = (path, place, options)
    if path.hasSuffix(".jsonl") || path.hasSuffix(".jsonl.gz") {
      form = .jsonLines
    } else if let database = Self.database(path), !Paths.exists(path) {
      form = .database(
        SourceDatabase(
          path: database.path, selection: database.selection, place: place, options: options))
    } else {
      form = .csv
    }
  }

  /// Another file that is read in its place, under its name.
  func replaced(by path: String) -> SourceFile {
    var file = SourceFile(path, place: place, options)
    if case .database = form { file.hasLines = false }
    return file
  }

  /// Whether its file is there.
  var exists: Bool {
    if case .database(let database) = form { return Paths.exists(database.path) }
    return Paths.exists(path)
  }

  var isCSV: Bool { if case .csv = form { hasLines } else { false } }

  /// Whether a file with this name would be taken for another form than CSV.
  package static func isOther(_ path: String) -> Bool {
    path.hasSuffix(".jsonl") || path.hasSuffix(".jsonl.gz")
      || database(path).map { Paths.exists($0.path) } ?? false
  }

  private static func database(_ path: String) -> (path: String, selection: String)? {
    guard let mark = path.lastIndex(of: "#") else { return nil }
    let selection = String(path[path.index(after: mark)...])
    // A folder may have the character in its name, too.
    if selection.isEmpty || selection.contains("/") { return nil }
    return (String(path[..<mark]), selection)
  }

  func reader() throws -> RowReader {
    let (file, isCompressed) = try converted().map { (try $0.file(), false) } ?? open()
    return try reporting {
      try RowReader(
        file, place: place, isCompressed: isCompressed, locked: nil, limits: .ofAuthor)
    }
  }

  private func open() throws -> (file: any ReadableFile, isCompressed: Bool) {
    // The author may keep it behind a link.
    let (folder, name) = Paths.split(Paths.absolute(path))
    guard Paths.exists(path) else { throw SeedbedError.sourceMissing(place) }
    try refuseOtherForms()
    return (try Folder(folder).open(name), name.hasSuffix(".gz"))
  }

  /// The lines of JSON lines.
  func lines() throws -> TextLines {
    let (file, isCompressed) = try open()
    let content = try ContentReader(file, place: place, isCompressed: isCompressed)
    return TextLines(place: place, mostBytes: JSONLines.mostLineBytes) {
      try content.read(into: $0)
    }
  }

  private func converted() throws -> ConvertedSource? {
    if let known = cache.converted { return known }
    switch form {
    case .csv: break
    case .jsonLines:
      // Another value, because what this one keeps must not hold on to it.
      let file = SourceFile(path, place: place)
      cache.converted = try JSONLines.convert(place: place) { try file.lines() }
    case .database(let database): cache.converted = try database.converted()
    }
    return cache.converted
  }

  /// Whether a form that says so has text in a column.
  fileprivate func isText(_ column: Int) -> Bool {
    cache.converted?.texts.contains(column) ?? false
  }

  /// Runs `body`, and names the place in the source if it fails in the CSV made from it.
  func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SeedbedError {
      throw cache.converted?.told(error) ?? error
    }
  }

  /// The line of the file, by the one that its reader counts; nil if it has none.
  func line(_ line: Int?) -> Int? {
    if !hasLines { return nil }
    return cache.converted.map { converted in line.flatMap(converted.origin) } ?? line
  }

  /// The place of a column's name.
  func place(ofColumn name: String) -> SeedbedError.Place {
    let line = cache.converted.map { $0.line(ofColumn: name) } ?? 1
    return SeedbedError.Place(place, line: line)
  }

  private func refuseOtherForms() throws {
    if path.hasSuffix(".json") {
      throw SeedbedError(
        .csv,
        "A source is CSV or JSON lines, an object for each row in a line of its own. For one "
          + "array: jq -c '.[]' FILE.json >FILE.jsonl.", at: .init(place))
    }
    let mark = Array("SQLite format 3\0".utf8)
    var head = [UInt8](repeating: 0, count: mark.count)
    let (folder, name) = Paths.split(Paths.absolute(path))
    let file = try Folder(folder).open(name)
    let count = try head.withUnsafeMutableBytes { try file.read(into: $0) }
    if count == mark.count, head == mark {
      throw SeedbedError(
        .csv,
        "This is an SQLite database. Name a table in it, '\(place)#TABLE', or a file with a SELECT "
          + "beside it, '\(place)#FILE.sql'.", at: .init(place))
    }
  }

  /// The bytes before the first record, as in a plain file.
  func head() throws -> [UInt8] {
    if let converted = try converted() { return converted.head }
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
      for (index, place) in places.enumerated() where file.isText(index) {
        if let place { (columns[place].isInteger, columns[place].isReal) = (false, false) }
      }
      var chunk: Chunk?
      while let next = try file.reporting({ try reader.next(returning: chunk) }) {
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
