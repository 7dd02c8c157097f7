import Seedbed

/// The schema of a scratch database, in SQLite's own text, which it accepts again.
struct SnapshotSchema {
  struct Object: Equatable {
    var type: String
    var name: String
    /// The table that it belongs to.
    var table: String
    var sql: String
    /// The module of a virtual table.
    var module: String?
  }

  /// Tables, indexes, virtual tables, views and triggers, each kind in the order of creation.
  let objects: [Object]
  /// The objects that the app creates itself.
  private let appObjects: Set<Name>
  /// An object of the app's that SQL files dropped or changed; nil for none, as almost always.
  let changedByFiles: String?

  init(_ scratch: ScratchDatabase) throws {
    let apps = try scratch.appObjects()
    appObjects = Set(apps.keys)
    let shadows = try scratch.connection.rows(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'")
    let hidden = shadows.compactMap { $0[0].text }.asNames
    let found = try scratch.connection.rows(
      "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
    let present = Dictionary(
      found.map { (Name($0[1].text ?? ""), $0[3].text ?? "") },
      uniquingKeysWith: { first, _ in first })
    changedByFiles = apps.filter { present[$0.key] != $0.value }.keys.min()?.text
    let all = found.map { row in
      let words = SQLTokens.firstWords(3, of: row[3].text ?? "")
      let isVirtual = words.count > 1 && words[1] == "VIRTUAL"
      return Object(
        type: row[0].text ?? "", name: row[1].text ?? "", table: row[2].text ?? "",
        sql: row[3].text ?? "", module: isVirtual ? Self.module(row[3].text ?? "") : nil)
    }.filter {
      !scratch.isOwn($0.table) && !scratch.isOwn($0.name) && !hidden.contains($0.table)
    }
    objects = ["table", "index", "virtual", "view", "trigger"].flatMap { kind in
      all.filter { ($0.module == nil ? $0.type : "virtual") == kind }
    }
  }

  /// `CREATE VIRTUAL TABLE name USING module(…)`
  private static func module(_ sql: String) -> String? {
    let words = SQLTokens.words(of: sql)
    guard let using = words.indices.dropFirst(4).first(where: { words[$0].uppercased() == "USING" })
    else { return nil }
    return words.indices.contains(using + 1) ? words[using + 1].lowercased() : nil
  }

  func isApps(_ object: Object) -> Bool { appObjects.contains(object.name) }

  /// Ordinary tables, including those of the app.
  var tables: [Object] { objects.filter { $0.type == "table" && $0.module == nil } }
  /// The virtual tables that SQL files create.
  var virtualTables: [Object] { objects.filter { $0.module != nil && !isApps($0) } }

  /// The parts of the schema: up.sql creates some before the rows, after.sql some after them, and
  /// the app the rest.
  var upSQL: String { sql { $0.type != "trigger" && !isApps($0) } }
  var afterSQL: String { sql { $0.type == "trigger" && !isApps($0) } }
  var schemaSQL: String { sql(isApps) }
  var creates: [String] { objects.filter { !isApps($0) }.map(\.name).sorted() }

  private func sql(_ isWanted: (Object) -> Bool) -> String {
    objects.filter(isWanted).map { $0.sql + ";\n" }.joined()
  }
}

extension SnapshotSchema.Object {
  /// The source of a full-text index's text.
  enum Content: Equatable { case own, none, external }

  var content: Content {
    guard isFullText, let name = option("content") else { return .own }
    return name.isEmpty ? .none : .external
  }

  /// An option in `USING fts5(word, content='words')`. A column with that name does not count.
  private func option(_ name: String) -> String? {
    let tokens = SQLTokens.code(of: sql)
    for index in tokens.indices.dropFirst().dropLast(2)
    where tokens[index].text.isSameName(as: name)
      && (tokens[index - 1].isSign("(") || tokens[index - 1].isSign(","))
      && tokens[index + 1].isSign("=")
    {
      return tokens[index + 2].isSign(",") || tokens[index + 2].isSign(")")
        ? "" : tokens[index + 2].text
    }
    return nil
  }

  /// The columns of a virtual table with everything about a row. For a full-text index, also the
  /// row's number and language.
  func columns(on connection: Connection) throws -> [String] {
    let own = try connection.rows(
      "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid", [.text(name)]
    ).compactMap { $0[0].text }
    guard isFullText else { return own }
    return ["rowid"] + own + (module == "fts4" ? option("languageid").map { [$0] } ?? [] : [])
  }

  var isFullText: Bool { ["fts3", "fts4", "fts5"].contains(module) }
  /// Whether it only shows the content of other tables.
  var isView: Bool { ["fts5vocab", "fts4aux", "fts3tokenize", "dbstat"].contains(module) }
}
