import CSeedbedSQLite

/// What `quick_check` says of a database.
enum Soundness: Equatable {
  case sound
  /// The check could not run: it needs a function, collation or tokenizer of the app's own.
  case unknown(String)
  case damaged(String)

  init(of connection: Connection) throws {
    do {
      // One finding is enough.
      let answer = try connection.interruptible {
        try connection.value("PRAGMA main.quick_check(1)")?.text ?? ""
      }
      self = Self.judge(answer)
    } catch let failure as SQLiteFailure {
      if failure.isDamage {
        self = .damaged(failure.message)
      } else if failure.seedbedError.code == .needsConnection {
        self = .unknown(failure.message)
      } else {
        throw failure
      }
    }
  }

  private static func judge(_ answer: String) -> Soundness {
    if answer == "ok" { return .sound }
    // SQLite 3.44 and newer also ask virtual tables. FTS5 says "malformed inverted index" of
    // damage, and this where it cannot look, as for want of the app's own tokenizer.
    if answer.hasPrefix("unable to validate the inverted index") { return .unknown(answer) }
    return .damaged(answer.shortened(to: 120))
  }
}

extension SQLiteFailure {
  /// The file is damaged, or no database at all.
  var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }
}
