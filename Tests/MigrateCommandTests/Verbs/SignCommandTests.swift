import Foundation
import TestSupport
import Testing

@testable import MigrateCommand

struct SignCommandTests {
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
}
