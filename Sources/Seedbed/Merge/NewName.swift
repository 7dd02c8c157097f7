/// A field of an update file that names, by natural key, the row that a row comes to refer to.
struct NewName: Hashable {
  struct Row: Hashable {
    var stage: String
    var row: Int64
  }

  /// What a name turned out to mean.
  struct Meaning {
    var values: [Value]
    /// How often it turned out to mean something else.
    var turns = 1

    /// What names mean may hang on each other without end; so at some time they mean nobody.
    var isFinal: Bool { turns >= 4 }

    func followed(by other: Meaning) -> Meaning {
      Meaning(values: other.values, turns: turns + 1)
    }
  }

  var stage: String
  var row: Int64
  /// The first of the fields that receive the key.
  var receiver: Int
}

extension RowFile {
  func isKey(_ reference: NaturalReference) -> Bool {
    reference.receivers.contains { keyIndexes.contains($0) }
  }
}

extension MergeContext {
  /// Looks names up in the rows as the migration is to leave them.
  func fillAhead(_ stage: Stage, _ reference: NaturalReference) throws {
    let isParent = { (other: Stage) in other.file.target.name == reference.parent.name }
    try stage.lookup(reference).fillAhead(updates.filter(isParent), deletes.filter(isParent))
  }

  /// In `down`: keys were named as the data was before, which it is to be again.
  func fillKeysAhead(_ stage: Stage) throws {
    for reference in stage.file.naturals where stage.file.isKey(reference) {
      if !mayRename(reference.parent) { continue }
      try stage.forgetKeys()
      try fillAhead(stage, reference)
      try stage.indexByKey()
    }
  }

  /// Whether names of its rows may come to mean others.
  func mayRename(_ parent: TableSchema) -> Bool {
    tablesToUpdate.contains(parent.name) || tablesToFill.contains(parent.name)
      || deletes.contains { $0.file.target.name == parent.name }
  }

  /// Whether new values of the file name such rows.
  func mayRename(_ file: RowFile) -> Bool {
    file.naturals.contains {
      !file.fields[$0.receivers[0]].isBase && mayRename($0.parent)
    }
  }
}
