import CSeedbedSQLite

/// The SQLite that this process is linked with.
package enum LibraryVersion {
  /// The oldest version that the tests were run with, in SQLite's number format.
  package static let oldest: Int32 = 3_038_000

  private static var number: Int32 { sqlite3_libversion_number() }

  private static let remedy = "Update the system, or link the program to a newer SQLite."

  static func refuseOld() throws {
    guard number < oldest else { return }
    throw SeedbedError(
      .io,
      "This program runs with SQLite \(text(number)), and Seedbed needs \(text(oldest)) or newer. "
        + remedy)
  }

  static var need: EngineNeed {
    EngineNeed(
      "SQLite \(text(oldest)) or later", found: "SQLite \(text(number))",
      remedy: number < oldest ? remedy : nil)
  }

  static func text(_ number: Int32) -> String {
    let parts = [number / 1_000_000, number / 1000 % 1000, number % 1000]
    return (parts[2] == 0 ? parts.dropLast() : parts[...]).map { "\($0)" }.joined(separator: ".")
  }
}
