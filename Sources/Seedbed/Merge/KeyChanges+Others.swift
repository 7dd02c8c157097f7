/// Old keys in other files: those of rows to change and to retire, and the old values of foreign
/// keys.
extension KeyChanges {
  func translate(_ other: Stage) throws {
    for parent in other.file.target.parents where parent.parent == file.target.name {
      let places = parent.parentColumns.map { name in
        key.firstIndex { $0.name.asciiLowercased() == name.asciiLowercased() }
      }
      let columns = parent.childColumns.map { oldIndex(of: $0, in: other.file) }
      guard !places.contains(nil), !columns.contains(nil) else { continue }
      let pairs = zip(places.compactMap { $0 }, columns.compactMap { $0 })
      try other.translate(
        pairs.map { Stage.Translation(column: $1, old: "o\($0)", new: "n\($0)") }, by: moves)
    }
  }

  /// Where a file without old values has one alone, that is the new one, but for keys.
  private func oldIndex(of column: String, in file: RowFile) -> Int? {
    let index = file.oldIndex(of: column)
    if file.role == .update, let index, !file.fields[index].isBase {
      return file.keyIndexes.contains(index) ? index : nil
    }
    return index
  }
}
