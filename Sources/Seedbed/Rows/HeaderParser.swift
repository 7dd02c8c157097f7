/// Reads the names in a header. Each is a column, or a reference by natural key such as
/// `word_id:words.lemma` or `(country,city):places.name`.
///
/// Names themselves may contain `:`, `.`, `(` and `,`, so the schema decides where a name ends.
package final class HeaderParser {
  /// A natural key such as `words.lemma`, and the columns that receive the key of that row.
  struct Natural {
    var receivers: [ColumnSchema]
    var parent: TableSchema
    var column: ColumnSchema

    fileprivate var words: String {
      let list = receivers.map { "'\($0.name)'" }.joined(separator: ", ")
      return "\(list) from '\(column.name)' of '\(parent.name)'"
    }
  }

  private let schema: TableSchema
  private let connection: any DatabaseSession

  package init(_ schema: TableSchema, on connection: any DatabaseSession) {
    self.schema = schema
    self.connection = connection
  }

  /// A reference by natural key; nil if the name does not have that form.
  func natural(_ name: String, _ place: SeedbedError.Place) throws -> Natural? {
    guard Self.mayRefer(name) else { return nil }
    let readings = try readings(name)
    if readings.count > 1 {
      throw SeedbedError.naturalAmbiguous(name, readings.map(\.words), place)
    }
    if let reading = readings.first { return reading }
    throw try unknown(name, place)
  }

  /// The columns of a name, if any.
  package func columns(_ name: String) throws -> [ColumnSchema] {
    if let column = schema.column(name) { return [column] }
    return Self.mayRefer(name) ? try readings(name).first?.receivers ?? [] : []
  }

  /// Whether the name is short enough for a reference. A name is read in every possible way, so
  /// longer ones are not tried.
  private static func mayRefer(_ name: String) -> Bool {
    name.utf8.contains(UInt8(ascii: ":")) && name.utf8.count <= 1000
  }

  private func readings(_ name: String) throws -> [Natural] {
    var found: [Natural] = []
    for (left, right) in name.cuts(at: ":") {
      let lists = lists(left)
      if lists.isEmpty { continue }
      for (table, column) in right.cuts(at: ".") {
        guard let parent = try parent(table), let column = parent.column(String(column))
        else { continue }
        found += lists.map { Natural(receivers: $0, parent: parent, column: column) }
      }
    }
    return found
  }

  /// Reads `a` or `(a,b)`.
  private func lists(_ text: Substring) -> [[ColumnSchema]] {
    var lists = schema.column(String(text)).map { [[$0]] } ?? []
    if text.utf8.count > 2, text.utf8.first == UInt8(ascii: "("),
      text.utf8.last == UInt8(ascii: ")")
    {
      let start = text.utf8.index(after: text.startIndex)
      lists += parts(text[start..<text.utf8.index(before: text.endIndex)])
    }
    return lists
  }

  /// A column must not occur twice in the list, or it would get two parts of the key.
  private func parts(_ text: Substring, after columns: [ColumnSchema] = []) -> [[ColumnSchema]] {
    func next(_ name: Substring) -> [ColumnSchema]? {
      schema.column(String(name)).flatMap { column in
        columns.contains { $0 === column } ? nil : columns + [column]
      }
    }
    var lists = next(text).map { [$0] } ?? []
    for (first, rest) in text.cuts(at: ",") {
      if let columns = next(first) { lists += parts(rest, after: columns) }
    }
    return lists
  }

  private func parent(_ name: Substring) throws -> TableSchema? {
    guard let found = try connection.object(named: String(name)), found.kind == .table else {
      return nil
    }
    return try connection.schema(of: found.name)
  }

  /// The error for a name that has no valid reading.
  private func unknown(_ name: String, _ place: SeedbedError.Place) throws -> SeedbedError {
    let cuts = name.cuts(at: ":")
    guard let (_, right) = cuts.first(where: { !lists($0.0).isEmpty }) else {
      return .naturalUnknown(
        name, "would fill the column", cuts.first?.0 ?? "", of: "the table '\(schema.name)'",
        among: schema.columns.names, place)
    }
    guard let (table, _) = right.cuts(at: ".").first else { return .naturalMalformed(name, place) }
    for (table, column) in right.cuts(at: ".") {
      guard let parent = try parent(table) else { continue }
      return .naturalUnknown(
        name, "refers to a column", column, of: "the table '\(parent.name)'",
        among: parent.columns.names, place)
    }
    return .naturalUnknown(
      name, "refers to a table", table, of: "the database", among: try connection.tableNames(),
      place)
  }
}

extension StringProtocol where SubSequence == Substring {
  /// The text before and after each of these characters, which are ASCII.
  fileprivate func cuts(at letter: Unicode.Scalar) -> [(Substring, Substring)] {
    utf8.indices.compactMap { index in
      guard utf8[index] == UInt8(ascii: letter) else { return nil }
      return (self[..<index], self[utf8.index(after: index)...])
    }
  }
}
