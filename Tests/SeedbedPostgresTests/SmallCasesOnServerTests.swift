import Foundation
import TestSupport
import Testing

@testable import MergeModelTests

/// The small cases on a server: a few of some variants by day, and all by
/// `Scripts/checks/cases --postgresql`.
@Suite(.enabled(if: Cluster.isInstalled)) struct `Every small case on a server` {
  @Test func `is merged as the model says, and by the laws`() throws {
    let cluster = try #require(Cluster.shared)
    let chunks = try `Every small case`.chunks(drawn: 12, of: 100)
    let uri = try cluster.newDatabase()
    let start = Date()
    var (played, failed) = (0, Set<String>())
    for chunk in chunks where !failed.contains(chunk.variant.name) {
      do {
        played += try chunk.play(on: PostgresTwin(uri, areDeferrable: true)).count
      } catch {
        Issue.record(error)
        failed.insert(chunk.variant.name)
      }
    }
    #expect(played > 0)
    print("\(played) small cases on a server in \(Date().timeIntervalSince(start)) s")
  }
}
