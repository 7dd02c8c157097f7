import Testing

@testable import MergeModelTests

/// Releases forward and back on a server, with a user in between.
@Suite(.enabled(if: Cluster.isInstalled)) struct `Forward and back on a server` {
  @Test(arguments: Story.usersRows + Story.seedRows)
  func `a release never takes a row that a user made`(_ story: Story) throws {
    let cluster = try #require(Cluster.shared)
    try story.play(on: PostgresTwin(cluster.newDatabase(), areDeferrable: true))
  }

  @Test(arguments: NamedCase.spellings)
  func `a new spelling comes where the text is untouched`(_ named: NamedCase) throws {
    let cluster = try #require(Cluster.shared)
    try named.run(on: PostgresTwin(cluster.newDatabase(), areDeferrable: true))
  }

  @Test(arguments: NamedCase.shared.filter { !$0.user.contains("PRAGMA") })
  func `references that share a column`(_ named: NamedCase) throws {
    let cluster = try #require(Cluster.shared)
    try named.run(on: PostgresTwin(cluster.newDatabase(), areDeferrable: true))
  }

  @Test(arguments: NamedCase.withoutParents)
  func `a new row whose optional parent was deleted`(_ named: NamedCase) throws {
    let cluster = try #require(Cluster.shared)
    try named.run(on: PostgresTwin(cluster.newDatabase(), areDeferrable: true))
  }

  @Test(arguments: NamedCase.leaving + NamedCase.disposed)
  func `a key changes before the row goes that it referred to`(_ named: NamedCase) throws {
    let cluster = try #require(Cluster.shared)
    try named.run(on: PostgresTwin(cluster.newDatabase(), areDeferrable: true))
  }
}
