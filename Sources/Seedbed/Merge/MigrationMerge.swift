/// The rows of one migration, in the order of the reference page: updates, deletes, inserts.
struct MigrationMerge {
  let context: MergeContext
  /// Decides rows of a stage beforehand; for `down`.
  var prepare: ((Stage) throws -> Void)?
  private var connection: Connection { context.connection }

  func run(_ files: [RowFile]) throws {
    let inserts = files.filter { $0.role == .insert }
    let updates = ordered(files.filter { $0.role == .update })
    let deletes = ordered(files.filter { $0.role == .delete })
    context.tablesToFill = Set(inserts.map(\.target.name))
    try noteDoubtfulKeys(inserts, updates)

    let updateStages = try stage(updates, from: 0)
    let deleteStages = try stage(deletes, from: updates.count)
    for stages in [updateStages, deleteStages] {
      try StagedKeys.refuseDuplicates(among: stages, on: connection)
    }
    try refuseTwice(deleteStages, updateStages)
    let retiring = DeleteMerge(context: context, stages: deleteStages)
    try retiring.judgeEdits()

    let merges = try updateStages.map { try UpdateMerge(context: context, stage: $0) }
    var waiting = try merges.map { try $0.run(.first) }
    try retiring.writeWhatNobodyNeeds()
    for (index, merge) in merges.enumerated() where waiting[index] > 0 {
      waiting[index] = try merge.run(.afterDeletes)
    }
    try InsertMerge(context: context, prepare: prepare).run(inserts)
    for merge in merges { _ = try merge.run(.last) }
    try retiring.writeRest()
    for stage in updateStages + deleteStages { try stage.drop() }
  }

  /// An update may point a row to a key that this very migration ships and that is there already:
  /// only the inserts tell whether the user has it. It costs a second reading of the parent's file.
  private func noteDoubtfulKeys(_ inserts: [RowFile], _ updates: [RowFile]) throws {
    let parents = updates.flatMap { file in
      let changed = Set(file.changes.map { $0.column.name.asciiLowercased() })
      return file.target.parents.filter { key in
        key.childColumns.contains { changed.contains($0.asciiLowercased()) }
      }.map(\.parent)
    }
    for file in inserts where parents.contains(file.target.name) {
      let key = file.target.key
      let reader = try RowTable(file.open(), types: file.types, on: connection)
      do {
        let found = try connection.rows(
          """
          SELECT \(key.map { "m.\($0.name.quoted)" }.joined(separator: ", "))
          FROM \(RowTable.name.quoted) AS s CROSS JOIN \(file.target.sql) AS m
            ON \(MergeSQL.sameKey(file))
          """)
        context.doubtfulKeys[file.target.name, default: []]
          .formUnion(found.map { RowJSON.collatedKey(key, $0) })
      } catch {
        throw reader.failure ?? error
      }
    }
  }

  /// Parents before children.
  private func ordered(_ files: [RowFile]) -> [RowFile] {
    LoadOrder.groups(of: files).flatMap(\.files)
  }

  private func stage(_ files: [RowFile], from first: Int) throws -> [Stage] {
    try files.enumerated().map { number, file in
      let stage = try Stage(file, number: 1000 + first + number, on: connection) { bytes, rows in
        try context.onChunk(file.target.name, file.place, bytes, rows)
      }
      context.note(digest: stage.digest, of: file.migrationFile.name)
      try prepare?(stage)
      return stage
    }
  }

  /// A row cannot be retired and changed by the same migration.
  private func refuseTwice(_ deletes: [Stage], _ updates: [Stage]) throws {
    for (delete, update) in deletes.flatMap({ delete in
      updates.filter { $0.file.target.name == delete.file.target.name }.map { (delete, $0) }
    }) {
      let matches = zip(delete.file.keyIndexes, update.file.keyIndexes)
        .map { "d.c\($0) = u.c\($1)" }.joined(separator: " AND ")
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
