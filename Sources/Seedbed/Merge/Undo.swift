/// What `down` must not touch, and what it brings back: read from the log of the migration that it
/// takes back.
struct Undo {
  /// Keys of rows that the migration left as they were, by table: not ours to take back. A new row
  /// may have the key that an old one gave up, so inserts are apart.
  private(set) var leftAlone: [String: Set<String>] = [:]
  private(set) var insertsLeftAlone: [String: Set<String>] = [:]
  /// Columns that it left as they were, by table and key.
  private(set) var columns: [String: [String: Set<String>]] = [:]
  /// Columns that go back to the user's values rather than to the seed's old ones.
  private(set) var usersValues: [String: [String: [String: Value]]] = [:]
  /// Rows of users that gave way, newest first.
  private(set) var givenWay: [Conflict] = []
  /// Rows of users that moved away.
  private(set) var moved: [Conflict] = []

  /// - Throws: where the log cannot be read.
  init(version: Version, ledger: Ledger, on connection: Connection) throws {
    for conflict in try ledger.conflicts(on: connection, version: version)
    where conflict.undoneAt == nil {
      try add(conflict)
    }
    givenWay.reverse()
    for (table, key, names) in try ledger.alreadyThere(version: version, on: connection) {
      if names.isEmpty {
        leftAlone[table, default: []].insert(key)
      } else {
        columns[table, default: [:]][key, default: []].formUnion(names)
      }
    }
  }

  private mutating func add(_ conflict: Conflict) throws {
    let (table, key) = (conflict.table, conflict.key)
    switch conflict.kind {
    case .keyTaken where conflict.resolution == .moved: moved.append(conflict)
    case .edited where conflict.resolution == .keptUser,
      .uniqueTaken where conflict.resolution == .keptUser && conflict.base != nil:
      // Nothing of the row was written: what equals the seed's values by now is the user's.
      leftAlone[table, default: []].insert(key)
    case .edited where conflict.resolution == .tookSeed,
      .editedRetired where conflict.resolution == .tookSeed:
      let mine = try LoggedRow(conflict.mine ?? "{}", of: conflict)
      usersValues[table, default: [:]][key, default: [:]]
        .merge(zip(mine.columns, mine.values)) { _, new in new }
      // Of a row that was removed, the columns that no file has are still to come.
      if conflict.kind == .editedRetired { givenWay.append(conflict) }
      return
    case .edited:
      columns[table, default: [:]][key, default: []].formUnion(try names(conflict.seed, conflict))
    case .uniqueTaken where conflict.base != nil, .parentDeleted where conflict.base != nil,
      .parentTaken where conflict.base != nil, .keyTaken where conflict.base != nil,
      .referenced where conflict.seed != nil:
      // Columns of an update that stayed.
      columns[table, default: [:]][key, default: []].formUnion(try names(conflict.seed, conflict))
    case .deletedByUser, .editedRetired, .referenced: leftAlone[table, default: []].insert(key)
    case .parentDeleted, .parentTaken, .keyTaken, .uniqueTaken:
      // What is logged so of an update has a base.
      insertsLeftAlone[table, default: []].insert(key)
    }
    if conflict.resolution == .tookSeed { givenWay.append(conflict) }
  }

  private func names(_ object: String?, _ conflict: Conflict) throws -> [String] {
    try LoggedRow(object ?? "{}", of: conflict).columns
  }
}

/// A row or some of its columns as the ledger's JSON has them.
struct LoggedRow {
  let columns: [String]
  let values: [Value]

  init(_ text: String, of conflict: Conflict) throws {
    try self.init(text, number: conflict.id)
  }

  init(_ text: String, number: Int64) throws {
    let place = "conflict \(number)"
    let json = try JSONParser.parse(Array(text.utf8), file: place)
    guard case .object(let members) = json.value else {
      throw SeedbedError(.corrupt, "The ledger's \(place) is not a JSON object.")
    }
    columns = members.map(\.key)
    values = try members.map { try Self.value($0.value, place) }
  }

  subscript(column: String) -> Value? {
    columns.firstIndex(of: column).map { values[$0] }
  }

  private static func value(_ json: JSON, _ place: String) throws -> Value {
    switch json.value {
    case .null: return .null
    case .string(let text): return .text(text)
    case .number(let text):
      if let integer = Int64(text) { return .integer(integer) }
      if let real = Double(text) { return .real(real) }
    case .object(let members):
      if let blob = bytes(members, "base64") { return .blob(blob) }
      if let text = bytes(members, "text") { return .invalidText(text) }
    case .bool, .array: break
    }
    throw SeedbedError(.corrupt, "The ledger's \(place) holds a value that no column can have.")
  }

  private static func bytes(_ members: [JSON.Member], _ name: String) -> [UInt8]? {
    guard members.count == 1, members[0].key == name,
      case .string(let text) = members[0].value.value
    else { return nil }
    var bytes = Array(text.utf8)
    var cell = Cell(bits: 0, length: UInt32(bytes.count), kind: .text)
    let isValid = bytes.withUnsafeMutableBufferPointer { cell.set(base64: $0) }
    return isValid ? Array(bytes[..<Int(cell.length)]) : nil
  }
}
