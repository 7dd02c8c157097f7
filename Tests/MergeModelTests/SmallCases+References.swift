/// Variants in which keys are references, and references share a column.
extension SmallCases {
  /// What happens to a row if the one that it refers to is deleted.
  private static let actions = [
    "": "", "Cascade": "ON DELETE CASCADE", "Restrict": "ON DELETE RESTRICT",
    "Null": "ON DELETE SET NULL", "Default": "ON DELETE SET DEFAULT",
  ]
  .sorted { $0.key < $1.key }

  static let references: [Variant] = keys + optional + shared

  private static let moveUser = Policy(onTaken: "moveUser")
  private static let replaceUser = Policy(onTaken: "replaceUser")

  /// The key of a row is that of the row that it is about. It cannot become NULL.
  private static let keys: [Variant] = actions.filter { $0.key != "Null" }
    .flatMap { suffix, action -> [Variant] in
      let families: [(String, CaseFamily)] = [
        ("key", .keys(action, filed: [0, 1])), ("keyOfUsers", .keys(action, filed: [0])),
        ("keyMoves", .keys(action, filed: [0, 1], changingKeys: [1])),
        ("keyFollows", .keys(action, filed: [0], changingKeys: [0])),
      ]
      return families.flatMap { name, family -> [Variant] in
        var variants = [Variant(name + suffix, family)]
        guard ["", "Cascade"].contains(suffix) else { return variants }
        for (word, policy) in [("MoveUser", moveUser), ("ReplaceUser", replaceUser)] {
          var family = family
          for table in 0..<2 { family.shape.tables[table].isRowid = policy == moveUser }
          var variant = Variant(name + suffix + word, family)
          variant.policies = [policy, policy]
          variants.append(variant)
        }
        return variants
      }
    }

  /// A row refers to one of two, to none, or to one that is always there: the DEFAULT.
  private static let optional: [Variant] = actions.flatMap { suffix, action in
    var moving = CaseFamily.optional(action, filed: [0])
    moving.shape.tables[0].isRowid = true
    return [
      Variant("optional" + suffix, .optional(action, filed: [0, 1])),
      Variant("optionalFollows" + suffix, .optional(action, filed: [0], changingKeys: [0])),
      Variant("optional" + suffix + "MoveUser", moving, moveUser),
    ]
  }

  /// A row refers to two others by columns of which they share one. One of those gets another value
  /// of it, or both do.
  private static let shared: [Variant] = actions.filter { $0.key != "Default" }
    .flatMap { suffix, action in
      [
        Variant("shared" + suffix, .shared(action, filed: [0, 1, 2])),
        Variant("sharedFollows" + suffix, .shared(action, filed: [0, 1], changingKeys: [0])),
        Variant("sharedBoth" + suffix, .shared(action, filed: [0, 1], changingKeys: [0, 1])),
      ]
    }
}

extension CaseFamily {
  private static func integers(_ names: [String]) -> [ColumnShape] {
    names.map { ColumnShape(name: $0, kind: .integer) }
  }

  /// Says which row it is, whatever its key, and decides nothing.
  private static let who = ColumnShape(name: "who", kind: .text, role: .ignored)

  /// Two rows, and two more whose keys refer to them.
  static func keys(
    _ action: String, filed: Set<Int>, changingKeys: Set<Int> = []
  ) -> CaseFamily {
    let text = ColumnShape(name: "a", kind: .text)
    let parent = TableShape(name: "t0", columns: integers(["id"]) + [text, who], key: [0])
    var child = TableShape(name: "t1", columns: integers(["id"]) + [text, who], key: [0])
    child.foreignKeys = [ForeignKey(columns: [0], parent: 0, parentColumns: [0], action: action)]
    if action.contains("DEFAULT") { child.columns[0].standard = 0 }
    return CaseFamily(
      shape: Shape(tables: [parent, child], changesKeys: !changingKeys.isEmpty),
      sites: (0..<2).flatMap { table in (0..<2).map { Site(table: table, place: $0) } },
      values: [[1: .plain], [1: .plain]], filed: filed, changingKeys: changingKeys, changing: [0],
      isPossible: { state, time in
        // What has no file has no rows in release 2.
        time == 2 && !filed.contains(1)
          ? state[2] + state[3] == 0 : state[2] <= state[0] && state[3] <= state[1]
      },
      isReleased: { base, seed, exchanged in
        // The author's rows follow, and what they refer to stays.
        filed.contains(1) || exchanged.contains(0)
          || base[2] <= seed[0] && base[3] <= seed[1]
      },
      row: { site, _, number in [id(site.place, number), .null, .null] },
      number: { $1[0].number / 8 - 1 })
  }

  /// Two rows, and one that refers to either, to none or to one that is always there.
  static func optional(
    _ action: String, filed: Set<Int>, changingKeys: Set<Int> = []
  ) -> CaseFamily {
    let text = ColumnShape(name: "a", kind: .text)
    let parent = TableShape(name: "t0", columns: integers(["id"]) + [text, who], key: [0])
    var child = TableShape(name: "t1", columns: integers(["n", "p"]) + [who], key: [0])
    child.foreignKeys = [ForeignKey(columns: [1], parent: 0, parentColumns: [0], action: action)]
    if action.contains("DEFAULT") { child.columns[1].standard = 0 }
    let hasParent: @Sendable (CaseSpace.State, CaseSpace.State) -> Bool = { child, parents in
      ![2, 3].contains(child[2]) || parents[child[2] - 2] > 0
    }
    return CaseFamily(
      shape: Shape(tables: [parent, child], changesKeys: !changingKeys.isEmpty),
      sites: [
        Site(table: 0, place: 0), Site(table: 0, place: 1), Site(table: 1, place: 0, forms: 5),
      ], values: [[1: .plain], [:]], filed: filed, changingKeys: changingKeys, changing: [0],
      isPossible: { state, time in
        time == 2 && !filed.contains(1) ? state[2] == 0 : hasParent(state, state)
      },
      isReleased: { base, seed, exchanged in
        filed.contains(1) || exchanged.contains(0) || hasParent(base, seed)
      },
      row: { site, form, number in
        if site.table == 0 { return [id(site.place, number), .null, .null] }
        let parents: [Cell] = [.null, id(0, number), id(1, number), 0]
        return [.integer(number), parents[form - 1], .null]
      }, lasting: [[[0, "always", "always"]], []],
      number: { $0 == 0 ? $1[0].number / 8 - 1 : $1[0].number })
  }

  /// Two rows of each of two tables, and one that refers to the first of both, to the second, or
  /// to one of the first table alone.
  static func shared(
    _ action: String, filed: Set<Int>, changingKeys: Set<Int> = []
  ) -> CaseFamily {
    let text = ColumnShape(name: "v", kind: .text)
    let one = TableShape(
      name: "t0", columns: integers(["c", "a", "b"]) + [text, who], key: [0, 1, 2])
    let other = TableShape(name: "t1", columns: integers(["c", "a", "d"]) + [who], key: [0, 1, 2])
    var child = TableShape(
      name: "t2", columns: integers(["n", "c", "a", "b", "d"]) + [who], key: [0])
    child.foreignKeys = [
      ForeignKey(columns: [1, 2, 3], parent: 0, parentColumns: [0, 1, 2], action: action),
      ForeignKey(columns: [1, 2, 4], parent: 1, parentColumns: [0, 1, 2], action: action),
    ]
    /// Whether the rows of a state are there to which the child of another refers.
    let hasParents: @Sendable (CaseSpace.State, CaseSpace.State, Set<Int>) -> Bool = {
      child, parents, exchanged in
      guard child[4] > 0 else { return true }
      let place = (child[4] - 1) % 2
      let now = exchanged.contains(0) ? 1 - place : place
      return parents[now] > 0 && (child[4] > 2 || parents[2 + now] > 0)
    }
    return CaseFamily(
      shape: Shape(tables: [one, other, child], changesKeys: !changingKeys.isEmpty),
      sites: (0..<2).flatMap { table in (0..<2).map { Site(table: table, place: $0) } }
        + [Site(table: 2, place: 0, forms: changingKeys.isEmpty ? 3 : 5)],
      values: [[3: .plain], [:], [:]], filed: filed, changingKeys: changingKeys,
      isPossible: { state, time in
        time == 2 && !filed.contains(2) ? state[4] == 0 : hasParents(state, state, [])
      },
      isReleased: { base, seed, exchanged in
        // Rows that pass on keys by a column that two references share may keep them.
        let passesOn = base[0] > 0 && base[1] > 0 || base[2] > 0 && base[3] > 0
        if changingKeys.count > 1, passesOn { return false }
        if filed.contains(2) || base[4] == 0 { return true }
        let areBoth = exchanged.contains(0) == exchanged.contains(1)
        return hasParents(base, seed, exchanged)
          && (changingKeys.count < 2 || base[4] > 2 || areBoth)
      },
      row: { site, form, number in
        let place = Cell.integer(Int64(site.place) + 1)
        if site.table < 2 {
          return [.integer(number), place, 1, .null] + (site.table == 0 ? [.null] : [])
        }
        let shared = Cell.integer(Int64((form - 1) % 2) + 1)
        return [.integer(number), .integer(number), shared, 1, form > 2 ? .null : 1, .null]
      })
  }
}
