import Seedbed

/// A schema for PostgreSQL as `pg_dump --schema-only` and Django's `sqlmigrate` print it.
///
/// Settings of the session, owners, privileges and the ledger are left out: a scratch database
/// needs none of them.
enum ServerText {
  /// The text without these statements. Each other statement stays on its line.
  ///
  /// - Parameter file: its name in errors.
  static func passingOverOthers(
    _ text: String, of file: String, ledger: Ledger? = nil
  ) throws -> String {
    let script = Script(name: file, bytes: Array(text.utf8))
    try script.checkText()
    var edits = TextEdits(script.bytes)
    var isDump = false
    for found in ServerStatements(script.bytes) {
      let range = found.range
      let statement = Statement(String(decoding: script.bytes[range], as: UTF8.self), found.code)
      isDump = isDump || statement.isSearchPathOfDump
      switch statement.verdict(ledger, isDump: isDump) {
      case .kept: break
      case .passedOver: edits.remove(statement: range)
      case .with(let new, let place): edits.insert(new, at: found.code[place].range.upperBound)
      case .refused(let reason):
        throw SeedbedError(.sql, reason, at: script.place(script.piece(at: range.lowerBound)))
      }
    }
    return edits.text
  }

  /// Whether SQLite's programs never print a statement that begins with these words.
  static func isOfDump(_ words: [String]) -> Bool {
    words.first == "SET" || words.prefix(2) == ["SELECT", "PG_CATALOG"]
  }

  private enum Verdict {
    case kept, passedOver
    /// With more words after the one at this position.
    case with(String, after: Int)
    case refused(String)
  }

  private struct Statement {
    let sql: String
    /// Without signs, and as they were written.
    let all: [String]
    let words: [String]

    init(_ sql: String, _ code: [SQLToken]) {
      self.sql = sql
      all = code.filter { $0.kind != .sign }.map(\.text)
      words = all.prefix(8).map { $0.uppercased() }
    }

    func word(_ place: Int) -> String { place < words.count ? words[place] : "" }

    /// > SELECT pg_catalog.set_config('search_path', '', false); (printed by pg_dump, which names
    /// > the schema of each object instead)
    var isSearchPathOfDump: Bool {
      words == ["SELECT", "PG_CATALOG", "SET_CONFIG", "SEARCH_PATH", "", "FALSE"]
    }

    func verdict(_ ledger: Ledger?, isDump: Bool) -> Verdict {
      if sql.hasPrefix("\\") { return verdictOnCommand }
      if isSearchPathOfDump || isOfSession || isOwner { return .passedOver }
      if let ledger, isOf(ledger) { return .passedOver }
      if word(0) == "SET" { return verdictOnSetting }
      if word(0) == "COPY" || isDump && word(0) == "INSERT" {
        return .refused(
          "These are rows, not a schema. Print the schema with pg_dump --schema-only; rows belong "
            + "in a CSV file.")
      }
      let isSchema = word(0) == "CREATE" && word(1) == "SCHEMA"
      if isSchema, !["IF", "AUTHORIZATION"].contains(word(2)) {
        // The scratch database has the schemas of the search path.
        return .with(" IF NOT EXISTS", after: 1)
      }
      return .kept
    }

    /// > \restrict: Enter psql's restricted mode. pg_dump prints it since its fixes of August 2025.
    private var verdictOnCommand: Verdict {
      if sql.hasPrefix("\\restrict") || sql.hasPrefix("\\unrestrict") { return .passedOver }
      return .refused(
        "Commands of psql, which begin with a backslash, are not SQL. Remove this one.")
    }

    private var isOfSession: Bool {
      switch (word(0), word(1)) {
      case ("BEGIN", _), ("COMMIT", _), ("END", _), ("START", "TRANSACTION"): true
      case ("GRANT", _), ("REVOKE", _), ("SECURITY", "LABEL"): true
      case ("ALTER", "DEFAULT"): word(2) == "PRIVILEGES"
      case ("COMMENT", "ON"): word(2) == "EXTENSION"
      case ("CREATE", let kind), ("ALTER", let kind):
        kind == "PUBLICATION" || kind == "SUBSCRIPTION"
      default: false
      }
    }

    /// `ALTER TABLE t OWNER TO role`, and not `ALTER TABLE t RENAME owner TO holder`.
    private var isOwner: Bool {
      guard word(0) == "ALTER" else { return false }
      let words = all.suffix(4).map { $0.uppercased() }
      return words.count == 4 && words[1] == "OWNER" && words[2] == "TO"
        && words[0] != "RENAME" && words[0] != "COLUMN"
    }

    /// The settings that pg_dump prints, by their names.
    private static let settings: Set = [
      "STATEMENT_TIMEOUT", "LOCK_TIMEOUT", "IDLE_IN_TRANSACTION_SESSION_TIMEOUT",
      "TRANSACTION_TIMEOUT", "XMLOPTION", "CLIENT_MIN_MESSAGES", "ROW_SECURITY",
      "DEFAULT_TABLESPACE", "DEFAULT_TABLE_ACCESS_METHOD", "DEFAULT_WITH_OIDS",
    ]

    private var verdictOnSetting: Verdict {
      switch word(1) {
      case "LOCAL", "CONSTRAINTS": return .kept
      case "CLIENT_ENCODING" where ["UTF8", "UTF-8", "UNICODE"].contains(word(2)),
        "STANDARD_CONFORMING_STRINGS" where word(2) == "ON":
        return .passedOver
      case "CLIENT_ENCODING":
        return .refused(
          "The dump is in the encoding \(word(2)). Print it with pg_dump --encoding=UTF8.")
      case "CHECK_FUNCTION_BODIES":
        // A function may come before the tables that it reads.
        return .with(" LOCAL", after: 0)
      case let name where Self.settings.contains(name): return .passedOver
      default: return .refused("SET is not allowed: it outlives the migration. Write SET LOCAL.")
      }
    }

    /// Whether it makes or changes a table, an index or a sequence of the ledger's.
    private func isOf(_ ledger: Ledger) -> Bool {
      let kinds: Set = ["TABLE", "INDEX", "SEQUENCE", "COLUMN", "CONSTRAINT"]
      guard ["CREATE", "ALTER", "COMMENT"].contains(word(0)),
        !kinds.isDisjoint(with: words.prefix(3))
      else { return false }
      return all.contains { ledger.ownsOnServer($0) }
    }
  }
}

extension Ledger {
  /// Whether it owns a table with this name, or the sequence that the server made for a column of
  /// it: `seedbed_runs_id_seq`.
  fileprivate func ownsOnServer(_ name: String) -> Bool {
    // On a server, such a name is not SQLite's.
    if name.asciiLowercased().hasPrefix("sqlite_") { return false }
    if owns(name) { return true }
    let parts = name.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count > 2, parts.last == "seq" else { return false }
    return (1..<parts.count - 1).contains { owns(parts.prefix($0).joined(separator: "_")) }
  }
}
