import Seedbed

/// The steps in which keys change.
extension ReleaseSteps {
  private static let ofRoom =
    "New keys come after the rows that have them, and after those to which they refer."

  /// Steps until every row has its new key, and what is left then: rows that refer to others have
  /// followed.
  func ofKeys(
    _ whole: ReleaseContent
  ) throws -> (steps: [ReleaseContent], rest: ReleaseContent) {
    var (steps, rest) = ([ReleaseContent](), whole)
    // A trigger may put old keys back, which is reported when the steps are published.
    while steps.count < Self.most, rest.rows.differences.contains(where: \.changesKeys) {
      let (step, scratch) = try next(rest, behind: steps)
      steps.append(step)
      let reason = step.rows.differences.contains(where: \.changesKeys) ? Self.ofKeys : Self.ofRoom
      let before = rest
      rest = try self.rest(on: scratch, rest, reason) { sources in
        try RenamedRows.left(of: before, after: step, sources, in: scratch)
      }
    }
    return (steps, rest)
  }

  private func next(
    _ rest: ReleaseContent, behind steps: [ReleaseContent]
  ) throws -> (step: ReleaseContent, scratch: ScratchDatabase) {
    let differences = rest.rows.differences
    var step = rest
    (step.isFirst, step.isLast) = (steps.isEmpty, false)
    var why = Outcome.applied
    // What a parent's new key moves away needs no room.
    for index in ReleaseRows.parentsFirst(differences) where differences[index].changesKeys {
      let keys = differences[index].only(Set(differences[index].source.keyIndexes))
      step.rows = ReleaseRows([keys])
      let (outcome, scratch) = try apply(steps + [step])
      if case .applied = outcome { return (step, scratch) }
      if case .applied = why { why = outcome }
      for rows in [try KeyRoom(differences, of: index).rows(), step.rows] {
        step.rows = rows
        if let found = try largest(of: step, behind: steps) { return found }
      }
    }
    switch why {
    case .met(let conflicts): throw SeedbedError.keyStays(conflicts[0])
    case .refused(let error): throw error.inNoOrder
    case .applied: throw SeedbedError(.conflict, "No row can get its new key.")
    }
  }
}

/// The keys that are to change, by table.
typealias RenamedRows = [ExactText: [RenamedKeys.Entry]]

extension RenamedRows {
  /// The ones that are left after a step, with the keys that the rows have then.
  ///
  /// - Parameter sources: loaded after the step.
  static func left(
    of before: ReleaseContent, after step: ReleaseContent, _ sources: [SourceTable],
    in scratch: ScratchDatabase
  ) throws -> RenamedRows {
    let changed = step.rows.differences.first(where: \.changesKeys)
    let changes = try changed.flatMap { difference in
      try sources.first { $0.target.name == difference.target.name }.map {
        try KeyChanges(difference, $0, scratch)
      }
    }
    let done = Set(changed?.updates.map(\.key) ?? [])
    var left: RenamedRows = [:]
    for difference in before.rows.differences {
      guard let entries = difference.renamed?.entries else { continue }
      let (name, key) = (difference.target.name, difference.target.key.map(\.name))
      let isChanged = name == changed?.target.name
      left[ExactText(name)] = try entries.filter { !isChanged || !done.contains($0.old) }
        .map { entry in
          var entry = entry
          entry.old = try changes?.followed(entry.old, key, of: name) ?? entry.old
          return entry
        }
    }
    return left
  }
}

/// The keys of a table that changed, and what follows them.
private struct KeyChanges {
  private let table: String
  private let key: [String]
  private let changes: [[Value]: [Value]]
  private let scratch: ScratchDatabase

  /// - Parameter source: loaded after the keys have changed.
  init(
    _ difference: TableDifference, _ source: SourceTable, _ scratch: ScratchDatabase
  ) throws {
    (table, key) = (source.target.name, source.target.key.map(\.name))
    self.scratch = scratch
    let now = try source.keysInTable()
    changes = Dictionary(
      difference.updates.compactMap { change in now[change.row].map { (change.key, $0) } }
    ) { first, _ in first }
  }

  /// The values that columns of a row have now, if they refer to rows whose keys changed.
  func followed(
    _ values: [Value], _ columns: [String], of table: String, depth: Int = 0
  ) throws -> [Value] {
    if table == self.table {
      let places = key.compactMap { column in columns.firstIndex(of: column) }
      if places.count == columns.count, let new = changes[places.map { values[$0] }] {
        return columns.compactMap { column in key.firstIndex(of: column).map { new[$0] } }
      }
    }
    var followed = values
    for parent in try scratch.parentKeys(of: table) where depth < 10 {
      let places = parent.childColumns.compactMap { name in
        columns.firstIndex { $0.isSameName(as: name) }
      }
      if places.count < parent.childColumns.count { continue }
      let old = places.map { values[$0] }
      let new = try self.followed(old, parent.parentColumns, of: parent.parent, depth: depth + 1)
      for (place, value) in zip(places, new) where value != values[place] {
        followed[place] = value
      }
    }
    return followed
  }
}

extension SeedbedError {
  fileprivate static func keyStays(_ conflict: Migrator.Conflict) -> SeedbedError {
    let why =
      switch conflict.kind {
      case .keyTaken, .uniqueTaken:
        "another row has it, and cannot be retired first, because rows still refer to that one"
      case .parentDeleted, .parentTaken:
        "the row to which it refers is not there, and cannot be added first"
      default: "of the conflict \(conflict.kind.rawValue)"
      }
    return SeedbedError(
      .conflict,
      "The row \(conflict.key.words) of '\(conflict.table)' cannot get its new key in this "
        + "release: \(why). Change the sources in two steps, with a release after each.")
  }
}
