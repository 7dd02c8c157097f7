package import Seedbed

/// Reads a database of the app's on a PostgreSQL server, and writes what the app did to its schema
/// since the catalog's last migration: the schema.postgresql.sql of the next one.
///
/// `AppSchema` does the same for SQLite. Here a table also gets the constraints and unique indexes
/// that only the app's has.
package struct ServerSchema {
  /// A closure that a tool calls with the catalog before the release, and the release's tables.
  package typealias Closure = @Sendable (Catalog, [String]) throws -> ServerSchema

  /// nil if nothing was added.
  package let text: String?
  /// Triggers, rules and policies of the tables, which are not read.
  package let leftOut: [String]

  /// - Parameters:
  ///   - catalog: the catalog before the release. It is played on a scratch database there.
  ///   - tables: those that the release fills.
  package init(
    _ catalog: Catalog, _ tables: [String], on server: any DatabaseKind,
    _ options: Migrator.Options, cancellation: Migrator.Cancellation? = nil
  ) throws {
    // The catalog may be empty: then so is the database, and nothing has to be played.
    let scratch = try Scratch(
      .authored(catalog.forPostgreSQL()), to: .max, on: server.empty(options, cancellation),
      ledger: options.ledger)
    self = try server.reading(options, cancellation) { session in
      let writer = Writer(
        app: ServerTableReader(session: session, shown: server.name),
        before: ServerTableReader(session: scratch.session, shown: server.name))
      return try writer.schema(tables)
    }
  }

  fileprivate init(text: String?, leftOut: [String]) { (self.text, self.leftOut) = (text, leftOut) }
}

extension ServerSchema {
  private struct Writer {
    let app: ServerTableReader
    /// The catalog's state.
    let before: ServerTableReader

    func schema(_ names: [String]) throws -> ServerSchema {
      let tables = try needed(names)
      var (ends, middles): ([String], [String]) = ([], [])
      for table in tables {
        let old = try before.table(table.name)
        middles += try old.map { try additions(to: $0, table) } ?? [create(table)]
        let rules = old?.constraints.map(\.text) ?? []
        for part in table.constraints where old != nil || part.isSpecial {
          if rules.contains(part.text) { continue }
          ends.append(
            "ALTER TABLE \(table.sql) ADD CONSTRAINT \(part.name.quoted) \(part.text)")
        }
        let there = Set(old?.indexes.map(\.text) ?? [])
        middles += table.indexes.filter { !there.contains($0.text) }.map(\.sql)
      }
      let statements = try needs(of: tables) + middles + ordered(ends)
      return ServerSchema(
        text: statements.isEmpty ? nil : statements.map { $0 + ";\n" }.joined(),
        leftOut: tables.flatMap { table in table.leftOut.map { "\($0) of '\(table.name)'" } })
    }

    /// A foreign key needs the key of its parent.
    private func ordered(_ constraints: [String]) -> [String] {
      let isKey = { (sql: String) in sql.contains(" FOREIGN KEY ") }
      return constraints.filter { !isKey($0) } + constraints.filter(isKey)
    }

    // MARK: what is needed

    private func needed(_ names: [String]) throws -> [ServerTable] {
      var (tables, rest): ([ServerTable], [String]) = ([], names.reversed())
      while let name = rest.popLast() {
        if tables.contains(where: { $0.name.isSameName(as: name) }) { continue }
        guard let table = try app.table(name) else {
          // The catalog's own SQL makes it, and this database is not there yet.
          if try before.table(name) != nil { continue }
          let near = Nearest.question(about: name, among: try app.session.tableNames())
          throw SeedbedError(
            .usage,
            "'\(app.shown)' has no table '\(name.shortened(to: 60))'.\(near) Run the app's own "
              + "migrations on it first, or name another database of the app.")
        }
        if tables.map(\.name).contains(text: table.name) { continue }
        tables.append(table)
        rest += table.parents.reversed()
      }
      return tables
    }

    private func needs(of tables: [ServerTable]) throws -> [String] {
      var (statements, seen): ([String], Set<ExactText>) = ([], [])
      for (kind, name, sql) in try app.needs(of: tables) where seen.insert(sql + name) {
        if kind != "type" {
          if try !before.has(kind, name) { statements.append(sql) }
          continue
        }
        if sql.isEmpty {
          throw SeedbedError.notReadable(name, "is neither an enum nor a domain", app.shown)
        }
        guard let old = try before.type(name) else {
          statements.append(sql)
          continue
        }
        if old == sql { continue }
        throw SeedbedError.serverDiffers(
          "type", name, app.shown, "it is '\(sql)' in the app, and '\(old)' in the catalog")
      }
      return statements
    }

    // MARK: the statements

    private func create(_ table: ServerTable) -> String {
      let columns = table.columns.map { "  \($0.name.quoted) \($0.text)" }
      let rules = table.constraints.filter { !$0.isSpecial }.map {
        "  CONSTRAINT \($0.name.quoted) \($0.text)"
      }
      return "CREATE TABLE \(table.sql) (\n\((columns + rules).joined(separator: ",\n"))\n)"
    }

    private func additions(to old: ServerTable, _ table: ServerTable) throws -> [String] {
      if let difference = difference(old, table) {
        throw SeedbedError.serverDiffers("table", table.name, app.shown, difference)
      }
      let known = Set(old.columns.map(\.name))
      let isFilled = try before.isFilled(old)
      return try table.columns.filter { !known.contains($0.name) }.map { column in
        let sql = "ALTER TABLE \(table.sql) ADD COLUMN \(column.name.quoted) \(column.text)"
        guard isFilled, column.isSpecial else { return sql }
        let drop = "ALTER TABLE \(table.sql) ALTER COLUMN \(column.name.quoted) DROP DEFAULT;"
        throw SeedbedError.needsValue(
          column.name, table.name, app.shown, "\(sql) DEFAULT '…';\n\(drop)")
      }
    }

    /// A change of the app's that is no addition; nil for none.
    private func difference(_ old: ServerTable, _ table: ServerTable) -> String? {
      let columns = Dictionary(table.columns.map { (ExactText($0.name), $0.text) }) { first, _ in
        first
      }
      for column in old.columns {
        guard let text = columns[column.name] else {
          return "the column '\(column.name)' is in the catalog, and not in the app"
        }
        if !text.isSameText(as: column.text) {
          return
            "the column '\(column.name)' is \(text) in the app, and \(column.text) in the catalog"
        }
      }
      let rules = (table.constraints + table.indexes).map(\.text).asTexts
      let gone = (old.constraints + old.indexes).first { !rules.contains($0.text) }
      return gone.map { "only the catalog has '\($0.name)', \($0.text)" }
    }
  }
}

extension SeedbedError {
  fileprivate static func serverDiffers(
    _ kind: String, _ name: String, _ shown: String, _ difference: String
  ) -> SeedbedError {
    SeedbedError(
      .catalog,
      "The app's \(kind) '\(name)' differs from the catalog's by more than what was added: "
        + "\(difference). Write what the app ran since the last release into a file that ends with "
        + ".postgresql.sql, and name it with --schema instead of '\(shown)'.")
  }
}
