extension Migrator {
  /// An instant in UTC, as the ledger has it: `2026-11-20T08:12:44.120Z`.
  public struct Timestamp: Sendable, Hashable {
    /// ISO 8601, to the millisecond.
    public let text: String

    package init(text: String) { self.text = text }
  }
}

extension Migrator.Timestamp {
  /// From the name of a backup: `20261120T081244.120Z`.
  package init(ofBackup stamp: String) {
    let c = Array(stamp)
    guard c.count >= 15, c[8] == "T" else {
      self.init(text: stamp)
      return
    }
    self.init(
      text: "\(String(c[0..<4]))-\(String(c[4..<6]))-\(String(c[6..<8]))T"
        + "\(String(c[9..<11])):\(String(c[11..<13])):\(String(c[13...]))")
  }
}

extension Duration {
  /// So many seconds, but no fewer than none and no more than about thirty years.
  package static func clamped(seconds: Double) -> Duration {
    .seconds(seconds < 1e9 ? max(0, seconds) : 1e9)
  }

  package var milliseconds: Int {
    Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }

  package var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
