import Testing

@testable import MergeModelTests

/// Rows whose columns are all their key.
@Suite(.enabled(if: Cluster.isInstalled)) struct `Rows that are all key, on a server` {
  /// In the last one SQLite chooses the ids.
  @Test(arguments: NamedCase.allKey.dropLast())
  func `are retired and taken back`(_ named: NamedCase) throws {
    let cluster = try #require(Cluster.shared)
    try named.run(on: PostgresTwin(cluster.newDatabase(), areDeferrable: true))
  }
}
