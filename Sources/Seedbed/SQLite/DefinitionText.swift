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
  private let tokens: [StatementTokens.Token]
  /// The text from each token to the next one.
  private let texts: [String]

  init(_ sql: String, _ table: TableSchema) {
    self.table = table
    let (bytes, all) = (Array(sql.utf8), Array(StatementTokens(sql)))
    var (tokens, texts): ([StatementTokens.Token], [String]) = ([], [])
    for (token, end) in zip(all, all.dropFirst().map(\.offset) + [bytes.count]) {
      if token.kind != .comment {
        tokens.append(token)
        texts.append(String(decoding: bytes[token.offset..<end], as: UTF8.self))
      } else if let last = texts.indices.last {
        // Keep separate words apart.
        texts[last] += " "
      }
    }
    (self.tokens, self.texts) = (tokens, texts)
  }

  /// The expressions of generated columns, by the columns' positions.
  var generatedColumns: [Int: RowExpression] {
    var found: [Int: RowExpression] = [:]
    for item in list(from: 0)?.items ?? [] {
      guard let first = item.first, let place = table.index(of: tokens[first].text),
        table.columns[place].generated != .no, let start = outside(item, "AS"),
        let parts = list(from: start)?.items, let begin = parts.first, let end = parts.last
      else { continue }
      found[place] = expression(begin.lowerBound..<end.upperBound)
    }
    return found
  }

  /// The expressions of an index; nil if they cannot be read.
  func index(_ index: IndexSchema) -> IndexExpressions? {
    guard let (items, end) = list(from: 0), items.count == index.columns.count else { return nil }
    let terms = zip(index.columns, items).compactMap { name, item in
      if let name { return table.index(of: name).map { RowExpression([.column($0)]) } }
      let isOrdered = item.last.map { tokens[$0].isWord("ASC") || tokens[$0].isWord("DESC") }
      return expression(isOrdered == true ? item.dropLast() : item)
    }
    let condition = end + 1 < tokens.count ? expression((end + 1)..<tokens.count) : nil
    if terms.count < items.count || index.isPartial && condition == nil { return nil }
    // An index holds the values that its expression makes.
    return IndexExpressions(terms.map { .init($0, type: "") }, where: condition)
  }

  // MARK: where things are

  /// The items between commas in the next brackets, and the position after the closing one.
  private func list(from start: Int) -> (items: [Range<Int>], end: Int)? {
    guard let open = tokens[start...].firstIndex(where: { $0.isSign("(") }) else { return nil }
    var (items, begin, depth): ([Range<Int>], Int, Int) = ([], open + 1, 0)
    for place in open..<tokens.count {
      let token = tokens[place]
      depth += token.isSign("(") ? 1 : token.isSign(")") ? -1 : 0
      if depth == 0 || depth == 1 && token.isSign(",") {
        items.append(begin..<place)
        begin = place + 1
      }
      if depth == 0 { return (items, begin) }
    }
    return nil
  }

  /// The position of a word outside brackets.
  private func outside(_ range: Range<Int>, _ word: String) -> Int? {
    var depth = 0
    return range.first { place in
      depth += tokens[place].isSign("(") ? 1 : tokens[place].isSign(")") ? -1 : 0
      return depth == 0 && tokens[place].isWord(word)
    }
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
      case (nil, false) where token.kind == .quoted(UInt8(ascii: "\"")):
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
    case .sign, .comment, .quoted(UInt8(ascii: "'")): return true
    case .quoted: return false
    case .word:
      // `x'00'` is one literal.
      let isBlob = texts[place].utf8.count == 1 && token.isWord("X") && place + 1 < tokens.count
      let isNumber = token.text.utf8.first.map { (0x30...0x39).contains($0) } ?? false
      return isNumber || isBlob && tokens[place + 1].kind == .quoted(UInt8(ascii: "'"))
    }
  }
}
