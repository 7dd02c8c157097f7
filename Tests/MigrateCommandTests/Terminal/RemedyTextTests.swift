import Seedbed
import TestSupport
import Testing

@testable import MigrateCommand

/// What the command says to type behind a message of the library.
struct RemedyTextTests {
  static let cases: [([SeedbedError.Remedy], String)] = [
    ([], "Do it."),
    ([.writeLock], "Do it: app lock."),
    ([.moveBackups, .leaveBackupOut], "Do it: --backups DIR or --no-backup."),
    ([.down(to: 3)], "Do it: app down --to 3."),
    ([.reseed("t", key: "a b")], "Do it: app reseed t 'a b'."),
    ([.restoreEarlierBackup], "Do it: app restore FILE."),
    (
      [.restoreBackup, .reseed("t", key: nil), .markBaseline(2)],
      "Do it: app restore, app reseed t or app baseline 2."
    ),
  ]

  @Test(arguments: cases)
  func `a message ends with`(_ remedies: [SeedbedError.Remedy], _ message: String) {
    let error = SeedbedError(.io, "Do it.").with { $0.remedies = remedies }
    #expect(error.completed("app").message == message)
  }

  @Test(arguments: [
    ("words", "set", "words set"), ("t", "it's", #"t 'it'\''s'"#), ("t", "", "t ''"),
    ("two words", "$HOME `a` \"b\" \\", "'two words' '$HOME `a` \"b\" \\'"),
    ("t", "-5", "-- t -5"), ("t", "~", "t '~'"), ("t", "a*;b&", "t 'a*;b&'"),
    ("ü", "'", #"ü ''\'''"#),
  ])
  func `operands can be pasted:`(_ table: String, _ key: String, _ expected: String) throws {
    let operands = [table, key].shellOperands
    #expect(operands == expected)
    let shell = try Child.run(["/bin/sh", "-c", "printf '<%s>' \(operands)"])
    let words = (operands.hasPrefix("-- ") ? "<-->" : "") + "<\(table)><\(key)>"
    #expect(shell.code == 0 && shell.output == words)
  }
}
