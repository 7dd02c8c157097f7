import Foundation
import TestSupport
import Testing

@testable import Seedbed

/// Databases that an app had filled, from any edition, adopted and brought up to date: every cell
/// that the user left alone is the newest edition's, every edit is there, and nothing that the user
/// deleted is back.
///
/// `SEEDBED_SEED`, `SEEDBED_FIRST` and `SEEDBED_HISTORIES` work as for histories.
@Suite struct InstallationTests {
  @Test func `installations of any age become those of today`() throws {
    try HistoryQueue.play(Seeds.histories(60, of: 2000), "installations", Self.play)
  }

  private static func play(_ seed: UInt64) throws {
    var installation = Installation(seed: seed)
    installation.live()
    let bench = try Bench()
    let path = bench.folder + "/app.sqlite"
    try installation.play(
      on: try Connection(path, .create, setup: nil), isServer: false
    ) { catalog, options in Migrator(catalog: catalog, at: path, options: options) }
  }
}

extension Installation {
  struct Disagreement: Error, CustomStringConvertible {
    let description: String
  }

  /// Fills a database as the years did, adopts it, and compares it with the model.
  func play(
    on session: any DatabaseSession, isServer: Bool,
    _ migrator: (Catalog, Migrator.Options) throws -> Migrator
  ) throws {
    try session.executeAll(tables(isServer: isServer, isFinal: true))
    for statement in statements { try session.execute(statement) }
    var files: [String: [UInt8]] = [:]
    for (name, text) in catalog(isServer: isServer) { files[name] = Array(text.utf8) }
    var options = Migrator.Options()
    options.takesBackup = false
    options.adopt = Version(adopted)
    let report = try migrator(Catalog(files: files), options).up()
    let expected = expected()
    guard report.adopted?.edition == Version(expected.edition) else {
      throw Disagreement(
        description: "edition \(report.adopted?.edition ?? -1), \(story(expected, isServer))")
    }
    let found = try rows(session)
    let wanted = lines(expected.content)
    guard found == wanted else {
      throw Disagreement(
        description: """
          missing: \(wanted.subtracting(found).sorted())
          there: \(found.subtracting(wanted).sorted())
          \(story(expected, isServer))
          """)
    }
    guard try migrator(Catalog(files: files), options).up().outcome == .upToDate else {
      throw Disagreement(description: "a second run had something to do")
    }
  }

  /// What was played.
  private func story(_ expected: (content: Content, edition: Int), _ isServer: Bool) -> String {
    let files = catalog(isServer: isServer).map { "\($0)\n\($1)" }.sorted()
    return """
      expected \(expected.edition), adopted at \(adopted) of \(editions.count), \
      \(hasChosenIDs ? "chosen" : "given") ids
      \((files + statements).joined(separator: "\n"))
      """
  }

  private func rows(_ session: any DatabaseSession) throws -> Set<String> {
    let key = hasChosenIDs ? "term" : "id"
    let words = try session.rows("SELECT \(key), text, note, extra, stars FROM words")
    let senses = try session.rows(
      hasChosenIDs
        ? "SELECT s.nr, w.term, s.text FROM senses s JOIN words w ON w.id = s.word_id"
        : "SELECT id, word_id, text FROM senses")
    return Set(
      words.map { "word " + $0.map(Self.text).joined(separator: "|") }
        + senses.map { "sense " + $0.map(Self.text).joined(separator: "|") })
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let number): String(number)
    case .text(let text): text
    default: "\(value)"
    }
  }

  private func lines(_ content: Content) -> Set<String> {
    let name = { (id: Int) in hasChosenIDs ? "t\(id)" : "\(id)" }
    let words = content.words.map { id, word in
      let cells = Self.columns.map { (word.cells[$0]?.value) ?? "NULL" }
      return "word \(name(id))|\(cells.joined(separator: "|"))|"
        + (word.stars.map(String.init) ?? "NULL")
    }
    let senses = content.senses.map { id, sense in
      "sense \(id)|\(name(sense.word))|\(sense.text.value ?? "NULL")"
    }
    return Set(words + senses)
  }
}
