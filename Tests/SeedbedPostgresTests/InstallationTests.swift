import Foundation
import Seedbed
import SeedbedPostgres
import TestSupport
import Testing

@testable import MergeModelTests

/// The same installations as on SQLite, on a server: see `InstallationTests` of the model.
@Suite(.enabled(if: Cluster.isInstalled)) struct ServerInstallationTests {
  @Test func `installations on a server become those of today`() throws {
    let cluster = try #require(Cluster.shared)
    let queue = HistoryQueue(Seeds.histories(10, of: 200))
    DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
      guard let uri = try? cluster.newDatabase() else { return }
      while let seed = queue.next() {
        do {
          let session = try PostgresSession(uri)
          try session.executeAll("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
          var installation = Installation(seed: seed)
          installation.live()
          try installation.play(on: session, isServer: true) { catalog, options in
            Migrator(
              catalog: try catalog.forPostgreSQL(), on: PostgresServer(uri, ledger: "seedbed"),
              options: options)
          }
        } catch {
          queue.note(error, of: seed)
        }
      }
    }
    for error in queue.failures { Issue.record(error) }
    #expect(queue.played > 0)
    print("\(queue.played) installations on a server")
  }
}
