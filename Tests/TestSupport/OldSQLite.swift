import Foundation

/// An SQLite that says it is older than Seedbed takes, for programs that find theirs at run time.
package enum OldSQLite {
  /// What a program is started with, to meet it.
  package static func environment(in folder: String) throws -> [String: String] {
    let source = folder + "/old.c"
    let library = folder + "/old.so"
    try "int sqlite3_libversion_number(void) { return 3037002; }\n"
      .write(toFile: source, atomically: true, encoding: .utf8)
    let (code, output) = try Child.run(["clang", "-shared", "-fPIC", "-o", library, source])
    guard code == 0 else { throw NotBuilt(output: output) }
    return ProcessInfo.processInfo.environment.merging(["LD_PRELOAD": library]) { $1 }
  }

  /// What the compiler says against it.
  package struct NotBuilt: Error { package let output: String }

  package static let refusal =
    "This program runs with SQLite 3.37.2, and Seedbed needs 3.38 or newer. Update the system, or "
    + "link the program to a newer SQLite."
}
