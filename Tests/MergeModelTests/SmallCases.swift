import Seedbed
import TestSupport

/// Every small case, not a sample: two rows and two columns, whatever the values.
///
/// A row is absent or there in release 1, as the user leaves it, and in release 2; and of its
/// values it counts only which are the same (`Patterns`). Cases share a table and meet nowhere,
/// since a number of the case is part of each key and of each UNIQUE value. So one run of the
/// engine merges thousands of them, and the model merges each by itself.
struct SmallCases {
  let variant: Variant
  let space: CaseSpace
  /// Those that are played.
  let numbers: [Int]
  /// Other names for the values, of which nothing may depend; nil for the usual ones.
  var names: Dice?

  init(_ variant: Variant, _ space: CaseSpace, _ numbers: [Int], names: Dice? = nil) {
    (self.variant, self.space, self.numbers, self.names) = (variant, space, numbers, names)
  }

  /// One of them.
  struct Case {
    let number: Int64
    /// In release 1, as the user leaves it, and in release 2: by table and place.
    let rows: [[[[Cell]?]]]
    /// The tables of which the two rows exchange their keys, or one takes the other's.
    let exchanged: Set<Int>

    func user(_ table: Int) -> [[Cell]] { rows[1][table].compactMap(\.self) }

    /// The same for one who did nothing.
    var untouched: Case {
      Case(number: number, rows: [rows[0], rows[0], rows[2]], exchanged: exchanged)
    }
  }

  var family: CaseFamily { variant.family }
  var shape: Shape { variant.family.shape }
  var cases: [Case] { numbers.map(one) }

  func one(_ number: Int) -> Case {
    let (family, block) = (family, space.block(of: number))
    let codes = block.codes(number)
    let rows = block.states.enumerated().map { time, state in
      family.shape.tables.indices.map { table in
        family.sites.indices.filter { family.sites[$0].table == table }.map { site -> [Cell]? in
          guard state[site] > 0 else { return nil }
          var row = family.row(family.sites[site], state[site], Int64(number))
          for (column, values) in family.values[table] {
            let place = CaseSpace.CellPlace(time: time, site: site, column: column)
            guard let code = codes[place] else { continue }
            row[column] = value(values, code, Int64(number), column)
          }
          if let who = family.who(table) { row[who] = name(site, time, block) }
          return row
        }
      }
    }
    return Case(number: Int64(number), rows: rows, exchanged: block.exchanged)
  }

  /// Which row it is: one of release 1, the user's own, or a new one of release 2.
  private func name(_ site: Int, _ time: Int, _ block: CaseSpace.Block) -> Cell {
    let origin = time < 2 ? site : family.next(site, block.exchanged)
    if block.states[0][origin] > 0 { return .text("seed \(family.sites[origin].place)") }
    return .text(time == 1 ? "user \(family.sites[site].place)" : "new \(family.sites[site].place)")
  }

  // MARK: what the user has

  func left(_ one: Case) -> [RowKey: Left] {
    guard variant.pins, let row = one.rows[0][0][0] else { return [:] }
    return [shape.rowKey(of: row, 0): Left(kind: "pinned", version: 0)]
  }

  /// All of the user's rows, as the model takes them.
  func user(_ one: Case) -> [[[Cell]]] {
    shape.tables.indices.map { one.user($0) + (family.lasting.isEmpty ? [] : family.lasting[$0]) }
  }

  // MARK: what is released

  func first(_ cases: [Case]) -> Release {
    Release(
      version: 1,
      files: shape.tables.indices.map { table in
        let lasting = family.lasting.isEmpty ? [] : family.lasting[table]
        return inserts(table, lasting + cases.flatMap { $0.rows[0][table].compactMap(\.self) })
      })
  }

  func second(_ cases: [Case]) -> Release {
    Release(version: 2, files: family.filed.sorted().flatMap { files($0, cases) })
  }

  private func files(_ table: Int, _ cases: [Case]) -> [SeedFile] {
    let target = shape.tables[table]
    let changesKeys = family.changingKeys.contains(table)
    var update = SeedFile(table: table, kind: .update, columns: target.settable, rows: [])
    if changesKeys { update.keyChanges = family.changing }
    var delete = SeedFile(table: table, kind: .delete, columns: target.seeded, rows: [])
    var new: [[Cell]] = []
    let key = { (row: [Cell]) in target.key.map { row[$0] } }
    for one in cases {
      let next = one.rows[2][table]
      let places =
        one.exchanged.contains(table) ? Array(next.indices.reversed()) : Array(next.indices)
      for (old, next) in zip(one.rows[0][table], places.map { next[$0] }) {
        switch (old, next) {
        case (let old?, let next?) where target.seeded.contains { old[$0] != next[$0] }:
          update.rows.append(
            SeedRow(
              key: key(old), newKey: changesKeys ? key(next) : nil,
              values: target.settable.map { next[$0] }, was: target.settable.map { old[$0] }))
        case (let old?, nil):
          delete.rows.append(SeedRow(key: key(old), values: target.seeded.map { old[$0] }))
        case (nil, let next?): new.append(next)
        default: break
        }
      }
    }
    return [update, delete, inserts(table, new)]
  }

  private func inserts(_ table: Int, _ rows: [[Cell]]) -> SeedFile {
    let target = shape.tables[table]
    return SeedFile(
      table: table, kind: .insert, columns: target.seeded,
      rows: rows.map { row in
        SeedRow(key: target.key.map { row[$0] }, values: target.seeded.map { row[$0] })
      })
  }
}

// MARK: names of values

extension SmallCases {
  private static let letters = ["a", "b", "c", "d", "e", "f"]
  /// What somebody might compare in another way than by bytes.
  private static let odd = [
    "", "0", "0.0", "A", "a", " a", "a ", "ä", "NULL", "true", "1e3", "1000", "x,y", "𝄞", "%",
    "_", "line\nline", "{}", "seed",
  ]

  private func value(_ values: CaseFamily.Values, _ code: Int, _ number: Int64, _ column: Int)
    -> Cell
  {
    switch values {
    case .text: code == 0 ? .null : .text(word(code, number, column))
    // Values that are UNIQUE are of one case.
    case .unique: code == 0 ? .null : .text("\(number) " + word(code, number, column))
    case .plain: code == 1 && number % 2 == 0 ? .null : .text(word(code, number, column))
    case .user: code == 0 ? .null : .text(code == 1 ? "draft" : "mine")
    case .real:
      code < 4 ? .null : .real(Self.spelled(Double(code / 4) + 0.1, code % 4))
    }
  }

  /// A number that differs from another in its last bits alone.
  private static func spelled(_ number: Double, _ steps: Int) -> Double {
    (0..<steps).reduce(number) { number, _ in number.nextUp }
  }

  private func word(_ code: Int, _ number: Int64, _ column: Int) -> String {
    guard names != nil else { return Self.letters[code - 1] }
    return words(number, column)[code - 1]
  }

  /// The words of a column in one case.
  func words(_ number: Int64, _ column: Int) -> [String] {
    guard var dice = names else { return Self.letters }
    dice = Dice(seed: dice.next() &+ UInt64(number) &* 31 &+ UInt64(column))
    return Self.odd.shuffled(using: &dice)
  }
}
