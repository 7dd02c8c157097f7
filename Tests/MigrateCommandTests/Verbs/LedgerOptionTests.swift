import Testing

@testable import MigrateCommand

/// `--ledger grdb_seedbed`: the name that a GRDB app gives its ledger.
struct LedgerOptionTests {
  @Test func `each verb finds the ledger under its name`() throws {
    let ledger = ["--ledger", "grdb_seedbed"]
    let sandbox = try Sandbox.withElements()
    #expect(try Program.run(["up"] + ledger, in: sandbox).code == 0)
    try sandbox.write(Sandbox.more)
    try sandbox.sql("INSERT INTO elements VALUES (4, 'Mine')")
    #expect(try Program.run(["up"] + ledger, in: sandbox).code == 0)
    let status = try Program.run(["status", "--exit-code"] + ledger, in: sandbox)
    #expect(status.code == 0 && status.output.contains("2 applied"))
    let conflicts = try Program.run(["conflicts"] + ledger, in: sandbox)
    #expect(conflicts.output.hasSuffix("1 conflict\n"))
    #expect(try Program.run(["verify"] + ledger, in: sandbox).code == 0)
    #expect(try Program.run(["status", "--exit-code"], in: sandbox).code == 1, "by the other name")
  }
}
