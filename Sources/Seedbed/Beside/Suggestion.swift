extension Migrator {
  /// What a user changed in the seed's rows, for the author of the data to review.
  ///
  /// It has no name, path or time of the device, but the values are what the user wrote. Ask before
  /// you send it.
  public struct Suggestion: Sendable, Hashable {
    /// The kind of change.
    public enum Kind: String, Sendable, CaseIterable {
      /// The user changed a value.
      case edit
      /// The user deleted a row.
      case deletion
      /// The user added a row.
      case addition
    }

    /// The kind of change.
    public package(set) var kind: Kind
    /// By the schema's spelling.
    public package(set) var table: String
    /// The key of the row, by the names that the catalog's files give its columns. A reference by
    /// natural key, `word_id:words.lemma`, has the name in place of the id.
    public package(set) var key: Row
    /// The changed column, named in the same way; nil for a whole row.
    public package(set) var column: String?
    /// The shipped value of the column.
    public package(set) var base: Value?
    /// The user's value of the column.
    public package(set) var mine: Value?
    /// The row that the user added, with its key.
    public package(set) var row: Row?
    /// The version of the database.
    public package(set) var version: Version

    init(
      _ kind: Kind, table: String, key: Row, column: String? = nil, base: Value? = nil,
      mine: Value? = nil, row: Row? = nil, version: Version
    ) {
      (self.kind, self.table, self.key, self.column) = (kind, table, key, column)
      (self.base, self.mine, self.row, self.version) = (base, mine, row, version)
    }

    /// One line of JSON, without its line end, as `migrate suggestions` reads it.
    public var json: String { JSON.suggestion(self).text }
  }
}

extension JSON {
  static func suggestion(_ suggestion: Migrator.Suggestion) -> JSON {
    var members: [(key: String, value: JSON)] = [
      ("kind", .string(suggestion.kind.rawValue)), ("table", .string(suggestion.table)),
      ("key", .raw(suggestion.key.json)),
    ]
    if let column = suggestion.column {
      members += [
        ("column", .string(column)), ("base", .raw(optional: suggestion.base?.json)),
        ("mine", .raw(optional: suggestion.mine?.json)),
      ]
    }
    if let row = suggestion.row { members.append(("row", .raw(row.json))) }
    return .object(members + [("version", .number(suggestion.version))])
  }
}
