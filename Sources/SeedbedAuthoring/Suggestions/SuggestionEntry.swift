package import Seedbed

extension SuggestionReview {
  /// One suggestion, however many devices made it.
  package struct Entry {
    /// What the source has now.
    package enum State: String, Sendable, CaseIterable {
      /// It has the base still.
      case open
      /// It has what is suggested already.
      case settled
      /// It has a third value, or another row under the key: the suggestion is about an older base.
      case outdated
      /// It no longer has the row.
      case gone
    }

    /// The first digits of a digest of all that is suggested: the same whenever it is read.
    package let id: String
    /// How many devices made it.
    package let count: Int
    /// The lowest and the highest version of their databases.
    package let versions: ClosedRange<Migrator.Version>
    package let state: State
    /// The value that the source has now; nil for whole rows, and without a row.
    let current: Value?
    /// The line of the row in the source.
    package let place: SeedbedError.Place?
    let suggested: Suggested
    private let shape: SuggestedTable

    /// As the schema spells it.
    package var table: String { shape.target.name }
    /// As the source spells it; nil for a whole row.
    package var column: String? { suggested.column.map { shape.fields[$0].header } }
    /// The key and the values, as the command shows a release.
    package var row: ReleaseReading.Row { suggested.row(shape) }
    /// What the source has now, if that is neither the base nor what is suggested.
    package var now: ReleaseReading.Value? {
      state == .outdated ? current.map(ReleaseReading.Value.init) : nil
    }

    package var kind: Migrator.Suggestion.Kind { suggested.kind }

    init(
      id: String, count: Int, versions: ClosedRange<Migrator.Version>, state: State,
      current: Value?, place: SeedbedError.Place?, suggested: Suggested, table: SuggestedTable
    ) {
      (self.id, self.count, self.versions, self.state) = (id, count, versions, state)
      (self.current, self.place, self.suggested) = (current, place, suggested)
      shape = table
    }

    /// The members of its document.
    package var members: [(key: String, value: JSON)] {
      var members: [(key: String, value: JSON)] = [
        ("id", .string(id)), ("count", .count(count)), ("state", .string(state.rawValue)),
        ("kind", .string(kind.rawValue)), ("table", .string(table)),
        ("key", .raw(RowJSON.object(shape.keyNames, suggested.key))),
      ]
      if let column {
        members += [
          ("column", .string(column)), ("base", .raw(optional: suggested.base?.json)),
          ("mine", .raw(optional: suggested.mine?.json)),
          ("now", .raw(optional: current?.json)),
        ]
      }
      if kind == .addition {
        let named = zip(shape.fields.map(\.header), suggested.row).filter { $1 != nil }
        members.append(
          ("row", .raw(RowJSON.object(named.map(\.0), named.map { $1 ?? .null }))))
      }
      return members + [
        ("fromVersion", .number(versions.lowerBound)), ("toVersion", .number(versions.upperBound)),
        ("file", .optional(place?.file)), ("line", .optional(place?.line)),
      ]
    }
  }
}

extension Suggested {
  /// The ID: 16 digits of the SHA-256 of what is suggested, in one spelling.
  func digest(in table: SuggestedTable) -> String {
    let values = { (values: [Value?]) -> JSON in
      .array(values.map { .raw(optional: $0?.json) })
    }
    // NULL and no value differ.
    let present = { (value: Value?) in JSON.array(value.map { [.raw($0.json)] } ?? []) }
    let named = zip(table.fields, row).map { field, value in
      JSON.array([.string(field.header.asciiLowercased()), present(value)])
    }
    let text = JSON.array([
      .string(kind.rawValue), .string(table.target.name.asciiLowercased()),
      .array(table.keyNames.map { .string($0.asciiLowercased()) }), values(key),
      .optional(column.map { table.fields[$0].header.asciiLowercased() }), present(base),
      present(mine), .array(named),
    ]).text
    return String(Digest.of(text).prefix(16))
  }

  /// - Parameter current: the row that the source has; nil for none.
  func state(_ table: SuggestedTable, _ current: [Value]?) -> SuggestionReview.Entry.State {
    switch kind {
    case .deletion: return current == nil ? .settled : .open
    case .addition:
      guard let current else { return .open }
      let isSame = row.indices.allSatisfy { index in
        row[index].map { table.isSame($0, current[index], index) } ?? true
      }
      return isSame ? .settled : .outdated
    case .edit:
      guard let current, let column, let base, let mine else { return .gone }
      if table.isSame(current[column], mine, column) { return .settled }
      return table.isSame(current[column], base, column) ? .open : .outdated
    }
  }

  fileprivate func row(_ table: SuggestedTable) -> ReleaseReading.Row {
    typealias Field = ReleaseReading.Field
    let operation: ReleaseReading.Row.Operation =
      switch kind {
      case .edit: .update
      case .deletion: .delete
      case .addition: .insert
      }
    let keys = zip(table.keyNames, key).map { name, value in
      let value = ReleaseReading.Value(value)
      return Field(
        name: name, old: kind == .addition ? nil : value, new: kind == .deletion ? nil : value)
    }
    if let column, let base, let mine {
      let field = Field(
        name: table.fields[column].header, old: ReleaseReading.Value(base),
        new: ReleaseReading.Value(mine))
      return ReleaseReading.Row(operation: operation, key: keys, fields: [field])
    }
    let fields = zip(table.fields, row).compactMap { field, value in
      field.isKey ? nil : value.map { Field(name: field.header, old: nil, new: .init($0)) }
    }
    return ReleaseReading.Row(operation: operation, key: keys, fields: fields)
  }
}

extension ReleaseReading.Value {
  init(_ value: Value) {
    self =
      switch value {
      case .null: .null
      case .integer, .real: .number(value.description)
      case .text(let text): .text(text)
      case .invalidText(let bytes), .blob(let bytes): .blob(bytes: bytes.count)
      }
  }
}
