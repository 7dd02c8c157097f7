import Seedbed

/// Triggers through which a release deletes or changes rows that none of its files names.
extension SchemaLint {
  func checkTriggers(of table: TableSchema, _ migrations: [Migration]) throws {
    let serving = migrations.filter { $0.files.contains { $0.serves(table.name) } }
    guard let last = serving.last else { return }
    let referring = try scratch.catalog.options(of: last).table(table.name).references.map(\.child)
    for trigger in try scratch.connection.triggers(of: table.name) {
      let code = SQLText(trigger.sql).code
      // With another prefix for the ledger, its table has that prefix, too.
      if code.contains(where: { $0.text.asciiLowercased().hasSuffix("seedbed_applying") }) {
        continue
      }
      let body = code.drop { !$0.isWord("BEGIN") }.dropFirst().split { $0.isSign(";") }
      let isOfDelete = code.prefix { !$0.isWord("ON") }.contains { $0.isWord("DELETE") }
      for change in body.compactMap(RowChange.init) {
        let isOwn = change.table.isSameName(as: table.name)
        guard try scratch.isOrdinaryTable(change.table), !(isOwn && change.isOfRow(of: table))
        else { continue }
        // A row that others refer to is not retired.
        if isOfDelete, try referring.contains(name: change.table) || refers(change.table, table) {
          continue
        }
        add(
          .trigger, table,
          "The trigger '\(trigger.name)' \(change.verb) \(isOwn ? "other rows" : "rows") of "
            + "'\(change.table)' when rows of '\(table.name)' change, also by a release. Users' "
            + "rows may be among them.", migrations,
          at: makers[StatementLint.name("trigger", trigger.name)])
      }
    }
  }

  private func refers(_ child: String, _ parent: TableSchema) throws -> Bool {
    try scratch.connection.schema(of: child).foreignKeys.contains {
      $0.parent.isSameName(as: parent.name)
    }
  }
}

/// A statement of a trigger that deletes or changes rows.
private struct RowChange {
  let verb: String
  let table: String
  private let code: ArraySlice<SQLToken>

  init?(_ code: ArraySlice<SQLToken>) {
    // `OR IGNORE` comes before the table.
    let words = code.prefix { !$0.isWord("SET") && !$0.isSign("(") }.filter(\.isName)
    let skips = words.dropFirst().first?.isWord("OR") == true ? 3 : 1
    let isInto = words.dropFirst(skips).first.map { $0.isWord("FROM") || $0.isWord("INTO") }
    guard let first = words.first?.text.uppercased(),
      let name = words.dropFirst(skips + (isInto == true ? 1 : 0)).first
    else { return nil }
    (table, self.code) = (name.text, code)
    switch first {
    case "DELETE": verb = "deletes"
    case "UPDATE": verb = "changes"
    case "REPLACE": verb = "replaces"
    case "INSERT" where code.has(["INSERT", "OR", "REPLACE"]): verb = "replaces"
    case "INSERT" where code.has(["DO", "UPDATE"]): verb = "changes"
    default: return nil
    }
  }

  /// Whether it only changes the row for which the trigger fires, as one that sets a time.
  func isOfRow(of table: TableSchema) -> Bool {
    verb == "changes"
      && (table.primaryKey.map(\.name) + ["rowid"]).contains { column in
        ["NEW", "OLD"].contains { row in
          code.has([column, "=", row, ".", column]) || code.has([row, ".", column, "=", column])
        }
      }
  }
}
