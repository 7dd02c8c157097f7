import Seedbed

/// The changes to tables that the words of a statement show.
struct PostgresEffects {
  private(set) var effects: [Script.Effect] = []
  private let code: [SQLToken]
  private var index = 0
  /// The table of the last INSERT or MERGE, to which `DO UPDATE SET` and `THEN DELETE` refer.
  private var target: String?

  init(_ code: [SQLToken]) {
    self.code = code
    while index < code.count {
      let (word, last) = (code[index], index > 0 ? code[index - 1] : nil)
      let before = last.flatMap { $0.kind == .word || $0.kind == .sign ? $0.text : nil } ?? ""
      index += 1
      if word.kind == .word { read(word.text, after: before) }
    }
  }

  private mutating func read(_ verb: String, after before: String) {
    switch verb {
    case "insert" where take("into"):
      target = name()
      add { .insert(table: $0) }
    case "insert" where before == "then": add { .insert(table: $0) }
    case "merge" where take("into"): target = name()
    case "delete" where take("from"): if let name = name() { effects.append(.delete(table: name)) }
    case "delete" where before == "then": add { .delete(table: $0) }
    case "update": update(after: before)
    case "truncate" where !["before", "after", "or", "grant", "revoke", ","].contains(before):
      _ = take("table")
      for name in names() { effects.append(.delete(table: name)) }
    case "drop" where take("table"):
      if take("if") { _ = take("exists") }
      for name in names() { effects.append(.drop(table: name)) }
    case "create":
      while [
        "global", "local", "temp", "temporary", "unlogged", "unique", "or", "replace", "constraint",
      ].contains(where: { take($0) }) {}
      if take("index") || take("trigger") { return alterAfterOn() }
      guard take("table") else { return }
      if take("if"), take("not") { _ = take("exists") }
      if let name = name() { effects.append(.create(table: name)) }
    case "alter" where take("table"):
      if take("if") { _ = take("exists") }
      if let name = name() { effects.append(.alter(table: name)) }
    default: break
    }
  }

  /// The table of `CREATE INDEX i ON words`, and of `CREATE TRIGGER t BEFORE UPDATE ON words`.
  private mutating func alterAfterOn() {
    while index < code.count, !take("on") { index += 1 }
    if let name = name() { effects.append(.alter(table: name)) }
  }

  private mutating func add(_ effect: (String) -> Script.Effect) {
    if let target { effects.append(effect(target)) }
  }

  /// `UPDATE words SET a = 1`, but neither `FOR UPDATE` nor `ON UPDATE CASCADE`.
  private mutating func update(after before: String) {
    if ["for", "key", "on", "before", "after", "or"].contains(before) { return }
    var table = target
    if !take("set") {
      table = name()
      // Skip `*`, and an alias of the table.
      while index < code.count, !take("set") {
        guard code[index].isName || code[index].isSign("*") else { return }
        index += 1
      }
    }
    guard let table else { return }
    for column in assigned() { effects.append(.update(table: table, column: column)) }
  }

  /// The columns set in `a = 1, (b, c) = (2, 3)`.
  private mutating func assigned() -> [String] {
    var columns: [String] = []
    repeat {
      if take("(") {
        repeat { columns += column() } while take(",")
        _ = take(")")
      } else {
        columns += column()
      }
      skipValue()
    } while take(",")
    return columns
  }

  private mutating func column() -> [String] {
    guard index < code.count, code[index].isName else { return [] }
    index += 1
    return [code[index - 1].text]
  }

  /// Skips to the comma after it, or to the end of the list.
  private mutating func skipValue() {
    var depth = 0
    while index < code.count {
      let token = code[index]
      depth += token.nesting
      let isEnd =
        token.kind == .word && ["from", "where", "returning", "when"].contains(token.text)
      if depth < 0 || depth == 0 && (token.isSign(",") || token.isSign(";") || isEnd) { return }
      index += 1
    }
  }

  // MARK: names

  private mutating func take(_ text: String) -> Bool {
    guard index < code.count, code[index].isWord(text) || code[index].isSign(text) else {
      return false
    }
    index += 1
    return true
  }

  private mutating func names() -> [String] {
    var names: [String] = []
    repeat {
      if let name = name() { names.append(name) }
      _ = take("*")
    } while take(",")
    return names
  }

  /// `words` or `content.words`, after an ONLY if there is one.
  private mutating func name() -> String? {
    _ = take("only")
    guard index < code.count, code[index].isName else { return nil }
    var name = code[index].text
    index += 1
    if take("."), index < code.count, code[index].isName {
      name += "." + code[index].text
      index += 1
    }
    return name
  }
}
