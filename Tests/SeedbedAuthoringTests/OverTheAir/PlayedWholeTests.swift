import Foundation
import TestSupport
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring
@testable import SeedbedOverTheAir

/// Verbs that apply the catalog to a scratch database, with downloads that cannot be applied whole.
struct PlayedWholeTests {
  /// A database that a download brought to release 4, in which the user edited what release 3 set.
  private struct Device {
    let publisher: Publisher
    let good: String
    /// The same, with other bytes in the row file of release 3.
    let bad: String

    init() throws {
      publisher = try Publisher([

        "0003_words/words.update.csv": "id,word,was:word\n1,new,word 1\n"
      ])
      good = try publisher.download(publisher.bundle(since: 2), as: "good")
      let content = Array("id,word,was:word\n1,xyz,word 1\n".utf8)
      bad = try publisher.download(
        publisher.bundle(since: 2, content: ["0003_words/words.update.csv": content]), as: "bad")
      _ = try publisher.migrator(publisher.newest([good])).up()
      try publisher.bench.execute("UPDATE words SET word = 'mine' WHERE id = 1")
    }

    func migrator(_ downloads: [String]) throws -> Migrator {
      try publisher.migrator(publisher.newest(downloads))
    }

    func word() throws -> String? {
      try Connection("\(publisher.bench.path)/app.sqlite", .readOnly, setup: nil)
        .value("SELECT word FROM words WHERE id = 1")?.text
    }
  }

  /// What shows the seed's value of row 1, by the name of the verb.
  private static let verbs: [(name: String, seed: @Sendable (Migrator) throws -> String?)] = [
    (
      "reseed",
      {
        _ = try $0.reseed("words", keys: ["1"])
        return nil
      }
    ),
    (
      "origin",
      {
        try $0.origin(of: Migrator.Row(["id"], [.integer(1)]), in: "words")?.original?["word"]?.text
      }
    ),
    ("suggestions", { try $0.suggestions().first?.base?.text }),
  ]

  @Test func `a damaged download gives way to the next best one`() throws {
    for verb in Self.verbs {
      let device = try Device()
      let found = try verb.seed(device.migrator([device.bad, device.good]))
      #expect(try (found ?? device.word()) == "new", "\(verb.name)")
    }
  }

  @Test func `without another, the error names the damaged download`() throws {
    for verb in Self.verbs {
      let device = try Device()
      let error = #expect(throws: SeedbedError.self, "\(verb.name)") {
        _ = try verb.seed(device.migrator([device.bad]))
      }
      #expect(error?.code == .newer && error?.version == 4, "\(verb.name)")
      #expect(error?.message.contains("'\(device.bad)' was passed over: it is damaged") == true)
      #expect(error?.message.contains("0003_words/words.update.csv") == true)
      #expect(try device.word() == "mine", "\(verb.name)")
    }
  }
}
