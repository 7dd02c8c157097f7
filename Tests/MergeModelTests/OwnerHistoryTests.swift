import TestSupport
import Testing

/// Tables of which each owner has a copy of the catalog's rows, against the model of a table whose
/// releases have a row for each of them.
@Suite struct `The engine and the model agree on owners` {
  private static let features = Features.all.subtracting([
    .names, .numbers, .newNames, .downloads, .moves,
  ])

  @Test func `on random histories`() throws {
    try HistoryQueue.play(Seeds.histories(8, of: 10_000), "histories of owners") {
      var history = try History(seed: $0, with: Self.features, forOwners: true)
      try history.play()
    }
  }
}
