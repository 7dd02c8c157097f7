// What one migration may not contain, with the same message on a device, in `lint` and in `make`.

extension SeedbedError {
  /// - Parameter rows: all rows of the file of which it is true; nil for the whole file.
  private static func limit(
    _ message: String, _ place: Place, rows: Set<Int>? = nil,
    names: (table: String, columns: [String])? = nil, isCut: Bool = true
  ) -> SeedbedError {
    let limit = Limit(file: place.file, rows: rows, names: names, isCut: isCut)
    return SeedbedError(.csv, message, at: place).because(of: .limit(limit))
  }

  /// A key in an insert file, and in a delete file at `retired`.
  static func retiredAndInserted(
    _ key: String, retired: Place, _ place: Place, rows: Set<Int>
  ) -> SeedbedError {
    limit(
      "The key \(key.shortened(to: 40)) is inserted here and retired in \(retired). Ship an update "
        + "of the row instead.", place, rows: rows)
  }

  /// A row that refers to one which the file at `retired` retires.
  static func refersToRetired(
    _ table: String, _ key: String, of parent: String, retired: Place, _ place: Place,
    rows: Set<Int>
  ) -> SeedbedError {
    limit(
      "This row of '\(table)' refers to \(key.shortened(to: 40)) of '\(parent)', which \(retired) "
        + "retires. Let it refer to another row, or retire that one in a later migration.",
      place, rows: rows)
  }

  /// A row that refers by a name which the file at `renamed` gives to another row, or takes.
  static func refersToRenamed(
    _ table: String, _ name: String, of parent: String, by columns: [String], renamed: Place,
    _ place: Place, rows: Set<Int>
  ) -> SeedbedError {
    limit(
      "This row of '\(table)' refers to \(name.shortened(to: 40)) of '\(parent)', and \(renamed) "
        + "changes which row that is. Ship the new names as a separate migration, and refer to "
        + "them in the next one.", place, rows: rows, names: (parent, columns))
  }

  /// A file that refers by a name, of which a part is itself found by a name in the file `other`.
  static func nameByName(
    _ header: String, _ column: String, of parent: String, other: String, _ place: Place
  ) -> SeedbedError {
    limit(
      "'\(header.shortened(to: 40))' names rows of '\(parent)' by '\(column)', which \(other) "
        + "fills by a name. Ship the rows of '\(parent)' as a separate migration, and refer to "
        + "them in the next one.", place)
  }

  /// A value that others refer to, which a row takes and the row at `given` has until then.
  static func referredPassedOn(
    _ table: String, _ value: String, given: Place, _ place: Place, rows: Set<Int>
  ) -> SeedbedError {
    limit(
      "This row of '\(table)' takes \(value.shortened(to: 40)), to which other rows may refer, and "
        + "\(given) gives it up. Give it up in one migration, and use it in the next.",
      place, rows: rows)
  }

  /// A file that changes keys, in one migration with `other`.
  static func keyChangeBeside(
    _ table: String, other: String, _ place: Place
  ) -> SeedbedError {
    let what =
      other == place.file
      ? "has columns that refer to them, too" : "\(other) has rows of it, or refers to them"
    return limit(
      "This file changes keys of '\(table)', and \(what). Ship the new keys as a separate "
        + "migration: references follow them.", place, isCut: false)
  }

  /// A file with more columns than a plan can have.
  static func tooManyColumns(
    _ table: String, _ count: Int, _ place: Place
  ) -> SeedbedError {
    limit(
      "This file has \(count) columns of '\(table)', more than one migration can merge. Leave some "
        + "out, and ship them as updates.", place, isCut: false)
  }

  static func tooManyChanges(
    _ table: String, _ count: Int, _ place: Place
  ) -> SeedbedError {
    limit(
      "This file changes \(count) columns of '\(table)', more than one migration can. Ship some of "
        + "them as a separate migration.", place, isCut: false)
  }
}
