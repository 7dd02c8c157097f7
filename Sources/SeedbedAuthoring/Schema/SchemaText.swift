import Seedbed

/// A schema for SQLite as other programs print it: between BEGIN and COMMIT, and with tables that
/// are not the app's. Statements that are not about the schema are left out.
///
/// `.schema`, `.dump` of a database without rows, and Django's `sqlmigrate` are taken as they are.
enum SchemaText {
  /// The text without these statements. Each other statement stays on its line.
  ///
  /// - Parameter file: its name in errors.
  static func passingOverOthers(
    _ text: String, of file: String = "", ledger: Ledger? = nil
  ) throws -> String {
    let script = Script(name: file, bytes: Array(text.utf8))
    var isDump = false
    var others: [Range<Int>] = []
    var shadows: Set<Name> = []
    for range in script.statementRanges() {
      let statement = Statement(String(decoding: script.bytes[range], as: UTF8.self))
      if statement.isPragmaOfDump { isDump = true }
      if let reason = statement.refusal(isDump: isDump) {
        throw SeedbedError(
          .sql, reason, at: script.place(script.piece(at: range.lowerBound)))
      }
      shadows.formUnion(statement.shadows.asNames)
      if statement.isOfOthers(ledger, shadows) { others.append(range) }
    }
    var edits = TextEdits(script.bytes)
    for range in others { edits.remove(statement: range) }
    return edits.text
  }

  private struct Statement {
    let words: [String]
    let sql: String

    init(_ sql: String) {
      self.sql = sql
      words = SQLTokens.firstWords(8, of: sql)
    }

    func word(_ place: Int) -> String { place < words.count ? words[place] : "" }

    /// `.dump` turns these off at the beginning.
    var isPragmaOfDump: Bool {
      word(0) == "PRAGMA" && ["FOREIGN_KEYS", "WRITABLE_SCHEMA"].contains(word(1))
    }

    /// Why it cannot be taken; nil for most.
    func refusal(isDump: Bool) -> String? {
      let isInsert = word(0) == "INSERT" && word(1) == "INTO"
      if isInsert, ["SQLITE_SCHEMA", "SQLITE_MASTER"].contains(word(2)) {
        return "This writes a virtual table into SQLite's own schema. Print the schema with "
          + ".schema, not with .dump."
      }
      if isDump, isInsert, !word(2).hasPrefix("SQLITE_") {
        return "This is a row, not a schema. Print the schema with .schema, not with .dump; rows "
          + "belong in a CSV file."
      }
      if sql.hasPrefix("\\") || ServerText.isOfDump(words) {
        return "This is SQL for PostgreSQL. If it is the schema on a server, let the file's name "
          + "end with .postgresql.sql, and name SQLite's with another --schema."
      }
      return nil
    }

    /// The tables that a virtual table makes for itself, and whose names only it may use. `.schema`
    /// prints them, too.
    var shadows: [String] {
      guard word(0) == "CREATE", word(1) == "VIRTUAL" else { return [] }
      let name = word(word(3) == "IF" ? 6 : 3)
      return [
        "DATA", "IDX", "CONTENT", "DOCSIZE", "CONFIG", "SEGMENTS", "SEGDIR", "STAT", "NODE",
        "PARENT", "ROWID",
      ].map { "\(name)_\($0)" }
    }

    /// - Parameter shadows: of the virtual tables so far.
    func isOfOthers(_ ledger: Ledger?, _ shadows: Set<Name>) -> Bool {
      switch word(0) {
      case "BEGIN", "COMMIT", "END": return true
      case "PRAGMA": return isPragmaOfDump
      case "ANALYZE": return word(1).hasPrefix("SQLITE_")
      case "INSERT", "DELETE": return word(2).hasPrefix("SQLITE_")
      case "CREATE": return isOfOthersObject(ledger, shadows)
      default: return false
      }
    }

    private func isOfOthersObject(_ ledger: Ledger?, _ shadows: Set<Name>) -> Bool {
      let isOwned = { (name: String) in
        name.uppercased().hasPrefix("SQLITE_") || ledger?.owns(name) == true
          || shadows.contains(name)
      }
      if word(1) == "TABLE" { return isOwned(word(word(2) == "IF" ? 5 : 2)) }
      guard word(1) == "INDEX" || word(2) == "INDEX" else { return false }
      let names = SQLTokens.words(of: sql)
      guard let on = names.firstIndex(where: { $0.uppercased() == "ON" }), on + 1 < names.count
      else { return false }
      return isOwned(names[on + 1])
    }
  }
}

/// A text from which statements are removed, or changed, so that all others stay on their lines.
struct TextEdits {
  private let bytes: [UInt8]
  private var edits: [(range: Range<Int>, new: [UInt8])] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Removes it with its semicolon.
  mutating func remove(statement range: Range<Int>) {
    let hasSign = range.upperBound < bytes.count && bytes[range.upperBound] == UInt8(ascii: ";")
    let end = range.upperBound + (hasSign ? 1 : 0)
    edits.append((range.lowerBound..<end, bytes[range].filter { $0 == UInt8(ascii: "\n") }))
  }

  mutating func insert(_ text: String, at offset: Int) {
    edits.append((offset..<offset, Array(text.utf8)))
  }

  var text: String {
    var result = bytes
    for edit in edits.reversed() { result.replaceSubrange(edit.range, with: edit.new) }
    return String(decoding: result, as: UTF8.self)
  }
}
