/// Lays the options of one JSON file over those that are there already: an option that the file
/// names replaces the earlier one as a whole, an option that it does not name stays.
struct OptionsReader {
  enum Scope { case catalog, migration, snapshot }

  let file: String
  let scope: Scope

  /// Larger than any such file that a person would write.
  static let sizeLimit = 4 << 20

  private static let ofMigration = ["description", "foreignKeys", "withdrawn", "allow"]
  private static let ofSnapshot = ["snapshot", "tables", "allow"]
  private static let ofCatalog = ["engines", "tooOld", "build"]
  private static let ofBoth = ["verify", "tables"]
  private static let ofTable = [
    "key", "source", "onEdited", "onTaken", "reserve", "blobs", "ignore", "references",
    "disposable", "identity",
  ]

  func read(_ bytes: [UInt8], over options: inout MigrationOptions) throws {
    let json = try JSONParser.parse(bytes, file: file)
    for member in try members(json, of: file, expected: "an object: {…}") {
      try read(member, into: &options)
    }
  }

  private func read(_ member: ParsedJSON.Member, into options: inout MigrationOptions) throws {
    if scope == .catalog, Self.ofMigration.contains(member.key) {
      throw ofMigration(member)
    }
    if scope != .catalog, Self.ofCatalog.contains(member.key) { throw ofCatalog(member) }
    guard known.contains(member.key) || Self.ofTable.contains(member.key) else {
      let near = Self.ofMigration + Self.ofCatalog + Self.ofBoth + Self.ofTable
      throw unknown(member, known: known, near: near)
    }
    switch member.key {
    case "description": options.description = try string(member)
    case "foreignKeys": options.foreignKeys = try choice(member)
    case "verify": options.verify = try choice(member)
    case "withdrawn": options.isWithdrawn = try bool(member)
    case "allow": options.allowed = try allowed(member)
    case "engines": options.engines = try engines(member)
    case "tooOld": options.tooOld = try string(member)
    case "build": options.shipsFirstDatabase = try bool(member)
    case "snapshot": options.snapshot = try snapshotMark(member)
    case "tables": try readTables(member, into: &options)
    default: throw misplaced(member)
    }
  }

  /// The options at the top level.
  private var known: [String] {
    switch scope {
    case .catalog: Self.ofCatalog + Self.ofBoth
    case .migration: Self.ofMigration + Self.ofBoth
    case .snapshot: Self.ofSnapshot
    }
  }

  private func readTables(_ tables: ParsedJSON.Member, into options: inout MigrationOptions) throws
  {
    let tables = try members(
      tables.value, of: tables.key, expected: "an object with the tables' names as keys")
    try checkNames(tables.map { ($0.key, $0.position) }, of: "tables")
    for table in tables {
      let name = options.tables.keys.first { $0.asciiLowercased() == table.key.asciiLowercased() }
      var read = options.table(table.key)
      let expected = "an object with the table's options"
      for member in try members(table.value, of: table.key, expected: expected) {
        try self.read(member, into: &read)
      }
      options.tables[name ?? table.key] = read
    }
  }

  private func read(_ member: ParsedJSON.Member, into table: inout TableOptions) throws {
    switch member.key {
    case "key":
      let columns = try names(member)
      if columns.isEmpty {
        throw listEmpty(member)
      }
      table.key = columns
    case "source": table.source = try string(member)
    case "onEdited": table.onEdited = try choice(member)
    case "onTaken": table.onTaken = try choice(member)
    case "blobs":
      let columns = try members(
        member.value, of: member.key, expected: #"an object like {"spectrum": "base64"}"#)
      try checkNames(columns.map { ($0.key, $0.position) }, of: member.key)
      table.blobs = [:]
      for column in columns { table.blobs[column.key] = try choice(column) }
    case "ignore": table.ignore = try names(member)
    case "reserve": table.reserve = try reserve(member)
    case "references": table.references = try references(member)
    case "disposable": table.disposable = try locatedNames(member, "tables'", #"["history"]"#)
    case "identity": table.identity = try locatedNames(member, "columns'", #"["symbol"]"#)
    default: throw unknown(member, known: Self.ofTable, near: Self.ofTable)
    }
  }

  // MARK: values

  func members(_ json: ParsedJSON, of key: String, expected: String) throws -> [ParsedJSON.Member] {
    guard case .object(let members) = json.value else { throw type(key, json, expected) }
    return members
  }

  func string(_ member: ParsedJSON.Member) throws -> String {
    guard case .string(let text) = member.value.value else {
      throw type(member.key, member.value, "a string")
    }
    return text
  }

  private func bool(_ member: ParsedJSON.Member) throws -> Bool {
    guard case .bool(let value) = member.value.value else {
      throw type(member.key, member.value, "true or false")
    }
    return value
  }

  /// One of the words that the type knows.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ member: ParsedJSON.Member
  ) throws -> Choice {
    let known = Choice.allCases.map(\.rawValue)
    guard case .string(let text) = member.value.value else {
      throw type(member.key, member.value, "one of " + known.map { "\"\($0)\"" }.inWords)
    }
    guard let choice = Choice(rawValue: text) else {
      throw value(member, text, known)
    }
    return choice
  }

  /// Names of columns, each once.
  private func names(_ member: ParsedJSON.Member) throws -> [String] {
    try locatedNames(member, "columns'", #"["number"]"#).map(\.value)
  }

  /// Each name once, by SQLite's rule, and none empty.
  func checkNames(_ names: [(String, ParsedJSON.Position)], of key: String) throws {
    var seen: Set<String> = []
    for (name, position) in names {
      if name.isEmpty {
        throw error("'\(key)' holds an empty name. Write the name as the schema has it.", position)
      }
      guard seen.insert(name.asciiLowercased()).inserted else {
        throw nameTwice(name, of: key, position)
      }
    }
  }
}
