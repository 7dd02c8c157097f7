internal import Seedbed

/// The databases on servers that URLs name, or the schemas in them.
struct ServerList {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  /// The databases, and the number of schemas that were passed over.
  func databases(_ urls: [String]) throws -> ([any DatabaseKind], passedOver: Int) {
    guard let server = context.invocation.server else {
      throw Sibling.missing(beside: context.program)
    }
    let pattern = try context.arguments.text(.schemas)
    if pattern == nil, try context.arguments.text(.each) != "-" {
      throw SeedbedError(
        .usage,
        "A URL is one database. Name its schemas with '--schemas PATTERN', or the database alone "
          + "with '--database'.")
    }
    let tenants = server.tenants(context.settings.options.ledger)
    let tenant = { (url: ServerURL, bytes: Int64) in
      tenants(.init(uri: url.uri, schema: url.schema, name: url.fullName), bytes)
    }
    var found: [(schema: String?, database: any DatabaseKind)] = []
    guard let pattern else {
      found = urls.map(ServerURL.init).map { ($0.schema, tenant($0, 1)) }
      return (try left(found), 0)
    }
    let tables = tablesOfApp
    var passedOver = 0
    for url in urls.map(ServerURL.init) {
      let schemas = try server.schemas(url.uri, tables ?? [], context.settings.options.ledger)
        .filter { Files.isMatch($0.name, pattern) }
      if schemas.isEmpty { throw noSchema(pattern, url) }
      if let wrong = schemas.first(where: { $0.name.contains(".") }) {
        throw pointInName(wrong.name)
      }
      let meant = schemas.filter { $0.hasTables || tables == nil }
      passedOver += schemas.count - meant.count
      found += meant.map { ($0.name, tenant(url.with(schema: $0.name), $0.bytes)) }
    }
    if passedOver > 0 {
      let schemas = "\(Measures.count(passedOver, "schema")) without a table of the catalog"
      guard !found.isEmpty else { throw noTables(pattern, schemas) }
      context.message("'--schemas' passes over \(schemas).")
    }
    return (try left(found), passedOver)
  }

  /// The tables of which a schema must have one, or a ledger; nil if the catalog creates tables,
  /// since it then fills an empty schema, too.
  private var tablesOfApp: [String]? {
    // Verbs that need no catalog do not report that it cannot be read.
    guard let catalog = try? Catalog(directory: context.settings.migrations).forPostgreSQL(),
      let migrations = try? catalog.migrations(),
      (try? migrations.contains { try createsTables($0, catalog) }) == false
    else { return nil }
    return migrations.flatMap(\.files).compactMap { $0.kind.rows?.table }
  }

  /// As far as its words show it.
  private func createsTables(_ migration: Migration, _ catalog: Catalog) throws -> Bool {
    try [.up, .after].compactMap(migration.file).contains { file in
      let sql = try catalog.bytes(of: file.name, in: migration.folder)
      return ServerStatements(sql).contains { statement in
        let words = statement.code.prefix(4).map { $0.text.lowercased() }
        return words.first == "create" && words.contains("table")
      }
    }
  }

  /// Those that '--except' does not leave out, each with its own name.
  private func left(
    _ all: [(schema: String?, database: any DatabaseKind)]
  ) throws -> [any DatabaseKind] {
    let left = try DatabaseList.excluding(context, from: all) { one, pattern in
      if pattern.contains("/") { return Files.isMatch(one.database.name, pattern) }
      let place = one.database.name.prefix { $0 != "?" }
      return Files.isMatch(one.schema ?? Files.split(String(place)).name, pattern)
    }
    var names: Set<String> = []
    for one in left where !names.insert(one.database.name).inserted {
      throw SeedbedError(
        .usage,
        "Two lines on stdin name '\(one.database.name)', without what may not be shown of them. "
          + "Name each database once.")
    }
    return left.map(\.database)
  }

  // MARK: errors

  private func noSchema(_ pattern: String, _ url: ServerURL) -> SeedbedError {
    SeedbedError(
      .io,
      "No schema of '\(url.name)' matches '\(pattern.printable)'. Name them by a "
        + "pattern in quotes, such as --schemas 'tenant_*'.")
  }

  private func noTables(_ pattern: String, _ schemas: String) -> SeedbedError {
    SeedbedError(
      .io,
      "'\(pattern.printable)' only matches \(schemas). Run the app's own migrations there first, "
        + "or name other schemas.")
  }

  private func pointInName(_ name: String) -> SeedbedError {
    .dotInSchema(name.printable, remedy: "Rename it, or write a pattern that does not match it")
  }
}
