/// §4 of DESIGN.md once more, over small arrays, as plainly as it can be said.
///
/// Written from the page, not from the engine. A run starts from assumptions that are as good for
/// the seed as can be (all unedited retired rows go, all free keys are filled); what turns out
/// false is taken from the assumptions, and the run starts anew.
struct Model {
  let shape: Shape
  /// By table and row; a row that went leaves nil, so that places stay.
  var tables: [[[Cell]?]]
  var left: Set<RowKey> = []
  var counts: [Int: ModelCounts] = [:]
  var clashes: [Clash] = []

  var policies: [Policy] = []
  /// Retired rows that hold no UNIQUE value any more.
  var going: Set<Place> = []
  /// Rows that this release has yet to update: they may give up their UNIQUE values.
  var yielding: Set<Place> = []
  /// UNIQUE values that their rows turned out to keep.
  var keeping: Set<UniqueValue> = []
  /// Rows that this release inserts.
  var coming: [Int: [[Cell]]] = [:]
  /// Keys of rows to insert under which the user has something else.
  var clashing: Set<RowKey> = []
  /// The user's rows that are to take the seed's values, and what these are.
  var replacing: [Place: [Cell]] = [:]
  /// Tables that this release inserts into.
  var filled: Set<Int> = []
  /// Rows whose UNIQUE value was held by the user's in an earlier run.
  var takenBefore: Set<RowKey> = []
  var takenNow: Set<RowKey> = []
  /// Rows whose place would be taken if all rows came that others name.
  var takenInHope: Set<RowKey> = []
  /// The names of rows to insert.
  var allHopes: Set<Name> = []
  /// Keys that this release leaves to the user; its own rows are judged without them.
  var leaving: Set<RowKey> = []
  /// Rows with one parent that is missing and one that is the user's: the log may say either.
  var hasUnchangedInserts = false
  var hasEither: Set<RowKey> = []
  /// By table, the last id that AUTOINCREMENT gave.
  var lastIds: [Int: Int64] = [:]
  /// Keys from which users' rows moved away.
  var moved: Set<RowKey> = []
  /// Those that did so in an earlier run, and nothing came in their place.
  var movedInVain: Set<RowKey> = []
  /// The rows that names of new values stand for, as far as is known.
  var meanings: [Name: [Cell]] = [:]
  /// What stands where nobody has a name, and the names.
  var unknown: [Cell: [String: Cell]] = [:]
  /// The rows to insert that would have names, and their keys where nobody has these in the end.
  var hopes: [Name: [Cell]] = [:]
  var unknownHopes: [Cell: RowKey] = [:]
  /// Where these names are keys.
  var unknownKeys: [Cell: RowKey] = [:]
  /// The release with keys in place of names.
  var named = Release(version: 0, files: [])
  /// The user's rows that hold UNIQUE values of the seed's, since earlier releases and since this.
  var holders: Set<Holder> = []
  var holdersNow: Set<Holder> = []
  /// Those of this release, as far as is known.
  var holdersThought: Set<Holder> = []
  /// Whether what names mean hangs on itself, so that the log may show keys or names; and whether
  /// no end was found.
  var hangsOnItself = false
  var neverSettles = false
  /// By key, numbers of rows to insert that the database will choose.
  var numbers: [RowKey: Cell] = [:]
  /// Rows whose UNIQUE values several rows hold: the log shows one of them.
  var hasSeveralHolders: Set<RowKey> = []
  /// Rows that update and delete files name: those files decide about them.
  var listed: Set<Place> = []
  /// Columns that stay, since rows would refer to nothing if they became NULL.
  var holding: Set<UniqueValue> = []
  /// Columns that name rows to insert: what holds the same value meanwhile is not referred to.
  var awaiting: Set<UniqueValue> = []
  /// Columns that come to hold what a row to retire does, and another is to get; and those for
  /// which nobody got it.
  var passedOn: Set<UniqueValue> = []
  var notPassedOn: Set<UniqueValue> = []
  /// Rows that wait for a UNIQUE value until one to retire is gone.
  var waiting: Set<Place> = []
  /// What follows these, with its old and its new values.
  var followingLate: [(link: Links.Link, old: [Cell], new: [Cell])] = []
  /// Rows as they were before the updates.
  var beforeUpdates: [[[Cell]?]] = []
  /// Rows that went with a retired one.
  var disposed: Set<Place> = []
  var keys = ModelKeys()

  init(
    _ shape: Shape, _ rows: [[[Cell]]], left: Set<RowKey>, holders: Set<Holder>,
    lastIds: [Int: Int64]
  ) {
    self.shape = shape
    self.holders = holders
    self.lastIds = lastIds
    tables = rows
    self.left = left
  }

  /// A policy says that the release fails; what it met is all there.
  var fails: Bool { clashes.contains { $0.policy == "fail" } }

  /// The data after a release.
  func after(_ release: Release, _ policies: [Policy]) -> Model {
    var start = self
    start.policies = policies
    while true {
      var run = start.playedByName(release)
      let vain = run.vainMoves
      if vain.isEmpty {
        run.noteLastIds()
        run.holders.formUnion(run.holdersNow)
        return run
      }
      start.movedInVain.formUnion(vain)
    }
  }

  /// What AUTOINCREMENT knows afterwards.
  private mutating func noteLastIds() {
    for (table, last) in lastIds {
      for case .integer(let id)? in tables[table].map({ $0?[0] }) {
        lastIds[table] = max(lastIds[table] ?? last, id)
      }
    }
  }

  func played(_ release: Release) -> Model {
    var start = self
    let known = start.withoutStrangers(start.resolve(release))
    let retired = start.retired(known)
    start.moveUsers(known)
    // Names follow rows that moved.
    let release = start.resolve(known)
    start.going = Set(retired.map(\.place))
    start.filled = Set(release.files.filter { $0.kind == .insert }.map(\.table))
    start.findRows(release)
    start.listed = Set(start.keys.places.values)
    var assumed = start.insertable(release)
    while true {
      var run = start
      run.coming = assumed.mapValues { $0.map(\.row) }
      let release = run.changeKeys(release)
      run.clashing = run.clashing(release)
      run.replacing = run.replacing(release)
      let clashing = run.clashing
      run.runUpdates(release)
      if !run.keys.keepingNow.isSubset(of: start.keys.keeping) {
        // A row that has to keep its key may stand in the way of all that was found so far.
        start.keys.keeping.formUnion(run.keys.keepingNow)
        start.takenBefore = []
        assumed = start.insertable(release)
        continue
      }
      let gone = run.runDeletes(retired, isLast: false)
      // What went with a retired row keeps no key any more.
      run.clashing = run.clashing(release)
      let inserted = run.runInserts(release)
      let vain = run.passedOnInVain.subtracting(start.notPassedOn)
      if !vain.isEmpty {
        start.notPassedOn.formUnion(vain)
        continue
      }
      let needed = run.needed
      if !needed.isEmpty {
        start.holding.formUnion(needed)
        continue
      }
      let isRight = assumed.values.joined().allSatisfy { inserted.contains($0.key) }
      // A row that others come to refer to once they have its values, and nobody without them, goes
      // late.
      if gone.isSuperset(of: start.going), isRight {
        run.noteFreed(since: clashing)
        _ = run.runDeletes(retired, isLast: true)
        if shape.isPlanned { run.explain(release, before: start.left) }
        return run
      }
      start.going.formIntersection(gone)
      if !run.keys.aside.isSubset(of: gone) {
        start.takenBefore = []
        assumed = start.insertable(release)
        continue
      }
      // First whoever has no parent, then whose place is taken.
      let orphaned = assumed.values.joined().contains {
        !inserted.contains($0.key) && !run.takenNow.contains($0.key)
      }
      if !orphaned { start.takenBefore = run.takenFirst }
      assumed = assumed.mapValues { rows in
        rows.filter {
          inserted.contains($0.key) || orphaned && run.takenNow.contains($0.key)
        }
      }
    }
  }

  // MARK: finding rows

  func place(of key: [Cell], in table: Int) -> Place? {
    find(shape.tables[table].key, key, in: table)
  }

  /// The row whose columns hold these values, by the columns' collations.
  func find(_ set: [Int], _ values: [Cell], in table: Int) -> Place? {
    let shape = shape.tables[table]
    let wanted = zip(set, values).map { $1.folded(ignoringCase: shape.columns[$0].ignoresCase) }
    guard !values.contains(.null) else { return nil }
    return tables[table].indices.first { index in
      tables[table][index].map { shape.folded(set, of: $0) == wanted } ?? false
    }.map { Place(table: table, index: $0) }
  }

  subscript(place: Place) -> [Cell]? {
    get { tables[place.table][place.index] }
    set { tables[place.table][place.index] = newValue }
  }

  func rowKey(_ key: [Cell], _ table: Int) -> RowKey {
    let shape = shape.tables[table]
    return RowKey(
      table: table,
      key: zip(shape.key, key).map { $1.folded(ignoringCase: shape.columns[$0].ignoresCase) })
  }

  func rowKey(of clash: Clash) -> RowKey? {
    shape.tables.firstIndex { $0.name == clash.table }.map { table in
      let columns = shape.tables[table].columns
      return rowKey(shape.tables[table].key.map { clash.key[columns[$0].name] ?? .null }, table)
    }
  }

  func rowKey(of place: Place) -> RowKey {
    let row = self[place]
    return rowKey(shape.tables[place.table].key.map { row?[$0] ?? .null }, place.table)
  }

  enum Parent { case there, taken, missing }

  /// What the foreign key of a row would refer to.
  func parent(
    _ key: ForeignKey, of row: [Cell], at own: Place? = nil, in file: SeedFile
  ) -> Parent {
    let values = key.columns.map { row[$0] }
    if let value = values.first(where: { unknown[$0] != nil }) { return unnamed(value) }
    if values.contains(.null) { return .there }
    let natural = file.naturals.first { !$0.isBase && $0.columns == key.columns }
    let child = rowKey(shape.tables[file.table].key.map { row[$0] }, file.table)
    if let place = find(key.parentColumns, values, in: key.parent),
      place == own || !givesUp(key, place)
    {
      let key = rowKey(of: place)
      let isTaken = left.contains(key) || clashing.contains(key) || takenBefore.contains(key)
      return isTaken || isUsers(place, natural, of: child) ? .taken : .there
    }
    let parent = shape.tables[key.parent]
    let wanted = zip(key.parentColumns, values).map {
      $1.folded(ignoringCase: parent.columns[$0].ignoresCase)
    }
    // A plan says so only if a row is there.
    let keyLeft =
      self.shape.isPlanned || key.parentColumns != parent.key
      ? nil : rowKey(values, key.parent)
    if let keyLeft, takenBefore.contains(keyLeft) { return .taken }
    let comes = coming[key.parent, default: []]
      .contains { parent.folded(key.parentColumns, of: $0) == wanted }
    if comes { return .there }
    // A key that was left to the user and that the user emptied since is the user's still.
    if let keyLeft, left.contains(keyLeft) { return .taken }
    return .missing
  }

  /// Whether the user's row is to have other values in the columns that are referred to.
  private func givesUp(_ key: ForeignKey, _ place: Place) -> Bool {
    guard let row = self[place], let new = replacing[place],
      !takenBefore.contains(rowKey(of: place))
    else { return false }
    let parent = shape.tables[key.parent]
    return parent.folded(key.parentColumns, of: row) != parent.folded(key.parentColumns, of: new)
  }

  /// The rows that hold what `row` would have in its UNIQUE sets, with the columns concerned.
  func holders(of row: [Cell], besides own: Place?, in table: Int) -> [(set: [Int], place: Place)] {
    let shape = shape.tables[table]
    return shape.uniques.compactMap { set in
      guard !set.contains(where: { row[$0].isNull }) else { return nil }
      let wanted = shape.folded(set, of: row)
      let holder = tables[table].indices.first { index in
        let place = Place(table: table, index: index)
        guard place != own, !going.contains(place), let other = self[place] else { return false }
        let yields =
          yielding.contains(place) && !keeping.contains(UniqueValue(place: place, set: set))
        return !yields && shape.folded(set, of: other) == wanted
      }
      return holder.map { (set, Place(table: table, index: $0)) }
    }
  }
}
