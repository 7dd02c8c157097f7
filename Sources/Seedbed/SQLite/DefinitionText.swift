extension Connection {
  package func expressions(of table: TableSchema) throws -> TableExpressions {
    let text = { (type: String, name: String) in
      let query = "SELECT sql FROM main.sqlite_schema WHERE type = ? AND name = ?"
      return try self.value(query, [.text(type), .text(name)])?.text ?? ""
    }
    var found = TableExpressions()
    found.columns = DefinitionText(try text("table", table.name), table).generatedColumns
    for index in table.indexes where index.isUnique && !index.isPlain {
      found.indexes[index.name] = DefinitionText(try text("index", index.name), table).index(index)
    }
    return found
  }
}

/// A CREATE statement as the schema stores it, read for expressions that no pragma shows.
struct DefinitionText {
  private let table: TableSchema
  private let tokens: [SQLToken]
  /// The text of each token, with a space if one follows.
  private let texts: [String]

  init(_ sql: String, _ table: TableSchema) {
    self.table = table
    let bytes = Array(sql.utf8)
    tokens = SQLTokens.code(of: sql)
    texts = zip(tokens, tokens.dropFirst().map(\.range.lowerBound) + [bytes.count])
      .map { token, next in
        // Words that are apart stay apart.
        String(decoding: bytes[token.range], as: UTF8.self)
          + (token.range.upperBound < next ? " " : "")
      }
  }

  /// The expressions of generated columns, by the columns' positions.
  var generatedColumns: [Int: RowExpression] {
    var found: [Int: RowExpression] = [:]
    for item in tokens.brackets(from: 0)?.items ?? [] {
      guard let first = item.first, let place = table.index(of: first.text),
        table.columns[place].generated != .no, let start = item.outer("AS"),
        let made = tokens.brackets(from: start)
      else { continue }
      found[place] = expression(made.indices)
    }
    return found
  }

  /// The expressions of an index; nil if they cannot be read.
  func index(_ index: IndexSchema) -> IndexExpressions? {
    guard let list = tokens.brackets(from: 0) else { return nil }
    let items = list.items
    if items.count != index.columns.count { return nil }
    let terms = zip(index.columns, items).compactMap { name, item in
      if let name { return table.index(of: name).map { RowExpression([.column($0)]) } }
      let isOrdered = item.last.map { $0.isWord("ASC") || $0.isWord("DESC") }
      return expression((isOrdered == true ? item.dropLast() : item).indices)
    }
    // After the bracket and WHERE.
    let rest = tokens[list.endIndex...].dropFirst(2).indices
    let condition = rest.isEmpty ? nil : expression(rest)
    if terms.count < items.count || index.isPartial && condition == nil { return nil }
    // An index holds the values that its expression makes.
    return IndexExpressions(terms.map { .init($0, type: "") }, where: condition)
  }

  // MARK: what a word means

  /// The keywords that occur in expressions. An index refers to a single row, so they are few.
  private static let keywords: Set = [
    "AND", "AS", "ASC", "BETWEEN", "CASE", "CAST", "COLLATE", "DESC", "DISTINCT", "ELSE", "END",
    "ESCAPE", "FALSE", "FROM", "GLOB", "IN", "IS", "ISNULL", "LIKE", "MATCH", "NOT", "NOTNULL",
    "NULL", "OR", "REGEXP", "THEN", "TRUE", "WHEN",
  ]

  /// An expression over the row; nil if a word in it may have several meanings.
  private func expression(_ range: Range<Int>) -> RowExpression? {
    var parts: [RowExpression.Part] = []
    // The name of a type may consist of several words.
    var isType = false
    for place in range {
      let token = tokens[place]
      if token.isWord("AS") { isType = true } else if token.kind == .sign { isType = false }
      let isName = isType || place > 0 && tokens[place - 1].isWord("COLLATE") || isCalled(place)
      if isName || isLiteral(place) {
        parts.append(.sql(texts[place]))
        continue
      }
      let isKeyword = token.kind == .word && Self.keywords.contains(token.text.uppercased())
      switch (table.index(of: token.text), isKeyword) {
      case (let column?, false): parts += [.column(column), .sql(" ")]
      case (nil, true): parts.append(.sql(texts[place]))
      // > If a keyword in double quotes is used in a context where it cannot be resolved to an
      // > identifier but where a string literal is allowed, then the token is understood to be a
      // > string literal instead of an identifier. (SQLite Keywords)
      case (nil, false) where token.kind == SQLToken.name:
        parts.append(.sql(token.text.quotedLiteral + " "))
      default: return nil
      }
    }
    return parts.isEmpty ? nil : RowExpression(parts)
  }

  /// Whether brackets follow: a function, or a keyword.
  private func isCalled(_ place: Int) -> Bool {
    place + 1 < tokens.count && tokens[place + 1].isSign("(")
  }

  private func isLiteral(_ place: Int) -> Bool {
    let token = tokens[place]
    switch token.kind {
    case .number, .sign, .comment, SQLToken.string: return true
    case .quoted: return false
    case .word:
      // `x'00'` is one literal.
      return token.isWord("X") && place + 1 < tokens.count
        && tokens[place + 1].kind == SQLToken.string
        && tokens[place + 1].range.lowerBound == token.range.upperBound
    }
  }
}
