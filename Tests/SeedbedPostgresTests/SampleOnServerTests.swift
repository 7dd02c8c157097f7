import Foundation
import TestSupport
import Testing

@testable import Seedbed
@testable import SeedbedPostgres

/// The field guide's own catalog, as the repository ships it.
@Suite(.enabled(if: Cluster.isInstalled)) struct `The sample catalog on a server` {
  private static let catalog = Checkout.root.appending(path: "Migrations").path

  private func onServer(_ uri: String) throws -> Migrator {
    var options = Migrator.Options()
    options.takesBackup = false
    return Migrator(
      catalog: try Catalog(directory: Self.catalog).forPostgreSQL(),
      on: PostgresServer(uri, ledger: "seedbed"), options: options)
  }

  /// The rows that it makes on SQLite up to a version.
  private func onDevice(upTo version: Int64) throws -> [[Value]] {
    let place = try Place()
    let path = place.path + "/app.sqlite"
    _ = try Migrator(catalog: Catalog(directory: Self.catalog), at: path).up(to: version)
    return try rows(Connection(path, .readOnly, setup: nil))
  }

  private func rows(_ session: any DatabaseSession) throws -> [[Value]] {
    let made = try session.tableNames().filter { !$0.hasPrefix("seedbed_") }
    #expect(Set(made).isSubset(of: ["elements", "notes", "studies"]))
    return try made.sorted().flatMap { table in
      let order = table == "elements" ? "number" : "id"
      return try session.rows("SELECT '\(table)', * FROM \(table) ORDER BY \(order)")
    }
  }

  @Test func `has the rows there that devices have, at each of its versions`() throws {
    try withDatabase { uri in
      let migrator = try onServer(uri)
      for version: Int64 in 1...4 {
        try migrator.up(to: version)
        #expect(
          try rows(PostgresSession(uri)) == onDevice(upTo: version), "at version \(version)")
      }
      #expect(try rows(PostgresSession(uri)).count == 118)
      #expect(try migrator.status().state == .upToDate)
      #expect(try migrator.verify().isEmpty)
    }
  }

  @Test func `goes down to nothing, and comes up again`() throws {
    try withDatabase { uri in
      let migrator = try onServer(uri)
      try migrator.up()
      let before = try rows(PostgresSession(uri))
      try migrator.down(to: 2)
      #expect(try rows(PostgresSession(uri)) == onDevice(upTo: 2))
      try migrator.down(to: 0)
      #expect(try rows(PostgresSession(uri)) == [])
      try migrator.up()
      #expect(try rows(PostgresSession(uri)) == before)
      #expect(try migrator.verify().isEmpty)
    }
  }

  @Test func `keeps an editor's words when the names of 2016 arrive`() throws {
    try withDatabase { uri in
      let migrator = try onServer(uri)
      try migrator.up(to: 2)
      let session = try PostgresSession(uri)
      try session.execute("UPDATE elements SET name = 'Element 113' WHERE number = 113")
      try session.execute("INSERT INTO notes (element, text) VALUES (113, 'Which name?')")
      try migrator.up()
      let row = try session.rows("SELECT symbol, name FROM elements WHERE number = 113")
      #expect(row == [["Nh", "Element 113"]])
      #expect(try migrator.conflicts().map(\.kind) == [.edited])
    }
  }
}
