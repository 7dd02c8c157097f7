import Seedbed

/// Reads a database of the app's, and writes what the app did to its schema since the catalog's
/// last migration: the schema.sql of the next one.
///
/// 1. The tables that the release fills are needed, those that they refer to, their triggers, and
///    tables and views that these name.
/// 2. Parts that the scratch database does not have are created with the app's own statements.
/// 3. A table that both have gets the columns that only the app's has.
/// 4. These statements are tried. If a table is then not as in the app, that is refused: only the
///    app knows what it did.
struct AppSchema {
  let app: Connection
  /// The catalog's state before the release.
  let scratch: ScratchDatabase
  /// The name of the app's database in errors.
  let shown: String

  private struct Part {
    let type: String
    let name: String
    /// The table that a trigger or an index belongs to.
    let table: String
    let sql: String
  }

  /// nil if nothing was added.
  func text(for tables: [String]) throws -> String? {
    let all = try parts()
    let needed = try needed(tables, all)
    let (statements, known) = try statements(needed, all)
    try scratch.connection.execute("SAVEPOINT schema_of_app")
    defer { try? scratch.connection.executeAll("ROLLBACK TO schema_of_app; RELEASE schema_of_app") }
    for statement in statements {
      do {
        try scratch.connection.execute(statement.sql)
      } catch {
        let reason = SeedbedError.from(error).message
        throw SeedbedError.cannotFollow(statement.table, shown, reason.withoutStop)
      }
    }
    for table in known { try refuseDifference(of: table) }
    return statements.isEmpty ? nil : statements.map { $0.sql + ";\n" }.joined()
  }

  private func refuseDifference(of table: String) throws {
    let (here, there) = (
      try TableForm(of: table, on: app), try TableForm(of: table, on: scratch.connection)
    )
    let triggers = try [scratch.connection, app].map { try $0.triggers(of: table).map(\.name) }
    let gone = triggers[0].first { !triggers[1].contains($0) }
    let difference =
      here.difference(from: there, here: shown, there: "the catalog")
      ?? gone.map { "only the catalog has the trigger '\($0)'" }
    if let difference { throw SeedbedError.cannotFollow(table, shown, difference) }
  }

  // MARK: what is needed

  /// Tables, views, triggers and UNIQUE indexes of the app. The ledger's, SQLite's own, and those
  /// that belong to a virtual table are left out.
  private func parts() throws -> [Part] {
    let hidden = try app.texts(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'"
    ).asNames
    let rows = try app.rows(
      """
      SELECT type, name, tbl_name, sql FROM main.sqlite_schema AS s WHERE sql IS NOT NULL
        AND (type <> 'index' OR (
          SELECT "unique" FROM pragma_index_list(s.tbl_name) AS i WHERE i.name = s.name))
      ORDER BY rowid
      """)
    return rows.map { row in
      let texts = row.map { $0.text ?? "" }
      return Part(type: texts[0], name: texts[1], table: texts[2], sql: texts[3])
    }.filter { part in
      ![part.name, part.table].contains {
        scratch.ledger.owns($0) || hidden.contains($0)
      }
    }
  }

  /// The names of tables and views.
  private func needed(_ tables: [String], _ all: [Part]) throws -> Set<Name> {
    let objects = Dictionary(
      all.filter { $0.type == "table" || $0.type == "view" }
        .map { (Name($0.name), $0) }
    ) { first, _ in first }
    var needed: Set<Name> = []
    var rest = try tables.map { try found($0, objects.values.map(\.name)) }
    while let name = rest.popLast() {
      guard let part = objects[name], needed.insert(name) else { continue }
      if part.type == "table" {
        rest += try app.schema(of: part.name).foreignKeys.map(\.parent)
      }
      let code = all.filter { $0.type == "trigger" && $0.table.isSameName(as: name) }.map(\.sql)
      for sql in code + (part.type == "view" ? [part.sql] : []) {
        rest += SQLTokens.words(of: sql)
      }
    }
    return needed
  }

  private func found(_ table: String, _ names: [String]) throws -> String {
    if names.contains(name: table) { return table }
    // The catalog's own SQL makes it, and this database is not there yet.
    if try scratch.connection.object(named: table) != nil { return table }
    let near = Nearest.question(about: table, among: names)
    throw SeedbedError(
      .usage,
      "'\(shown)' has no table '\(table.shortened(to: 60))'.\(near) Run the app's own migrations "
        + "on it first, or name another database of the app.")
  }

  // MARK: the statements

  private typealias Step = (sql: String, table: String)

  private func statements(
    _ needed: Set<Name>, _ all: [Part]
  ) throws -> (steps: [Step], known: [String]) {
    let mine = all.filter { part in
      needed.contains(part.type == "view" ? part.name : part.table)
    }
    var (steps, known): ([Step], [String]) = ([], [])
    let tables = mine.filter { $0.type == "table" }
    for name in try order(tables.map(\.name)) {
      guard let part = tables.first(where: { $0.name.isSameText(as: name) }) else { continue }
      if try scratch.connection.object(named: name) == nil {
        steps.append((part.sql, name))
      } else {
        steps += try additions(to: part).map { ($0, name) }
        known.append(name)
      }
    }
    for type in ["index", "view", "trigger"] {
      for part in mine where part.type == type {
        steps += try replacement(of: part).map { ($0, part.table) }
      }
    }
    return (steps, known)
  }

  private func order(_ names: [String]) throws -> [String] {
    var parents: [ExactText: Set<ExactText>] = [:]
    for name in names {
      let keys = try app.schema(of: name).foreignKeys.map(\.parent).asNames
      parents[name] = names.filter { !$0.isSameText(as: name) && keys.contains($0) }.asTexts
    }
    return LoadOrder.groups(names, parents: parents).flatMap(\.self)
  }

  /// An index, a view or a trigger; nothing if it is there.
  private func replacement(of part: Part) throws -> [String] {
    guard let old = try scratch.connection.definition(part.type, part.name) else {
      return [part.sql]
    }
    let (code, before) = (SQLTokens.code(of: part.sql), SQLTokens.code(of: old))
    if code.map(\.text) == before.map(\.text) { return [] }
    return ["DROP \(part.type.uppercased()) \(part.name.quoted)", part.sql]
  }

  /// The columns that only the app's table has.
  private func additions(to part: Part) throws -> [String] {
    let (here, there) = (
      try app.schema(of: part.name), try scratch.connection.schema(of: part.name)
    )
    let texts = ColumnTexts(part.sql).texts
    let isFilled = try scratch.connection.value("SELECT 1 FROM \(there.sql) LIMIT 1") != nil
    return try here.columns.enumerated().compactMap { place, column in
      guard there.column(column.name) == nil, place < texts.count else { return nil }
      let sql = "ALTER TABLE \(part.name.quoted) ADD COLUMN \(texts[place])"
      if isFilled, column.isNotNull, column.defaultSQL == nil, column.generated == .no {
        throw SeedbedError.needsValue(column.name, part.name, shown, sql + " DEFAULT '…';")
      }
      return sql
    }
  }
}

/// The definitions of columns in a CREATE TABLE, in order, and then those of constraints.
struct ColumnTexts {
  let texts: [String]

  init(_ sql: String) {
    let (bytes, code) = (Array(sql.utf8), SQLTokens.code(of: sql))
    texts = (code.brackets(from: 0)?.items ?? []).compactMap { item in
      guard let first = item.first?.range, let last = item.last?.range else { return nil }
      return String(decoding: bytes[first.lowerBound..<last.upperBound], as: UTF8.self)
    }
  }
}

extension String {
  /// To go on in the same sentence.
  fileprivate var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }
}

extension SeedbedError {
  static func cannotFollow(_ table: String, _ shown: String, _ difference: String) -> SeedbedError {
    SeedbedError(
      .catalog,
      "The app's table '\(table)' differs from the catalog's by more than new columns: "
        + "\(difference). Write what the app ran since the last release into a file, and name it "
        + "with --schema FILE instead of '\(shown)'.")
  }

  static func needsValue(
    _ column: String, _ table: String, _ shown: String, _ sql: String
  ) -> SeedbedError {
    SeedbedError(
      .catalog,
      "The app's table '\(table)' has a new column '\(column)' that is NOT NULL and has no "
        + "DEFAULT. Only the app knows its value in existing rows. Write this with that value into "
        + "a file, and name the file with --schema instead of '\(shown)':\n\(sql)")
  }
}
