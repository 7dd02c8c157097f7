import Foundation
import TestSupport
import Testing

@testable import MigrateCommand

/// `--signed-by` and `--downloaded`.
struct DownloadedTests {
  private static let download =
    " --migrations App --downloaded june.seedbed --signed-by \(Sandbox.publicKey)"
  /// Another vector of RFC 8032.
  private static let wrong =
    " --migrations App --downloaded june.seedbed"
    + " --signed-by ed25519:PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw="

  private func run(_ line: String, in sandbox: Sandbox) throws -> Outcome {
    try Program.run(line.split(separator: " ").map(String.init), in: sandbox)
  }

  @Test func `up goes on with the download, and status says who signed it`() throws {
    let sandbox = try Sandbox.withDownload()
    #expect(try sandbox.do("plan" + Self.download).contains("Would apply 2 migrations."))
    #expect(try sandbox.do("up" + Self.download).contains("Applied 2 migrations."))
    let signed = #/Downloaded: releases up to 2, signed on 20[0-9-]{8} by ed25519:11qY/#
    let status = try sandbox.do("status" + Self.download)
    #expect(status.hasPrefix("app.sqlite is at 2 of 2\n") && status.contains(signed), "\(status)")
    let text = try sandbox.do("status --json" + Self.download)
    let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let heads = document?["signedHeads"] as? [[String: Any]]
    #expect(heads?.first?["key"] as? String == Sandbox.publicKey)
    #expect(heads?.first?["version"] as? Int == 2 && document?["passedOver"] == nil)
    try sandbox.do("report page.html" + Self.download)
    #expect(try sandbox.text("page.html").contains(#""signedHeads":[{"key":"ed25519:11qY"#))
  }

  @Test func `what is passed over is no error, and every verb says it`() throws {
    let sandbox = try Sandbox.withDownload()
    let words = "'june.seedbed' was passed over: no key that is trusted here has signed it."
    let plan = try sandbox.do("plan" + Self.wrong)
    #expect(plan.contains(words) && plan.contains("Would apply 1 migration."), "\(plan)")
    let up = try sandbox.do("up" + Self.wrong)
    #expect(up.contains(words) && up.contains("Applied 1 migration."), "\(up)")
    let again = try sandbox.do("up" + Self.wrong)
    #expect(again.contains(words) && again.contains("Nothing to do."), "\(again)")
    #expect(try sandbox.do("status" + Self.wrong).contains(words))
    let text = try sandbox.do("up --json" + Self.wrong)
    let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let passed = document?["passedOver"] as? [[String: Any]]
    #expect(passed?.first?["reason"] as? String == "wrongKey")
    try sandbox.do("report page.html" + Self.wrong)
    #expect(try sandbox.text("page.html").contains(#""reason":"wrongKey""#))
  }

  @Test func `many databases take it, too`() throws {
    let sandbox = try Sandbox.withDownload()
    for name in ["a", "b"] { try sandbox.do("up --migrations App --database \(name).sqlite") }
    let up = try sandbox.do("up --each *.sqlite" + Self.download)
    #expect(up.hasPrefix("2 databases: 2 brought up to date"), "\(up)")
    #expect(try sandbox.sql("SELECT count(*) FROM elements", database: "b.sqlite") == ["5"])
    let words = "\nDownloads  2 databases: 'june.seedbed' was passed over: no key"
    for verb in ["status", "plan", "up --no-backup", "verify"] {
      let outcome = try run("\(verb) --each *.sqlite" + Self.wrong, in: sandbox)
      #expect(outcome.output.contains(words), "\(verb) \(outcome)")
    }
  }

  @Test func `many databases say which of them passed over what`() throws {
    let sandbox = try Sandbox.withDownload()
    for name in ["a", "b"] { try sandbox.do("up --migrations App --database \(name).sqlite") }
    try sandbox.do("up --database b.sqlite" + Self.download)
    try sandbox.write(["Migrations/0003_x/elements.csv": "number,name\n6,Carbon\n"])
    for line in ["lock", "sign --key author.pem", "bundle june.seedbed --since 2"] {
      try sandbox.do(line)
    }
    let words = "Downloads  1 database: 'june.seedbed' was passed over: it leaves out"
    for verb in ["status", "plan", "up --no-backup"] {
      let text = try sandbox.do("\(verb) --each *.sqlite" + Self.download)
      #expect(text.contains(words), "\(verb) \(text)")
      let json = try sandbox.do("\(verb) --json --each *.sqlite" + Self.download)
      let document = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
      let passed = try #require(document?["passedOver"] as? [[String: Any]], "\(verb)")
      #expect(passed.count == 1 && passed[0]["reason"] as? String == "needsFrom")
      #expect(passed[0]["databases"] as? Int == 1)
      #expect((passed[0]["message"] as? String)?.contains("up to 2") == true)
    }
    let status = try sandbox.do("status --json --each *.sqlite" + Self.download)
    let document = try JSONSerialization.jsonObject(with: Data(status.utf8)) as? [String: Any]
    let each = try #require(document?["each"] as? [[String: Any]])
    #expect(each.map { $0["passedOver"] != nil } == [true, false])
  }

  @Test func `with the key, verbs go on after the download was deleted`() throws {
    let sandbox = try Sandbox.withDownload()
    try sandbox.do("up" + Self.download)
    try FileManager.default.removeItem(atPath: sandbox.path + "/june.seedbed")
    for verb in ["up", "plan", "status --exit-code", "verify", "report page.html"] {
      try sandbox.do(verb + Self.download)
    }
    let status = try sandbox.do("status" + Self.download)
    #expect(status.hasPrefix("app.sqlite is at 2 of 2\n"), "\(status)")
    let reseed = try run("reseed elements" + Self.download, in: sandbox)
    let words = "Name a download that has 2, or a program that ships it."
    #expect(reseed.code == 5 && reseed.errors.contains(words), "\(reseed)")
  }

  @Test func `a database is the baseline of a download`() throws {
    let sandbox = try Sandbox.withDownload()
    try sandbox.do("up --no-backup" + Self.download)
    let check = try sandbox.do("baseline 2 --check --ledger other" + Self.download)
    #expect(check.contains("Nothing was changed."), "\(check)")
    let marked = try sandbox.do("baseline 2 --ledger other" + Self.download)
    #expect(marked.contains("Adopted the database at 2."), "\(marked)")
    #expect(try sandbox.sql("SELECT version FROM other_signed") == ["2"])
  }

  @Test func `SQL runs only if it is allowed`() throws {
    let sandbox = try Sandbox.withDownload([
      "Migrations/0002_notes/up.sql": "CREATE TABLE notes (note TEXT PRIMARY KEY);\n"
    ])
    #expect(try sandbox.do("up" + Self.download).contains("passed over: it has SQL"))
    #expect(
      try sandbox.do("up --allow-sql" + Self.download).contains("Applied 1 migration."))
  }

  @Test(arguments: [
    "show 1", "lint", "build first.sqlite", "snapshot", "export elements", "lock", "revert 1",
  ])
  func `verbs for authors take no downloads`(_ line: String) throws {
    let sandbox = try Sandbox.withDownload()
    let outcome = try run(line + Self.download, in: sandbox)
    #expect(outcome.code == 64 && outcome.errors.contains("and no downloads."), "\(outcome)")
    let mine = try run("export elements --mine" + Self.download, in: sandbox)
    #expect(!mine.errors.contains("no downloads"), "\(mine)")
  }

  @Test func `baseline has nothing to do where the database is beyond it`() throws {
    let sandbox = try Sandbox.withDownload()
    try sandbox.do("up" + Self.download)
    let outcome = try run("baseline 1 --migrations Migrations", in: sandbox)
    #expect(outcome.output == "Nothing to do. Database is at 2.\n", "\(outcome)")
  }

  @Test func `the newest of several is taken`() throws {
    let sandbox = try Sandbox.withDownload()
    try sandbox.write(["Migrations/0003_x/elements.csv": "number,name\n6,Carbon\n"])
    for line in ["lock", "sign --key author.pem", "bundle july.seedbed"] { try sandbox.do(line) }
    let up = try sandbox.do("up --downloaded july.seedbed" + Self.download)
    #expect(up.contains("Database is at 3."), "\(up)")
  }

  @Test(arguments: ["up --downloaded june.seedbed", "up --allow-sql"])
  func `a download without a key is refused`(_ line: String) throws {
    let outcome = try run(line, in: Sandbox.withAuthor())
    #expect(outcome.code == 64 && outcome.errors.contains("Give both."), "\(outcome)")
  }

  @Test func `a key that is none is refused`() throws {
    let line = "up --downloaded june.seedbed --signed-by author.pem"
    let outcome = try run(line, in: Sandbox.withAuthor())
    #expect(outcome.code == 64 && outcome.errors.contains("is not a public key"), "\(outcome)")
  }
}
