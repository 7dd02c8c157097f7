import Foundation
import Testing

/// The extension's own files, which the compiler does not hold against each other.
@Suite struct `The extension` {
  @Test func `calls.c has each function of SQLite that the library calls`() throws {
    let checked = try Shell.run("python3", "Scripts/checks/sqlite-calls", "--check")
    #expect(checked.output == "")
    #expect(checked.status == 0)
  }

  @Test func `seedbed.h has at most 200 lines`() throws {
    let header = try Project.text("Sources/CSeedbedExtension/include/seedbed.h")
    #expect(header.split(separator: "\n", omittingEmptySubsequences: false).count <= 201)
  }

  @Test func `seedbed.h has a function for each verb, and the code has each of its functions`()
    throws
  {
    let header = try Project.text("Sources/CSeedbedExtension/include/seedbed.h")
    let code = try Project.text("Sources/SeedbedExtension/CFunctions.swift")
    let declared = Set(header.matches(of: /\b(seedbed_[a-z]+)\(/).map { String($0.1) })
    let verbs = try Project.text("Sources/CSeedbedExtension/verbs.c")
    let made = Set(
      code.matches(of: /@_cdecl\("(seedbed_[a-z]+)"\)/).map { String($0.1) }
        + verbs.matches(of: /\nVERB\(([a-z]+)\)/).map { "seedbed_\($0.1)" })
    // The call of all verbs, which nobody outside makes.
    #expect(declared == made.subtracting(["seedbed_call"]))
  }
}
