internal import Seedbed

/// A conflict in words for a person.
struct ConflictText {
  let conflict: Migrator.Conflict

  init(_ conflict: Migrator.Conflict) { self.conflict = conflict }

  var base: Migrator.Row? { conflict.base }
  var mine: Migrator.Row? { conflict.mine }
  var seed: Migrator.Row? { conflict.seed }

  /// `number=113`, or `lang="de", id=4` if the key has several columns. If it holds ids that the
  /// database chose itself, the names of the row files come after it: `country_id=3 (CZ)`.
  var key: String {
    conflict.key.listed + (conflict.names.map { " (\($0.written.printable))" } ?? "")
  }

  /// False if the conflict is about the whole row.
  var concernsColumns: Bool {
    switch conflict.kind {
    case .edited: true
    // For an update that could not be made in full, the old values are known. A row to insert has
    // none.
    case .uniqueTaken, .parentDeleted, .parentTaken, .keyTaken: conflict.base != nil
    // A value that other rows refer to. A row to retire, or to get another key, is shown as a
    // whole.
    case .referenced: seed != nil && base != nil && base != conflict.key
    case .deletedByUser, .editedRetired: false
    }
  }

  /// The columns to show, in the order of the file or the table.
  var columns: [String] {
    if concernsColumns { return seed?.columns ?? [] }
    // A file of changes also has columns that only other rows change.
    if conflict.kind == .deletedByUser {
      return (seed?.columns ?? []).filter { base?[$0] != seed?[$0] }
    }
    // For two whole rows, the columns that differ.
    guard let mine, let theirs = seed ?? base else { return [] }
    let both = theirs.columns.filter { mine[$0] != nil && mine[$0] != theirs[$0] }
    if conflict.kind == .uniqueTaken {
      // The value that both rows want is the same in both, and comes first.
      let same = theirs.columns.filter { mine[$0] == theirs[$0] && mine[$0] != .null }
      return same + both
    }
    // The user's columns that keep a row, such as a favourite or a note. The row is otherwise as
    // the seed left it.
    return both.isEmpty && conflict.kind == .editedRetired
      ? mine.columns.filter { theirs[$0] == nil && mine[$0] != .null } : both
  }

  /// The conflicting values side by side. If there is only one row, it takes one line.
  func values(columns width: Int) -> (lines: [String], isCut: Bool) {
    if conflict.kind == .referenced, !concernsColumns { return ([], false) }
    let sides = [("SEED", seed), ("MINE", mine), ("BASE", base)]
      .compactMap { title, values in values.map { (title, $0) } }
    if sides.count == 1, let (title, values) = sides.first {
      let line = "\(title)  \(values.listed)"
      return ([line.cut(to: width)], line.displayWidth > width)
    }
    let rows = columns.map { name in [name] + sides.map { $0.1[name]?.shown ?? "" } }
    return rows.isEmpty
      ? ([], false)
      : FittedTable(rows: [[""] + sides.map(\.0)] + rows, compared: 1..<(sides.count + 1))
        .lines(columns: width)
  }

  /// The outcome, without a full stop.
  var resolution: String {
    if let owner = conflict.heldBy.map(Self.catalog), !concernsColumns {
      return conflict.kind == .referenced
        ? "the row stays, because rows of \(owner) refer to it"
        : "the row of \(owner) stays; this catalog's was skipped"
    }
    return switch (conflict.kind, conflict.resolution) {
    case (_, .moved): "the user's row moved to \(moved); the seed's took its place"
    case (.edited, .merged): "the user's value stays; the rest was updated"
    case (.edited, .tookSeed): "the seed's value replaced the user's"
    case (.edited, _): "the row stays as the user left it"
    case (.deletedByUser, _): "the row stays deleted"
    case (.parentDeleted, .merged):
      "added without its reference, whose row is missing"
    case (.parentDeleted, _): "skipped, because the row it refers to is missing"
    case (.parentTaken, _): "skipped, because the row it refers to is the user's"
    case (.editedRetired, .tookSeed):
      "the row was removed"
        + (conflict.mayBeEdited ? ", with a value that may be the user's" : "")
    case (.editedRetired, _): "the row stays"
    case (.referenced, .merged) where concernsColumns:
      "the value that others refer to stays; the rest was updated"
    case (.referenced, _) where concernsColumns:
      "the old value stays, because other rows refer to it"
    case (.referenced, _) where conflict.seed != nil && conflict.base == conflict.key:
      "the row keeps its key, because rows that refer to it cannot follow"
    case (.referenced, _): "the row stays, because other rows refer to it"
    case (.keyTaken, .tookSeed): "the user's row took the seed's values"
    case (.uniqueTaken, .merged): "the old value stays; the rest was updated"
    case (.uniqueTaken, _) where concernsColumns:
      "the old value stays, because another row has the seed's"
    case (.keyTaken, _) where concernsColumns:
      "the row keeps its key, because a user's row has the new one"
    case (.uniqueTaken, _) where mine == nil:
      "skipped, because another row has one of its UNIQUE values"
    case (.keyTaken, _), (.uniqueTaken, _): "the user's row stays; the seed's was skipped"
    }
  }

  /// `the base`, or `the pack 'de'`
  static func catalog(_ name: String) -> String {
    name == "base" ? "the base" : "the pack '\(name.printable)'"
  }

  /// The columns whose edits are line ends and white space alone, with the option for them.
  var form: String? {
    guard conflict.kind == .edited || conflict.kind == .editedRetired, let base, let mine else {
      return nil
    }
    let names = base.columns.filter { name in
      guard case .text(let old) = base[name], case .text(let new) = mine[name] else { return false }
      return !old.utf8.elementsEqual(new.utf8) && PlainText.isSame(old, new)
    }
    guard let first = names.first else { return nil }
    return "only line ends or white space differ in \(list(names.map(\.printable), "and")): see "
      + "\"compare\": {\"\(first.printable)\": \"text\"}"
  }

  /// `settled 2026-11-23T08:12:44Z: the seed's values`
  var settled: String? {
    guard let side = conflict.settled, let time = conflict.settledAt else { return nil }
    return "settled \(time.toTheSecond): the \(side == .mine ? "user" : "seed")'s"
  }

  private var moved: String { conflict.movedTo?.listed ?? "a new key" }

  /// `the row stays (keepEdits)`
  var outcome: String { resolution + (conflict.policy.map { " (\($0))" } ?? "") }
}

extension Migrator.Row {
  /// `number=113, name="Nihonium"`
  var listed: String {
    zip(columns, values).map { "\($0)=\($1.shown)" }.joined(separator: ", ").printable
  }
}

extension Migrator.Value {
  /// The value as JSON, which distinguishes text and numbers; `NULL` as in SQL.
  var shown: String { self == .null ? "NULL" : json }
}

extension Migrator.Conflict {
  /// Whether the row was deleted as the seed wants, and logged because the user may have edited it.
  var mayBeEdited: Bool {
    kind == .editedRetired && resolution == .tookSeed && policy == nil
  }
}
