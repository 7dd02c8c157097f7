import Foundation
import TestSupport
import Testing

@testable import MigrateCommand

struct SignCommandTests {
  private func run(_ line: String, in sandbox: Sandbox) throws -> Outcome {
    try Program.run(line.split(separator: " ").map(String.init), in: sandbox)
  }

  @Test func `it says who signed what, and then that nothing is to do`() throws {
    let sandbox = try Sandbox.withAuthor()
    let signed = "releases up to 1.\nSigned by \(Sandbox.publicKey)\n"
    #expect(
      try run("sign --key author.pem", in: sandbox)
        == Outcome(output: "Wrote Migrations/seedbed.lock.sig: \(signed)"))
    #expect(
      try run("sign --key author.pem", in: sandbox)
        == Outcome(output: "Migrations/seedbed.lock.sig is up to date: \(signed)"))
    #expect(
      try run("lock --check", in: sandbox)
        == Outcome(
          output: "The lock of Migrations is up to date.\nSigned by \(Sandbox.publicKey)\n"))
  }

  @Test func `the document`() throws {
    let sandbox = try Sandbox.withAuthor()
    let text = try sandbox.do("sign --key author.pem --json")
    let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    #expect(document?["keys"] as? [String] == [Sandbox.publicKey])
    #expect(document?["head"] as? Int == 1 && document?["outcome"] as? String == "written")
    #expect(document?["catalog"] as? String == sandbox.path + "/Migrations")
    #expect(document?["path"] as? String == sandbox.path + "/Migrations/seedbed.lock.sig")
    #expect((document?["id"] as? String)?.count == 32)
  }

  @Test func `a new key signs, and only its public half is printed`() throws {
    let sandbox = try Sandbox.withAuthor()
    let lines = try sandbox.do("sign --new-key new.pem").split(separator: "\n")
    #expect(lines.count == 3 && lines[0] == "Wrote new.pem. The public key, for the app:")
    let key = String(try #require(lines.dropFirst().first))
    #expect(try sandbox.do("sign --key new.pem").contains("Signed by \(key)\n"))
    let secret = try sandbox.text("new.pem").split(separator: "\n")[1]
    for line in ["sign --new-key other.pem --json", "sign --key new.pem --json", "lock --check"] {
      #expect(try !sandbox.do(line).contains(secret))
    }
    let again = try run("sign --new-key new.pem", in: sandbox)
    #expect(again.code == 64 && again.errors.contains("exists, and a key is never written over"))
  }

  @Test func `a key in place of a file's name is not repeated`() throws {
    let sandbox = try Sandbox.withAuthor()
    let secret = String(Sandbox.privateKey.split(separator: "\n")[1])
    for words in [
      ["sign", "--key", Sandbox.privateKey], ["sign", "--key=" + secret],
      ["sign", "--new-key", secret + "/x"], ["up", "--signed-by", "ed25519:" + secret],
      ["sign", "--key", secret, "--json"], ["sign", "--new-key", secret], [secret],
      ["sign", "--new-key=" + secret, "--json"], ["sign", "--message", secret],
      ["bundle", secret + ".seedbed"], ["export", "elements", "--out", secret],
      ["up", "--database", secret], ["new", secret], ["help", secret], [secret, "--help"],
    ] {
      let outcome = try Program.run(words, in: sandbox)
      let said = outcome.output + outcome.errors
      #expect(outcome.code != 0 && !said.isEmpty, "\(words)")
      // Not even the half of it.
      #expect(!said.contains(secret.suffix(32)), "\(said)")
    }
    #expect(!sandbox.exists(secret))
  }

  @Test(arguments: [
    "sign --key /dev/zero", "sign --message lock.msg --signature /dev/zero --public-key KEY",
  ])
  func `a file without an end is not read without an end`(_ line: String) throws {
    let sandbox = try Sandbox.withAuthor()
    try sandbox.do("sign --message lock.msg")
    let given = line.replacing("KEY", with: Sandbox.publicKey)
    let outcome = try run(given, in: sandbox)
    #expect([2, 64].contains(outcome.code) && outcome.errors.contains("/dev/zero"), "\(outcome)")
  }

  @Test func `another id in catalog.json is no reason to sign again`() throws {
    let sandbox = try Sandbox.withAuthor()
    try sandbox.do("sign --key author.pem")
    let options = try sandbox.text("Migrations/catalog.json")
    let start = try #require(options.range(of: "\"id\": \""))
    let old = String(options[start.upperBound...].prefix(32))
    let new = String(repeating: "0", count: 32)
    for changed in [options.replacing(old, with: new), "{}\n"] {
      try sandbox.write(["Migrations/catalog.json": changed])
      let words = "The signature is of the catalog \(old), and catalog.json has "
      let found = changed == "{}\n" ? "no \"id\" any more." : "another \"id\", \(new)."
      #expect(try sandbox.do("lock").contains("seedbed.lock.sig: " + words + found))
      for (line, code) in [("lint", 3), ("lock --check", 3), ("sign --key author.pem", 2)] {
        let outcome = try run(line, in: sandbox)
        let said = outcome.output + outcome.errors
        #expect(outcome.code == code && said.contains(words + found), "\(line): \(outcome)")
      }
    }
    try sandbox.write(["Migrations/catalog.json": options])
    try sandbox.do("lock")
    try sandbox.do("sign --key author.pem")
    try sandbox.remove("Migrations/seedbed.lock.sig")
    try sandbox.write(["Migrations/catalog.json": options.replacing(old, with: new)])
    try sandbox.do("lock")
    try sandbox.do("sign --key author.pem")
  }

  @Test func `a bundle is not written over another file`() throws {
    let sandbox = try Sandbox.withAuthor()
    _ = try sandbox.do("sign --key author.pem")
    try sandbox.write(["key.seedbed": Sandbox.privateKey])
    let outcome = try run("bundle key.seedbed", in: sandbox)
    #expect(outcome.code == 64 && outcome.errors.contains("exists, and is no bundle"))
    #expect(try sandbox.text("key.seedbed") == Sandbox.privateKey)
    _ = try sandbox.do("bundle june.seedbed")
    _ = try sandbox.do("bundle june.seedbed")
  }

  @Test func `the key may come from stdin`() throws {
    let sandbox = try Sandbox.withAuthor()
    let result = try Child.run(
      [Child.migrate, "sign", "--key", "-"], in: sandbox.path,
      input: Array(Sandbox.privateKey.utf8))
    #expect(result.code == 0 && result.output.hasSuffix("Signed by \(Sandbox.publicKey)\n"))
    let wrong = try Child.run(
      [Child.migrate, "sign", "--key", "-"], in: sandbox.path, input: Array("secret".utf8))
    #expect(wrong.code == 64 && !wrong.output.contains("secret"))
  }

  @Test func `a message is not written over another file`() throws {
    let sandbox = try Sandbox.withAuthor()
    let outcome = try run("sign --message author.pem", in: sandbox)
    #expect(outcome.code == 64 && outcome.errors.contains("is no message to sign"))
    #expect(try sandbox.text("author.pem") == Sandbox.privateKey)
    for _ in 0..<2 { try sandbox.do("sign --message lock.msg") }
    #expect(try sandbox.text("lock.msg").hasPrefix("seedbed-lock-1\0seedbed.lock.sig 1\n"))
  }

  @Test(arguments: [
    "sign", "sign --key a --new-key b", "sign --key a --message b",
    "sign --key a --signature b --public-key c", "sign --message a --signature b",
    "sign --message a --public-key b", "sign --signature a --public-key b",
  ])
  func `what does not belong together is refused`(_ line: String) throws {
    let outcome = try run(line, in: Sandbox.withAuthor())
    #expect(outcome.code == 64 && outcome.errors.contains(" Give "), "\(outcome)")
  }

  @Test func `a lock that was written after the signature is reported`() throws {
    let sandbox = try Sandbox.withAuthor()
    try sandbox.do("sign --key author.pem")
    try sandbox.write(Sandbox.more)
    let words = "The signature is of another lock: the lock has changed since. Sign it again: "
    #expect(try sandbox.do("lock").contains("seedbed.lock.sig: " + words))
    // Only releases were added: a job without the key says so in a note, and may pass.
    let note = "seedbed.lock.sig is of version 1. Sign the later releases before you bundle them: "
    for line in ["lock --check", "lint"] {
      let outcome = try run(line, in: sandbox)
      #expect(!outcome.output.contains(words) && outcome.errors.contains(note), "\(outcome)")
    }
    for line in ["bundle OUT", "bundle june.seedbed"] {
      let outcome = try run(line, in: sandbox)
      #expect(outcome.code == 3 && outcome.output.contains(words), "\(line): \(outcome)")
    }
    #expect(!sandbox.exists("OUT") && !sandbox.exists("june.seedbed"))
  }

  // MARK: bundles of one file

  @Test func `bundle says what is in the file`() throws {
    let sandbox = try Sandbox.withAuthor(Sandbox.more)
    let unsigned = try run("bundle june.seedbed", in: sandbox)
    #expect(unsigned.code == 2 && unsigned.errors.contains("is not signed. Sign it first"))
    try sandbox.do("sign --key author.pem")
    let whole = try sandbox.do("bundle june.seedbed")
    #expect(whole.hasPrefix("Wrote june.seedbed: 2 migrations, 3 files, 5 rows, "), "\(whole)")
    #expect(whole.hasSuffix(". Releases up to 2.\nSigned by \(Sandbox.publicKey)\n"), "\(whole)")
    let text = try sandbox.do("bundle june.seedbed --since 1 --json")
    let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    #expect(document?["since"] as? Int == 1 && document?["version"] as? Int == 2)
    #expect(document?["bundle"] as? String == sandbox.path + "/june.seedbed")
    #expect(document?["keys"] as? [String] == [Sandbox.publicKey])
  }

  @Test(arguments: [
    ("bundle june.seedbed --with-down", "Leave it out."),
    ("bundle OUT --since 1", "leave it out."),
    ("bundle june.seedbed --since 2", "2 is the catalog's last version"),
    ("bundle june.seedbed --since 7", "Name one of 1, or 0."),
  ])
  func `what such a bundle cannot be`(_ line: String, _ words: String) throws {
    let sandbox = try Sandbox.withAuthor(Sandbox.more)
    try sandbox.do("sign --key author.pem")
    let outcome = try run(line, in: sandbox)
    #expect(outcome.code == 64 && outcome.errors.contains(words), "\(outcome)")
    #expect(!sandbox.exists("june.seedbed") && !sandbox.exists("OUT"))
  }
}
