/// The rows of one migration, in the order of the reference page: users' rows make way, keys
/// change, then updates, deletes, inserts.
struct MigrationMerge {
  let context: MergeContext
  /// Decides rows of a stage beforehand; for `down`.
  var prepare: ((Stage) throws -> Void)?
  private var connection: Connection { context.connection }

  func run(_ files: [RowFile]) throws {
    let inserts = files.filter { $0.role == .insert }
    let updates = ordered(files.filter { $0.role == .update })
    let deletes = ordered(files.filter { $0.role == .delete })
    context.tablesToUpdate = Set(updates.map(\.target.name))
    context.tablesToFill = Set(inserts.map(\.target.name))

    let updateStages = try stage(updates, from: 0)
    let deleteStages = try stage(deletes, from: updates.count)
    (context.updates, context.deletes) = (updateStages, deleteStages)
    if context.isTakingBack { try updateStages.forEach(context.fillKeysAhead) }
    for stage in updateStages + deleteStages {
      try prepare?(stage)
      try IdentityCheck(context: context).settle(stage)
    }
    // On the way back the files are known to be sound, and some keys are what they were before.
    if !context.isTakingBack {
      for stages in [updateStages, deleteStages] {
        try StagedKeys.refuseDuplicates(among: stages, on: connection)
      }
      try refuseTwice(deleteStages, updateStages)
      for stage in updateStages where stage.file.hasKeyChanges {
        for file in inserts where file.target.name == stage.file.target.name {
          try StagedKeys.refuseNewKeys(of: stage, among: file, on: connection)
        }
      }
    }
    let parts = Parts(updates: updateStages, deletes: deleteStages, inserts: inserts)
    let mayHope = try updateStages.contains {
      try $0.file.setsParent(in: context.tablesToFill) || $0.file.hasKeyChanges
        || context.mayRename($0.file) || context.mayPassOn($0.file)
        || $0.empties(context.referredColumns(of: $0.file.target.name))
    }
    if mayHope || files.contains(where: { context.onTaken($0.target) == .moveUser }) {
      try mergeInHope(parts)
    } else {
      _ = try merge(parts, vain: Vain())
    }
    for stage in updateStages + deleteStages { try stage.drop() }
    try context.findings.refusals.check()
  }

  /// What a merge hoped for and did not get.
  struct Vain {
    var parents: Set<UpdateParent.Hope> = []
    /// By the name of the stage, rows whose new key one to retire holds that has to stay.
    var keys: [String: Set<Int64>] = [:]
    /// By the name of the stage, rows that have no parent under their new key.
    var orphans: [String: [Int64: Conflict.Kind]] = [:]
    /// By the name of the stage, rows that the user edited and that are to keep their keys.
    var edits: [String: Set<Int64>] = [:]
    /// By the name of the stage and row, changes to NULL of what others refer to.
    var emptied: [String: [Int64: Set<Int>]] = [:]
    /// Which rows the new names of updates turned out to mean.
    var names: [NewName: NewName.Meaning] = [:]

    var isEmpty: Bool {
      parents.isEmpty && keys.isEmpty && orphans.isEmpty && edits.isEmpty && emptied.isEmpty
        && names.isEmpty
    }

    mutating func formUnion(_ other: Vain) {
      parents.formUnion(other.parents)
      keys.merge(other.keys) { $0.union($1) }
      orphans.merge(other.orphans) { $0.merging($1) { first, _ in first } }
      edits.merge(other.edits) { $0.union($1) }
      emptied.merge(other.emptied) { $0.merging($1) { $0.union($1) } }
      names.merge(other.names) { $0.followed(by: $1) }
      // Whether they may refer to those shows anew.
      let anew = Set(other.names.keys.map { NewName.Row(stage: $0.stage, row: $0.row) })
      if anew.isEmpty { return }
      parents = parents.filter { !anew.contains(NewName.Row(stage: $0.table, row: $0.row)) }
    }
  }

  private struct Parts {
    var updates: [Stage]
    var deletes: [Stage]
    var inserts: [RowFile]
  }

  /// An update may point a row to one that this migration is about to insert. It is written at
  /// once, as if that one were there already: only so is what the row gives up free for others.
  /// Where the other did not come, or its place is the user's, all is taken back and begun anew
  /// without that hope. So it is with a new key that a row to retire holds, and with users' rows
  /// that moved away in vain: what others hoped for while those were gone is open again then. Each
  /// turn gives up one hope at least, so this ends.
  private func mergeInHope(_ parts: Parts) throws {
    var vain = Vain()
    let stages = parts.updates + parts.deletes
    let logged = stages.map(\.logged)
    while true {
      var disappointed = Vain()
      let movedInVain = context.movedInVain
      let isDone = try context.trial {
        disappointed = try merge(parts, vain: vain)
        return disappointed.isEmpty && movedInVain == context.movedInVain
      }
      if isDone { return }
      if disappointed.isEmpty { vain = Vain() } else { vain.formUnion(disappointed) }
      for (stage, logged) in zip(stages, logged) {
        stage.hasRenamed = false
        stage.hasBefore = false
        stage.isWritten = false
        stage.logged = logged
      }
    }
  }

  /// Returns what it hoped for in vain.
  private func merge(_ parts: Parts, vain: Vain) throws -> Vain {
    let retiring = try DeleteMerge(
      context: context, stages: parts.deletes, updates: parts.updates)
    try retiring.judgeEdits()
    context.moved = [:]
    try MovedUsers(context: context).run(
      inserts: parts.inserts, updates: parts.updates, deletes: parts.deletes)
    let following = try context.followingColumns(parts.updates.map(\.file))
    try keepReferences(parts, following)
    if parts.updates.contains(where: \.file.hasKeyChanges) { try retiring.giveBackReferences() }
    let keys = try changeKeys(parts, vain)
    let updates = try parts.updates.map { stage in
      let isOfTable = { (other: Stage) in other.file.target.name == stage.file.target.name }
      return try UpdateMerge(
        context: context, stage: stage, vain: vain, updated: parts.updates.filter(isOfTable),
        retired: parts.deletes.filter(isOfTable), keys: keys[stage.name],
        following: following[stage.file.target.name] ?? [])
    }
    for files in updates.grouped(by: \.file.target.name) {
      for update in files { try update.writeFirst() }
      // Before other files speak of the new values.
      if files.contains(where: { !$0.referred.isEmpty }) { try exchange(files) }
    }
    // A row that waits may yet come to refer to one that is to be retired, or let go of one: what
    // nobody needs shows afterwards, but before the inserts, which may need its values.
    try retiring.giveBackReplaced()
    try settleWaiting(updates, retiring)
    try retiring.writeWhatNobodyNeeds()
    try InsertMerge(context: context, prepare: prepare).run(parts.inserts)
    var disappointed = Vain(parents: Set(try updates.map { try $0.takePassedOn() }.joined()))
    disappointed.parents.formUnion(try updates.map { try $0.vainHopes() }.joined())
    for update in updates {
      let needed = try update.neededValues()
      if !needed.isEmpty { disappointed.emptied[update.stage.name] = needed }
    }
    for (name, changes) in keys {
      let rows = try changes.vainMoves()
      if !rows.isEmpty { disappointed.keys[name] = Set(rows) }
      let orphans = try changes.newOrphans()
      if !orphans.isEmpty { disappointed.orphans[name] = orphans }
    }
    for update in updates where !update.rekeyedEdits.isEmpty {
      disappointed.edits[update.stage.name] = update.rekeyedEdits
    }
    disappointed.names = try otherNames(updates, ofRetired: false)
    if disappointed.isEmpty {
      try MovedUsers(context: context).noteVain()
      try retiring.writeRest()
      // A row that was to go, and has to stay, keeps its names.
      disappointed.names = try otherNames(updates, ofRetired: true)
      if !disappointed.isEmpty { return disappointed }
      for update in updates { try update.finish() }
      for changes in keys.values { try changes.finish() }
    }
    return disappointed
  }

  private func otherNames(
    _ updates: [UpdateMerge], ofRetired: Bool
  ) throws -> [NewName: NewName.Meaning] {
    try updates.reduce(into: [:]) { names, update in
      names.merge(try update.otherNames(ofRetired: ofRetired)) { $1 }
    }
  }

  private func keepReferences(_ parts: Parts, _ following: [String: Set<String>]) throws {
    let changesKeys = parts.updates.contains(where: \.file.hasKeyChanges)
    for stage in parts.updates + parts.deletes {
      let target = stage.file.target
      let columns = target.childColumns.filter {
        changesKeys || following[target.name]?.contains($0.asciiLowercased()) == true
      }
      try stage.keepReferences(columns)
    }
  }

  private func changeKeys(_ parts: Parts, _ vain: Vain) throws -> [String: KeyChanges] {
    var changes: [String: KeyChanges] = [:]
    for stage in parts.updates where stage.file.hasKeyChanges {
      let keys = try KeyChanges(
        context: context, stage: stage,
        retired: parts.deletes.filter { $0.file.target.name == stage.file.target.name },
        vain: vain.keys[stage.name] ?? [], orphans: vain.orphans[stage.name] ?? [:],
        keeping: vain.edits[stage.name] ?? [])
      try keys.run(others: parts.updates + parts.deletes)
      changes[stage.name] = keys
    }
    return changes
  }

  /// Rows of one table to which others refer by UNIQUE values, and that exchange these among
  /// themselves.
  private func exchange(_ updates: [UpdateMerge]) throws {
    for update in updates { try update.writeWaiting() }
    guard updates.contains(where: \.isWaiting) else { return }
    let isDone = try context.trial {
      for update in updates { try update.stepAside() }
      return try updates.map { try $0.takeNewValues(isLast: false) }.allSatisfy { $0 }
    }
    if isDone { for update in updates { update.isWaiting = false } }
  }

  /// Rows that need a UNIQUE value which another row of the migration has yet to give up.
  private func settleWaiting(_ updates: [UpdateMerge], _ retiring: DeleteMerge) throws {
    for update in updates { try update.writeWaiting() }
    while updates.contains(where: \.isWaiting) {
      // Two rows may exchange their values, and a row to retire may hold one that its own child
      // needs: all that wait step aside, what can go then goes, and they take their new values.
      let isDone = try context.trial {
        for update in updates { try update.stepAside() }
        try retiring.writeWhatNobodyNeeds()
        return try updates.map { try $0.takeNewValues(isLast: true) }.allSatisfy { $0 }
      }
      if isDone { return }
      for update in updates { try update.writeWaiting() }
    }
  }

  /// Parents before children.
  private func ordered(_ files: [RowFile]) -> [RowFile] {
    LoadOrder.groups(of: files).flatMap(\.files)
  }

  private func stage(_ files: [RowFile], from first: Int) throws -> [Stage] {
    try files.enumerated().map { number, file in
      let stage = try Stage(file, number: first + number, on: connection) { bytes, rows in
        try context.noteRead(file, bytes, rows: rows, isStaged: true)
      }
      context.note(digest: stage.digest, of: file.migrationFile.name)
      return stage
    }
  }

  /// A row cannot be retired and changed by the same migration.
  private func refuseTwice(_ deletes: [Stage], _ updates: [Stage]) throws {
    for (delete, update) in deletes.flatMap({ delete in
      updates.filter { $0.file.target.name == delete.file.target.name }.map { (delete, $0) }
    }) {
      let matches = zip(delete.file.keyIndexes, update.file.oldKeyIndexes)
        .map { "d.c\($0) = u.c\($1)" }.allTrue
      let rows = try connection.rows(
        """
        SELECT d.row, u.row FROM \(delete.sql) AS d JOIN \(update.sql) AS u ON \(matches)
        ORDER BY d.row LIMIT 1
        """)
      guard let row = rows.first else { continue }
      throw SeedbedError.inTwoFiles(
        try delete.keyText(row: row[0]), other: try update.place(of: row[1]),
        try delete.place(of: row[0]))
    }
  }
}
