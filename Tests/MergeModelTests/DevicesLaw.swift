import TestSupport

@testable import Seedbed

/// Devices of a user, with releases, edits and syncs in random order. At the end they all have the
/// same rows, and so has a new device. What a user deleted and did not bring back stays deleted.
///
/// Keys do not change, and no column is UNIQUE. A release may use a key again, and users make rows
/// under keys that releases use. The engine carries what a user set, as columns or as whole rows,
/// of one table or of all. It may bring rows before their release and before the rows that they
/// refer to. A row that comes back by `reseed` is queued like any that a user inserts; if not,
/// users delete no row to which others refer.
struct DevicesLaw {
  struct Edition {
    var topics: [Int: [String?]] = [:]
    /// Gloss, hint and topic.
    var words: [String: [String?]] = [:]
  }

  private let seed: UInt64
  private let recipe: SyncedDevice.Recipe
  var dice: Dice
  private(set) var editions: [Edition] = [Edition()]
  var files: [String: String] = [:]
  private var catalogs: [Catalog] = []
  private var keys: [[[Cell]]] = []
  private var devices: [SyncedDevice] = []
  var number = 0
  var log: [String] = []
  /// When a user deleted a row last, and when one brought it back, in the engine's order.
  private var deleted: [[Cell]: Int64] = [:]
  private var returned: [[Cell]: Int64] = [:]
  /// Whether the engine carries rows that come back. Otherwise no user deletes what rows refer to.
  private let queuesReseeds: Bool

  init(seed: UInt64, _ recipe: SyncedDevice.Recipe = .all) throws {
    (self.seed, self.recipe) = (seed, recipe)
    dice = Dice(seed: seed)
    let onDelete = dice.pick(["CASCADE", "SET NULL"])
    let carriesRows = dice.chance(50)
    queuesReseeds = dice.chance(50)
    log.append(
      "ON DELETE \(onDelete), carries \(carriesRows ? "rows" : "columns")"
        + (queuesReseeds ? ", queues reseeds" : ""))
    for release in 1...(2 + dice.below(3)) {
      if release == 1 {
        files["1_release/up.sql"] = SyncedDevice.schema(onDelete: onDelete)
        files["1_release/after.sql"] = SyncedDevice.triggers(
          carriesRows: carriesRows, recipe)
      } else {
        files["\(release)_release/up.sql"] = "SELECT 1;"
      }
      editions.append(next(release))
      keys.append(
        editions[release].topics.keys.sorted().map { [.text("topics"), .integer(Int64($0))] }
          + editions[release].words.keys.sorted().map { [.text("words"), .text($0)] })
      write(release)
      catalogs.append(try Catalog(files: files.mapValues { Array($0.utf8) }))
    }
    let first = try SyncedDevice(0, catalogs, keys, recipe)
    for number in 1...(3 + dice.below(2)) {
      devices.append(
        try SyncedDevice(
          number, catalogs, keys, recipe, copying: first,
          asksCatalog: number == 1 && seed.isMultiple(of: 8)))
    }
  }

  // MARK: play

  mutating func play() throws {
    do {
      for _ in 0..<(14 + dice.below(14)) { try step() }
      try end()
    } catch let error where !(error is Differing) {
      throw Stopped(description: differing("\(error)").description)
    }
  }

  private mutating func step() throws {
    let device = dice.pick(Array(devices.dropLast()))
    switch dice.below(10) {
    case 0, 1:
      if device.version == catalogs.count { return }
      let version = min(device.version + 1 + dice.below(2), catalogs.count)
      log.append("\(device.number) up to \(version)")
      try device.up(to: version)
    case 2, 3, 4:
      let other = dice.pick(Array(devices.dropLast()))
      if other === device { return }
      let table = dice.pick([nil, nil, "words", "topics", "removed"])
      log.append("\(device.number) receives \(table ?? "all") of \(other.number)")
      try device.receive(from: [other], only: table)
    default:
      try act(device)
    }
  }

  /// All devices get all releases and all changes, and a new one, too.
  private mutating func end() throws {
    for device in devices {
      if dice.chance(30) { try device.receive(from: devices.filter { $0 !== device }) }
      log.append("\(device.number) up to the last")
      try device.up(to: catalogs.count)
    }
    var last: [[String]] = []
    for _ in 0..<10 {
      for device in devices {
        try device.receive(from: devices.filter { $0 !== device })
      }
      let states = try devices.map { try $0.state() }
      if states == last { return try compare(states) }
      last = states
    }
    throw differing("The devices do not come to rest.")
  }

  private func compare(_ states: [[String]]) throws {
    for (device, state) in zip(devices, states) where state != states[0] {
      throw differing(
        """
        \(devices[0].number): \(states[0].filter { !state.contains($0) })
        \(device.number): \(state.filter { !states[0].contains($0) })
        """)
    }
    for (row, time) in deleted where returned[row, default: 0] < time {
      if !states[0].contains("'removed' \(row[0].sql) \(row[1].sql)") {
        throw differing("\(row) came back.")
      }
    }
    for device in devices {
      let unpinned = try device.unpinned()
      if !unpinned.isEmpty { throw differing("\(device.number) has not pinned \(unpinned)") }
    }
    if let broken = states[0].first(where: { $0.hasPrefix("'broken'") }) {
      throw differing(broken)
    }
  }

  // MARK: the user

  private mutating func act(_ device: SyncedDevice) throws {
    let table = SyncedDevice.tables[dice.below(2)]
    let keys = try device.database.rows("SELECT \(table.key) FROM \(table.name) ORDER BY 1")
    switch dice.below(10) {
    case 0, 1, 2:
      if keys.isEmpty { return }
      let key = dice.pick(keys)[0]
      let column = dice.pick(table.columns)
      let value = try value(table.name, key, column, device)
      try run(
        "UPDATE \(table.name) SET \(column) = \(value) WHERE \(table.key) = \(key.sql)", device)
      // Where the row that it referred to is gone, it did not come, or went.
      if column == "topic" { try device.sendWhole(table.name, key) }
    case 3, 4:
      if keys.isEmpty || !queuesReseeds && table.name == "topics" { return }
      let key = dice.pick(keys)[0]
      if try run("DELETE FROM \(table.name) WHERE \(table.key) = \(key.sql)", device) {
        let row = [Cell.text(table.name), key]
        deleted[row] = max(deleted[row, default: 0], try device.time())
      }
    case 5, 6:
      let key: Cell =
        table.name == "words"
        ? .text(dice.pick(["own 1", "own 2", "w\(dice.below(10))"]))
        : .integer(Int64(dice.pick([101, 102, 1 + dice.below(8)])))
      let values = try table.columns.map { try value(table.name, key, $0, device) }
      let new = ([key.sql] + values).joined(separator: ", ")
      if try run("INSERT INTO \(table.name) VALUES (\(new))", device) {
        let row = [Cell.text(table.name), key]
        returned[row] = max(returned[row, default: 0], try device.time())
      }
    case 7:
      let removed = try device.database.rows("SELECT tbl, row FROM removed ORDER BY 1, 2")
      let known = removed.filter(device.keys[device.version - 1].contains)
      if known.isEmpty { return }
      let row = dice.pick(known)
      log.append("\(device.number) reseeds \(row)")
      try device.bringBack(row, isQueued: queuesReseeds)
      returned[row] = max(returned[row, default: 0], try device.time())
    default: try decide(device, table.name, keys)
    }
  }

  private mutating func decide(
    _ device: SyncedDevice, _ table: String, _ keys: [[Cell]]
  ) throws {
    switch dice.below(5) {
    case 0:
      let pinned = try device.database.rows("SELECT tbl, row FROM decided ORDER BY 1, 2")
      if pinned.isEmpty { return }
      let row = dice.pick(pinned)
      log.append("\(device.number) unpins \(row)")
      try device.pin(row, false)
    case 1:
      if keys.isEmpty { return }
      let key = dice.pick(keys)[0]
      log.append("\(device.number) pins \(table) \(key)")
      try device.pin([.text(table), key], true)
    default:
      let open = try device.migrator.conflicts().filter { $0.settled == nil }
      if open.isEmpty { return }
      let conflict = dice.pick(open)
      let side = dice.pick(Migrator.Conflict.Side.allCases)
      log.append(
        "\(device.number) resolves \(conflict.table) \(conflict.key.json) \(conflict.kind) "
          + "\(side)")
      try device.tick()
      try device.migrator.resolve([conflict], with: side)
      let key = Cell(conflict.key.values[0])
      // To keep a value writes nothing that the engine would carry.
      if side == .mine { try device.sendWhole(conflict.table, key) }
      let row = [Cell.text(conflict.table), key]
      returned[row] = max(returned[row, default: 0], try device.time())
    }
  }

  @discardableResult
  private mutating func run(_ sql: String, _ device: SyncedDevice) throws -> Bool {
    try device.tick()
    let isDone = device.database.attempt(sql)
    log.append("\(device.number) \(isDone ? "user" : "refused"): \(sql)")
    return isDone
  }

  /// The user's own value, or one that an edition has.
  private mutating func value(
    _ table: String, _ key: Cell, _ column: String, _ device: SyncedDevice
  ) throws -> String {
    switch column {
    case "starred": return "\(dice.below(2))"
    case "topic":
      let ids = try device.database.rows("SELECT id FROM topics ORDER BY 1")
      return dice.pick(ids.map { $0[0].sql } + ["NULL"])
    default: break
    }
    number += 1
    let own = "'mine \(number)'"
    if column == "note" || dice.chance(60) { return own }
    let slot = column == "hint" ? 1 : 0
    let values = editions.compactMap { edition -> String? in
      switch key {
      case .text(let word): edition.words[word]?[slot]
      case .integer(let id): edition.topics[Int(id)]?[0]
      default: nil
      }
    }
    return values.isEmpty ? own : "'\(dice.pick(values))'"
  }

  private func differing(_ what: String) -> Differing {
    Differing(description: "\(what)\n\(log.joined(separator: "\n"))")
  }

  struct Differing: Error, CustomStringConvertible {
    var description: String
  }

  /// A call failed.
  private struct Stopped: Error, CustomStringConvertible {
    var description: String
  }
}
