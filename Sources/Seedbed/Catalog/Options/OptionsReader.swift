/// Adds the options of one JSON file to earlier ones. An option in the file replaces the earlier
/// one as a whole; all others stay.
struct OptionsReader {
  enum Scope { case catalog, migration, snapshot }

  let file: String
  let scope: Scope

  /// Larger than any such file that a person would write.
  static let sizeLimit = 4 << 20

  static let ofCatalog = [
    "engines", "tooOld", "adopt", "build", "id", "sqlite", "name", "requires",
  ]
  static let ofMigration = ["description", "foreignKeys", "withdrawn", "allow"]
  static let ofBoth = ["verify", "tables"]
  static let ofTable = [
    "key", "source", "onEdited", "onTaken", "columns", "compare", "reserve", "blobs", "empty",
    "ignore", "references", "disposable", "identity", "per",
  ]
  private static let ofMark = [
    "chain", "creates", "fills", "columns", "withdrawn", EngineName.postgresql.rawValue,
  ]

  func read(_ bytes: [UInt8], over options: inout MigrationOptions) throws {
    let json = try JSONParser.parse(bytes, file: file)
    let root = ParsedJSON.Member(key: file, place: json.place, value: json)
    let members = try object(root, "an object: {…}")
    for member in members { try read(member, into: &options) }
    try checkPack(options, members, json.place)
  }

  private func read(_ member: ParsedJSON.Member, into options: inout MigrationOptions) throws {
    try refuseMisplaced(member)
    switch member.key {
    case "description": options.description = try string(member)
    case "foreignKeys": options.foreignKeys = try choice(member)
    case "verify": options.verify = try choice(member)
    case "withdrawn": options.isWithdrawn = try bool(member)
    case "allow": options.allowed = try allowed(member)
    case "engines": options.engines = try engines(member)
    case "tooOld": options.tooOld = try string(member)
    case "adopt": options.adopt = try number(member, to: .max, like: 5)
    case "id": options.id = try id(member)
    case "sqlite": options.oldestSQLite = try sqlite(member)
    case "build": options.shipsFirstDatabase = try bool(member)
    case "name": options.packName = try packName(member)
    case "requires": options.baseVersion = try baseVersion(member)
    case "snapshot": options.snapshot = try snapshotMark(member)
    default:
      for table in try namedMembers(member, "an object with the tables' names as keys") {
        var read = options.table(table.key)
        let members = try object(table, "an object with the table's options")
        for member in members { try self.read(member, into: &read) }
        try refuseMixedPolicies(read, of: table.key, members)
        options.tables[table.key] = read
      }
    }
  }

  /// Throws unless the option is allowed at the top level of this file.
  private func refuseMisplaced(_ member: ParsedJSON.Member) throws {
    let key = member.key
    let known =
      switch scope {
      case .catalog: Self.ofCatalog + Self.ofBoth
      case .migration: Self.ofMigration + Self.ofBoth
      case .snapshot: ["snapshot", "tables", "allow"]
      }
    if known.contains(key) { return }
    let advice =
      if scope == .catalog, Self.ofMigration.contains(key) {
        "belongs to one migration, not to the whole catalog. Move it to the migration's "
          + "migration.json."
      } else if Self.ofCatalog.contains(key) {
        "is for the whole catalog, not for one migration. Move it to catalog.json."
      } else if Self.ofTable.contains(key) {
        "is an option of a table. Put it under \"tables\", below the table's name."
      } else {
        throw unknown(
          member, known, near: Self.ofMigration + Self.ofCatalog + Self.ofBoth + Self.ofTable)
      }
    throw SeedbedError.catalog("'\(key)' \(advice)", member.place)
  }

  private func read(_ member: ParsedJSON.Member, into table: inout TableOptions) throws {
    switch member.key {
    case "key": table.ownKey = try columns(member, like: #"["number"]"#)
    case "source": table.source = try string(member)
    case "onEdited": table.onEdited = try choice(member)
    case "onTaken": table.onTaken = try choice(member)
    case "columns": table.columns = try columnPolicies(member)
    case "blobs":
      table.blobs = [:]
      for column in try namedMembers(member, #"an object like {"spectrum": "base64"}"#) {
        table.blobs[column.key] = try choice(column)
      }
    case "compare":
      table.compare = try choices(member, #"an object like {"body": "text"}"#)
    case "empty":
      if case .object = member.value.value {
        table.empty = .inColumns(try choices(member, #"an object like {"note": "text"}"#))
      } else {
        table.empty = .inTable(try choice(member))
      }
    case "ignore": table.ignore = try names(member).map(\.value)
    case "reserve": table.reserve = try reserve(member)
    case "references": table.references = try references(member)
    case "disposable": table.disposable = try names(member, of: "table", like: #"["history"]"#)
    case "per":
      if scope == .migration {
        throw SeedbedError.catalog(
          "'per' is for the whole catalog: an owner has rows of all releases. Move it to "
            + "catalog.json.", member.place)
      }
      table.per = try owner(member)
    case "identity": table.identity = try names(member, like: #"["symbol"]"#)
    default: throw unknown(member, Self.ofTable, near: Self.ofTable)
    }
  }

  /// A policy for whole rows leaves nothing for columns to decide, whichever of the two is in
  /// another file.
  private func refuseMixedPolicies(
    _ options: TableOptions, of table: String, _ members: [ParsedJSON.Member]
  ) throws {
    guard let onEdited = options.onEdited, onEdited == .keepRow || onEdited == .overwriteRow,
      !options.columns.isEmpty,
      let here = members.last(where: { $0.key == "onEdited" || $0.key == "columns" })
    else { return }
    throw SeedbedError.catalog(
      "The table '\(table.shortened(to: 40))' has \"onEdited\": \"\(onEdited)\", which is about "
        + "whole rows, and policies in \"columns\". Use keepEdits, preferSeed or fail for the "
        + "table, or remove \"columns\".", here.place)
  }

  // MARK: options with a form of their own

  /// A policy about whole rows cannot be one about a column.
  private func columnPolicies(_ member: ParsedJSON.Member) throws
    -> [ColumnOption<Migrator.EditPolicy>]
  {
    try namedMembers(member, #"an object like {"legal_text": "preferSeed"}"#).map { column in
      let fitting = Migrator.EditPolicy.allCases.filter(\.isForColumns)
      if case .string(let word) = column.value.value,
        let policy = Migrator.EditPolicy(rawValue: word), !policy.isForColumns
      {
        throw SeedbedError.catalog(
          "'\(word)' is a policy for whole rows, and '\(column.key.shortened(to: 40))' is a "
            + "column. Use \(fitting.map(\.rawValue).joined(separator: " or ")), or set "
            + "\"onEdited\" of the table.",
          column.value.place)
      }
      return ColumnOption(
        column: column.key, value: try choice(column, among: fitting), place: column.place)
    }
  }

  /// The number by which a signature names the catalog. `sign` writes it.
  private func id(_ member: ParsedJSON.Member) throws -> String {
    let id = try string(member)
    if id.utf8.count == 32, id.utf8.allSatisfy(\.isHexadecimal) { return id }
    throw value(
      member, id, " Use 32 hexadecimal digits, or remove it: 'sign' writes one.")
  }

  /// 3039 for "3.39", or for "3.39.4".
  private func sqlite(_ member: ParsedJSON.Member) throws -> Int {
    let text = try string(member)
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { part in
      part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt8(part) : nil
    }
    if (2...3).contains(parts.count), !parts.contains(nil), parts[0] == 3, let minor = parts[1],
      minor >= 38
    {
      return 3000 + Int(minor)
    }
    throw value(
      member, text,
      " Write the oldest SQLite that runs the SQL, from 3.38 on, like \"3.39\".")
  }

  private func engines(_ member: ParsedJSON.Member) throws -> [EngineName] {
    let example = #"["sqlite", "postgresql"]"#
    var engines: [EngineName] = []
    for element in try array(member, "an array of engines, like \(example)") {
      let engine: EngineName = try choice(
        ParsedJSON.Member(key: member.key, place: element.place, value: element))
      if engines.contains(engine) {
        throw SeedbedError.catalog(
          "'engines' holds '\(engine.rawValue)' twice. Keep one of them.", element.place)
      }
      engines.append(engine)
    }
    if !engines.isEmpty { return engines }
    throw SeedbedError.catalog(
      "'engines' is empty. Name the engines that the catalog serves, like \(example), or leave "
        + "the option out for SQLite alone.", member.value.place)
  }

  /// `{"destructive": "The table was never released."}`. Only lint checks the codes, since a device
  /// may be older than the catalog.
  private func allowed(_ member: ParsedJSON.Member) throws -> [AllowedFinding] {
    let expected = #"an object like {"destructive": "The table was never released."}"#
    return try namedMembers(member, expected).map { code in
      let reason = try string(code)
      if !reason.contains(where: \.isLetter) {
        throw SeedbedError.catalog(
          "'allow' has no reason for '\(code.key.shortened(to: 40))'. Give a reason.",
          code.value.place)
      }
      return AllowedFinding(code: code.key, reason: reason, place: code.place)
    }
  }

  private func reserve(_ member: ParsedJSON.Member) throws -> Located<Int64> {
    // Half of all ids. The other half is for users.
    let number = try number(member, to: Int64(1) << 62, like: 1_000_000)
    return Located(value: number, place: member.value.place)
  }

  func number(
    _ member: ParsedJSON.Member, to highest: Int64, like example: Int64
  ) throws -> Int64 {
    guard case .number(let text) = member.value.value else {
      throw type(member, "a whole number, like \(example)")
    }
    guard let number = Int64(text), (1...highest).contains(number) else {
      let advice = " Use a whole number from 1 to \(highest), without a fraction or an exponent."
      throw value(member, text, advice)
    }
    return number
  }

  /// Reads `{"favourites": ["element"]}`, or a list of such lists.
  private func references(_ member: ParsedJSON.Member) throws -> [DeclaredReference] {
    let children = try namedMembers(member, #"an object like {"favourites": ["element"]}"#)
    return try children.flatMap { child in
      var lists = [child]
      if case .array(let elements) = child.value.value, case .array? = elements.first?.value {
        lists = elements.map { ParsedJSON.Member(key: child.key, place: $0.place, value: $0) }
      }
      return try lists.map { list in
        let columns = try columns(list, like: #"["element"]"#)
        return DeclaredReference(child: child.key, columns: columns, place: list.place)
      }
    }
  }

  /// The facts that `migrate snapshot` records about the migrations that a snapshot replaces.
  private func snapshotMark(_ member: ParsedJSON.Member) throws -> SnapshotMark {
    let expected = #"an object like {"chain": "sha256:…", "creates": ["elements"]}"#
    var mark = SnapshotMark(chain: "", creates: [])
    for part in try object(member, expected) {
      if !Self.ofMark.contains(part.key) {
        throw unknown(part, Self.ofMark, near: Self.ofMark)
      }
      switch part.key {
      case "chain": mark.chain = try string(part)
      case "creates": mark.creates = try tables(part)
      case "fills": mark.fills = try tables(part)
      case "columns":
        for table in try namedMembers(part, #"an object like {"elements": ["number"]}"#) {
          mark.columns[table.key] = try names(table).map(\.value)
        }
      case "withdrawn":
        mark.withdrawn = try array(part, "an array of versions, like [12]").map { element in
          guard case .number(let text) = element.value, let version = Version(text) else {
            throw type(part, "a version, like 12", element)
          }
          return version
        }
      // Snapshots once had SQL for PostgreSQL too, which is no longer read.
      default: break
      }
    }
    return mark
  }

  private func tables(_ member: ParsedJSON.Member) throws -> [String] {
    try names(member, of: "table", like: #"["elements"]"#).map(\.value)
  }

  /// The names of columns, at least one.
  private func columns(_ member: ParsedJSON.Member, like example: String) throws -> [String] {
    let columns = try names(member, like: example).map(\.value)
    if columns.isEmpty {
      throw SeedbedError.catalog(
        "'\(member.key)' is empty. Name at least one column, or leave it out.", member.value.place)
    }
    return columns
  }
}
