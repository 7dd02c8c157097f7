extension SmallCases {
  /// What is there beside the rows, and how they are merged.
  struct Variant: Sendable {
    let name: String
    let family: CaseFamily
    var policies: [Policy]
    /// Whether the user pinned the first row.
    var pins = false
    /// Whether each of two owners has a copy. The second leaves it as it came.
    var hasOwners = false
    /// Whether only the defaults decide, so that the laws hold.
    var hasLaws = false

    init(_ name: String, _ family: CaseFamily, _ policy: Policy = Policy()) {
      (self.name, self.family) = (name, family)
      policies = family.shape.tables.indices.map { $0 == 0 ? policy : Policy() }
    }
  }

  static let variants = plain + uniques + others + references + owned

  private static let plain: [Variant] = [
    // Under the defaults. The user's own row refers to the first one; or release 2 brings one that
    // does.
    lawful("plain", .rows()), lawful("child", .child(isUsers: true)),
    lawful("seedsChild", .child(isUsers: false)), pinned,
    // Release 2 gives rows other keys where it can.
    Variant("moves", .moving()),
    Variant("preferSeed", .rows(), Policy(onEdited: "preferSeed")),
    Variant("keepRow", .rows(), Policy(onEdited: "keepRow")),
    Variant("overwriteRow", .rows(), Policy(onEdited: "overwriteRow")),
    Variant("preferColumn", .rows(), Policy(columns: [2: "preferSeed"])),
    Variant("replaceUser", .rows(), Policy(onTaken: "replaceUser")),
  ]

  private static let uniques: [Variant] = [
    lawful("unique", .rows(isUnique: true)), Variant("uniqueMoves", .moving(isUnique: true)),
    Variant("uniqueReplace", .rows(isUnique: true), Policy(onTaken: "replaceUser")),
  ]

  /// Numbers that are spelled in several ways, a column that no file has, and users' rows that make
  /// way: then a key is one number.
  private static let others: [Variant] = [
    Variant("reals", .rows(.real)), Variant("default", .rows(.user)),
    Variant("moveUser", .ids(hasChild: false), Policy(onTaken: "moveUser")),
    Variant("moveParent", .ids(hasChild: true), Policy(onTaken: "moveUser")),
  ]

  private static let owned: [Variant] = [
    lawful("owners", .rows()), lawful("ownersUnique", .rows(isUnique: true)),
  ].map { variant in
    var variant = variant
    variant.hasOwners = true
    return variant
  }

  private static func lawful(_ name: String, _ family: CaseFamily) -> Variant {
    var variant = Variant(name, family)
    variant.hasLaws = true
    return variant
  }

  private static var pinned: Variant {
    var variant = Variant("pinned", .rows())
    variant.pins = true
    return variant
  }
}

extension CaseFamily {
  /// Two rows of a number of the case and one of their own, with two columns.
  static func rows(_ last: Values = .text, isUnique: Bool = false) -> CaseFamily {
    let numbers = ["c", "k"].map { ColumnShape(name: $0, kind: .integer, isNotNull: true) }
    var columns = ["a", "b"].map { ColumnShape(name: $0, kind: .text) }
    if last == .real { columns[1].kind = .real }
    if last == .user { (columns[1].role, columns[1].standard) = (.user, "draft") }
    var table = TableShape(name: "t0", columns: numbers + columns, key: [0, 1])
    if isUnique { table.uniques = [Unique(columns: [2])] }
    let standard = columns[1].standard
    return CaseFamily(
      shape: Shape(tables: [table]),
      sites: [Site(table: 0, place: 0), Site(table: 0, place: 1)],
      values: [[2: isUnique ? .unique : .text, 3: last]],
      row: { [.integer($2), .integer(Int64($0.place) + 1), .null, standard] })
  }

  /// The same, and release 2 gives rows other keys: one row the key of the other, or each other's.
  static func moving(isUnique: Bool = false) -> CaseFamily {
    var family = rows(isUnique: isUnique)
    (family.shape.changesKeys, family.changingKeys) = (true, [0])
    return family
  }

  /// A row of the user's, or of release 2, refers to the first row if it is there.
  static func child(isUsers: Bool) -> CaseFamily {
    var family = rows()
    let columns = ["n", "c", "k"].map { ColumnShape(name: $0, kind: .integer, isNotNull: true) }
    var child = TableShape(name: "t1", columns: columns, key: [0])
    child.foreignKeys = [
      ForeignKey(columns: [1, 2], parent: 0, parentColumns: [0, 1], action: "")
    ]
    family.shape.tables.append(child)
    family.sites.append(Site(table: 1, place: 0))
    family.values.append([:])
    if !isUsers { family.filed = [0, 1] }
    family.isPossible = { state, time in
      (state[2] > 0) == (time == (isUsers ? 1 : 2) && state[0] > 0)
    }
    let parent = family.row
    family.row = { site, form, number in
      site.table == 0
        ? parent(site, form, number) : [.integer(number), .integer(number), 1]
    }
    return family
  }

  /// Two rows whose keys are one number, and perhaps a row of the user's that refers to the first.
  static func ids(hasChild: Bool) -> CaseFamily {
    var parent = TableShape(
      name: "t0", columns: [ColumnShape(name: "id", kind: .integer)], key: [0])
    parent.columns += ["a", "b"].map { ColumnShape(name: $0, kind: .text) }
    parent.isRowid = true
    var family = CaseFamily(
      shape: Shape(tables: [parent]),
      sites: [Site(table: 0, place: 0), Site(table: 0, place: 1)],
      values: [[1: .text, 2: .text]], changing: [0],
      row: { site, _, number in
        site.table == 0
          ? [id(site.place, number), .null, .null] : [.integer(number), id(0, number)]
      }, number: { $0 == 0 ? $1[0].number / 8 - 1 : $1[0].number })
    guard hasChild else { return family }
    var child = TableShape(
      name: "t1", columns: ["n", "p"].map { ColumnShape(name: $0, kind: .integer) }, key: [0])
    child.foreignKeys = [ForeignKey(columns: [1], parent: 0, parentColumns: [0], action: "")]
    family.shape.tables.append(child)
    family.sites.append(Site(table: 1, place: 0))
    family.values.append([:])
    family.isPossible = { state, time in (state[2] > 0) == (time == 1 && state[0] > 0) }
    return family
  }

  /// What a row has for a key of one number; of eight the first is nobody's, and the last four are
  /// for rows that make way.
  static func id(_ place: Int, _ number: Int64) -> Cell {
    .integer((number + 1) * 8 + Int64(place) + 1)
  }
}
