import Seedbed

// Options of single columns.

extension SchemaLint {
  /// Reports an option of a column that is misspelt, that no file fills, that finds the row, or
  /// that has another name now.
  func checkColumnOptions(of table: TableSchema, _ migrations: [Migration]) throws {
    let serving = migrations.filter { $0.files.contains { $0.serves(table.name) } }
    guard let last = serving.last, let target = try? scratch.seededTarget(table.name) else {
      return
    }
    let filled = try scratch.seededColumns(of: target).map(\.name)
    let options = try scratch.catalog.options(of: last).table(table.name)
    try checkIgnored(options.ignore, of: table, last)
    var named =
      options.columns.map { ("columns", $0.column, $0.place) }
      + options.compare.map { ("compare", $0.column, $0.place) }
    switch options.empty {
    case .inColumns(let columns): named += columns.map { ("empty", $0.column, $0.place) }
    case .inTable(.text): try checkEmptyFields(of: target, filled, last)
    case .inTable(.null): break
    }
    for (option, column, place) in named {
      let others = named.filter { $0.0 == option }.map(\.1)
      let name = "'\(table.name).\(column.shortened(to: 40))'"
      var message: String?
      if let schema = table.column(column) {
        if target.key.map(\.name).contains(name: schema.name) {
          message =
            "\(name) is in the key, by which a row is found, so that \"\(option)\" means nothing."
        } else if !filled.contains(name: schema.name) {
          message = "No file fills \(name), so that \"\(option)\" means nothing."
        } else if option == "compare" && !target.comparesPlainText(schema)
          || option == "empty" && !target.mayTakeEmptyText(schema)
        {
          message = "\(name) is not declared to hold text, so that \"\(option)\" means nothing."
        }
      } else if let now = try scratch.laterName(of: column, in: table.name) {
        message = forgotten(option, column, of: table, now, others)
      } else if try !wasFilled(column, of: table) {
        message = "There is no column \(name).\(Nearest.question(about: column, among: filled))"
      }
      if let message { findings.add(.idleOption, place, message, last) }
    }
  }

  /// Programs that write CSV make NULL and the empty text one. If all columns have the option,
  /// those that may be NULL are decided without a word.
  private func checkEmptyFields(
    of target: TableTarget, _ filled: [String], _ last: Migration
  ) throws {
    let references = target.schema.foreignKeys.flatMap(\.childColumns).asNames
    for column in target.schema.columns {
      guard target.mayTakeEmptyText(column), !column.isNotNull, filled.contains(name: column.name),
        !references.contains(column.name),
        try scratch.connection.value(
          "SELECT 1 FROM \(target.sql) WHERE \(column.name.quoted) IS NULL LIMIT 1") != nil
      else { continue }
      findings.add(
        .emptyField, try place(of: target.name, in: nil),
        "'\(target.name).\(column.name)' may be NULL, so that its empty fields are NULL, and not "
          + "empty texts.", last)
    }
  }

  /// Columns that no file fills may be ignored, too, so only those with another name are reported.
  private func checkIgnored(
    _ ignored: [String], of table: TableSchema, _ last: Migration
  ) throws {
    for column in ignored where table.column(column) == nil {
      guard let now = try scratch.laterName(of: column, in: table.name),
        let message = forgotten("ignore", column, of: table, now, ignored)
      else { continue }
      findings.add(.idleOption, try place(of: column, in: nil), message, last)
    }
  }

  /// Databases that are behind still need the older name. Later releases need the present one.
  private func forgotten(
    _ option: String, _ column: String, of table: TableSchema, _ now: String, _ others: [String]
  ) -> String? {
    if table.column(now) == nil || others.contains(name: now) { return nil }
    return "'\(table.name).\(column.shortened(to: 40))' is called '\(now.shortened(to: 40))' now, "
      + "and \"\(option)\" does not name that. Name both: databases that are behind need the old "
      + "name."
  }

  /// Whether a file had a column that was dropped since. Databases that are behind have it.
  private func wasFilled(_ column: String, of table: TableSchema) throws -> Bool {
    try scratch.migrations.contains { migration in
      try scratch.headers(in: migration, table).joined().contains { name in
        String(name.prefix { $0 != ":" }).isSameName(as: column)
      }
    }
  }
}
