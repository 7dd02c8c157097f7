extension Model {
  /// Of several reasons a parent's is named.
  mutating func explain(_ release: Release, before: Set<RowKey>) {
    for file in release.files where file.kind == .insert {
      for seed in file.rows {
        let key = rowKey(seed.key, file.table)
        guard takenNow.contains(key), place(of: seed.key, in: file.table) == nil else { continue }
        let row = fresh(seed, file)
        for reference in shape.tables[file.table].foreignKeys {
          let values = reference.columns.map { row[$0] }
          if reference.parent == file.table, reference.parentColumns.map({ row[$0] }) == values {
            continue
          }
          let found = parent(reference, of: row, in: file)
          if found == .there { continue }
          for index in clashes.indices
          where clashes[index].kind == "uniqueTaken" && clashes[index].base == nil
            && rowKey(of: clashes[index]) == key
          {
            clashes[index].kind = found == .taken ? "parentTaken" : "parentDeleted"
            clashes[index].resolution = "skipped"
            clashes[index].policy = nil
            clashes[index].mine = nil
            if !before.contains(key) { left.remove(key) }
          }
        }
      }
    }
  }
}
