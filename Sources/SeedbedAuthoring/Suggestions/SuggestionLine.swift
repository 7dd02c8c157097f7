import Seedbed

/// One line of a file of suggestions, which a stranger may have written. Nothing of it was compared
/// with the catalog yet.
struct SuggestionLine {
  /// A value as it is written.
  enum Field {
    case null
    /// The text of a field of a row file, or a number.
    case text(String)
    case blob([UInt8])
  }

  typealias Row = [(name: String, field: Field)]

  var kind: Migrator.Suggestion.Kind
  var table: String
  var key: Row
  var column: String?
  var base: Field
  var mine: Field
  /// The row of an addition.
  var row: Row
  var version: Migrator.Version
  var place: SeedbedError.Place

  /// The most columns that SQLite can be built for.
  private static let mostMembers = 2_000

  // MARK: CSV

  /// - Parameter field: a field by its name in the header; nil for NULL.
  init(csv place: SeedbedError.Place, _ field: (String) -> String?) throws {
    self.place = place
    kind = try Self.kind(field("kind"), place)
    table = try Self.unguarded(field("table")) ?? Self.refuse("It names no table.", place)
    key = try Self.row(field("key"), "key", place)
    column = Self.unguarded(field("column"))
    func value(_ name: String) -> Field {
      Self.unguarded(field(name)).map { .text($0) } ?? .null
    }
    base = value("base")
    (mine, row) =
      kind == .addition ? (.null, try Self.row(field("mine"), "mine", place)) : (value("mine"), [])
    version = try Self.version(field("version"), place)
  }

  private static func unguarded(_ text: String?) -> String? {
    text.map(SuggestionExport.unguarded)
  }

  private static func row(_ text: String?, _ name: String, _ place: SeedbedError.Place) throws
    -> Row
  {
    // In a field of CSV, it is a whole text.
    try row(text.map { try parse(Array($0.utf8), place, line: nil) }, name, place)
  }

  // MARK: JSON

  init(json bytes: [UInt8], _ place: SeedbedError.Place) throws {
    let line = try Self.parse(bytes, place, line: place.line)
    self.place = place
    kind = try Self.kind(line["kind"].flatMap(Self.string), place)
    table =
      try line["table"].flatMap(Self.string) ?? Self.refuse("It names no \"table\".", place)
    key = try Self.row(line["key"], "key", place)
    column = line["column"].flatMap(Self.string)
    base = try Self.field(line["base"], "base", place)
    mine = try Self.field(line["mine"], "mine", place)
    row = kind == .addition ? try Self.row(line["row"], "row", place) : []
    version = try Self.version(line["version"].flatMap(Self.number), place)
  }

  private static func parse(
    _ bytes: [UInt8], _ place: SeedbedError.Place, line: Int?
  ) throws -> ParsedJSON {
    do {
      return try JSONParser.parse(
        bytes, file: place.file, line: line, mostMembers: mostMembers)
    } catch let error as SeedbedError {
      throw SeedbedError(.csv, error.message, at: place)
    }
  }

  private static func string(_ json: ParsedJSON) -> String? {
    if case .string(let text) = json.value { text } else { nil }
  }

  private static func number(_ json: ParsedJSON) -> String? {
    if case .number(let text) = json.value { text } else { nil }
  }

  private static func field(
    _ json: ParsedJSON?, _ name: String, _ place: SeedbedError.Place
  ) throws -> Field {
    switch json?.value {
    case nil, .null: return .null
    case .number(let text), .string(let text): return .text(text)
    default:
      if let text = json?["base64"].flatMap(string),
        let bytes = [UInt8](base64: text)
      {
        return .blob(bytes)
      }
      return try refuse(
        "'\(name.shortened(to: 40))' is no value of a row: a text, a number, null or a BLOB.", place
      )
    }
  }

  private static func row(
    _ json: ParsedJSON?, _ name: String, _ place: SeedbedError.Place
  ) throws -> Row {
    guard case .object(let members)? = json?.value, !members.isEmpty else {
      return try refuse("Its '\(name)' is not a JSON object with the columns' names.", place)
    }
    return try members.map { ($0.key, try field($0.value, $0.key, place)) }
  }

  // MARK: both

  private static func kind(
    _ text: String?, _ place: SeedbedError.Place
  ) throws -> Migrator.Suggestion.Kind {
    if let kind = text.flatMap(Migrator.Suggestion.Kind.init) { return kind }
    return try refuse(
      "Its kind is '\((text ?? "").shortened(to: 40))', not edit, deletion or addition.", place)
  }

  private static func version(
    _ text: String?, _ place: SeedbedError.Place
  ) throws -> Migrator.Version {
    if let text, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let version = Migrator.Version(text)
    {
      return version
    }
    return try refuse(
      "Its version is '\((text ?? "").shortened(to: 40))', not the number of a release.", place)
  }

  private static func refuse<Value>(
    _ message: String, _ place: SeedbedError.Place
  ) throws -> Value {
    throw SeedbedError(.csv, message, at: place)
  }
}
