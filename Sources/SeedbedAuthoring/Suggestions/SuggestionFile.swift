import Seedbed

/// A file of suggestions: CSV with a fixed header, plain or `.gz`, or JSON lines.
///
/// The file comes from a stranger. What is wrong with one line concerns that line only; a file that
/// is not CSV ends there.
struct SuggestionFile {
  let path: String
  /// Its name in errors.
  let place: String

  /// More than the users of one device correct.
  private static let mostBytes: Int64 = 256 << 20
  private static let mostLines = 100_000
  private static let mostLineBytes = 16 << 20

  /// - Parameters:
  ///   - onLine: its `csv` errors are about that line.
  ///   - onRefusal: gets the error of each line that cannot be used.
  func read(
    _ onLine: (SuggestionLine) throws -> Void, _ onRefusal: (SeedbedError) -> Void
  ) throws {
    var lineCount = 0
    func attempt(_ line: () throws -> SuggestionLine) throws {
      lineCount += 1
      if lineCount > Self.mostLines { throw tooLong }
      do {
        try onLine(line())
      } catch let error as SeedbedError where error.code == .csv {
        onRefusal(error)
      }
    }
    do {
      if path.hasSuffix(".gz") { return try readCSV(attempt) }
      let file = try open()
      let lines = TextLines(place: place, mostBytes: Self.mostLineBytes) { try file.read(into: $0) }
      guard let first = try lines.next() else {
        // A device without a suggestion writes no line.
        if path.hasSuffix(".jsonl") { return }
        throw SeedbedError(.csv, "The file is empty.", at: .init(place))
      }
      if first.first != UInt8(ascii: "{") { return try readCSV(attempt) }
      var next: [UInt8]? = first
      while let bytes = next {
        if lines.totalBytes > Self.mostBytes { throw tooLong }
        if !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) {
          try attempt { try SuggestionLine(json: bytes, .init(place, line: lines.number)) }
        }
        next = try lines.next()
      }
    } catch let error as SeedbedError where [.csv, .gzip, .catalog].contains(error.code) {
      onRefusal(error)
    }
  }

  private func open() throws -> OpenFile {
    let (folder, name) = Paths.split(Paths.absolute(path))
    guard Paths.exists(path) else {
      throw SeedbedError(.io, "There is no file '\(place)'. Name an existing one.")
    }
    return try Folder(folder).open(name)
  }

  private var tooLong: SeedbedError {
    SeedbedError(
      .csv,
      "The file has more than \(Self.mostBytes >> 20) MiB or \(Self.mostLines) lines, and the rest "
        + "of it was not read. If you know who wrote it, split it into several files.",
      at: .init(place))
  }

  private func readCSV(_ attempt: (() throws -> SuggestionLine) throws -> Void) throws {
    var limits = RowReader.Limits.ofAuthor
    limits.contentBytes = Self.mostBytes
    let reader = try RowReader(
      try open(), place: place, isCompressed: path.hasSuffix(".gz"), locked: nil, limits: limits)
    let names = reader.header.map { Name($0.name) }
    guard Set(names) == SuggestionExport.header.asNames else {
      throw SeedbedError(
        .csv,
        "This is no file of suggestions: its first line is not "
          + "'\(SuggestionExport.header.joined(separator: ","))'. "
          + "'export --suggestions' writes such files.", at: .init(place, line: 1))
    }
    let places = Dictionary(
      names.enumerated().map { ($1, $0) }, uniquingKeysWith: { one, _ in one })
    let records = RecordTexts(reader)
    while try records.advance() {
      try attempt {
        try SuggestionLine(csv: .init(place, line: records.line)) { name in
          places[name].flatMap { records[$0] }
        }
      }
    }
  }
}
