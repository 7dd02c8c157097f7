extension Migrator {
  /// An instant in UTC in the ledger's format: `2026-11-20T08:12:44.120Z`.
  public struct Timestamp: Sendable, Hashable {
    /// The instant in ISO 8601, to the millisecond.
    public let text: String

    package init(text: String) { self.text = text }
  }
}

extension Migrator.Timestamp {
  /// The instant in the name of a backup: `20261120T081244.120Z`.
  init(ofBackup stamp: String) {
    var text = Array(stamp)
    if text.count >= 15, text[8] == "T" {
      for (place, mark) in zip([4, 7, 13, 16], "--::") { text.insert(mark, at: place) }
    }
    self.init(text: String(text))
  }
}

extension Duration {
  /// The duration of this many seconds, limited to between zero and about thirty years.
  package static func clamped(seconds: Double) -> Duration {
    .seconds(seconds < 1e9 ? max(0, seconds) : 1e9)
  }

  package var milliseconds: Int {
    // 25 days are more than an `Int` of 32 bits holds.
    Int(clamping: components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000)
  }

  package var inSeconds: Double {
    self / .seconds(1)
  }
}
