import CSeedbedSQLite

/// The result of `quick_check`.
struct IntegrityCheck {
  let condition: BackupName.Condition
  /// The damage that was found.
  var detail = ""

  init(of connection: Connection) throws {
    do {
      // One finding is enough.
      let answer = try connection.interruptible {
        try connection.value("PRAGMA main.quick_check(1)")?.text ?? ""
      }
      // SQLite 3.44 and newer also check virtual tables. FTS5 reports damage as "malformed inverted
      // index". It reports this message if it cannot check, for example because the app's own
      // tokenizer is missing.
      let isUnable = answer.hasPrefix("unable to validate the inverted index")
      condition = answer == "ok" ? .verified : isUnable ? .unverified : .damaged
      detail = answer.shortened(to: 120)
    } catch let failure as SQLiteFailure where failure.isDamage {
      (condition, detail) = (.damaged, failure.message)
    } catch let failure as SQLiteFailure
      where failure.seedbedError.code == .needsConnection
    {
      condition = .unverified
    }
  }
}
