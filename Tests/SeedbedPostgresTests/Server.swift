import Foundation
import Seedbed
import SeedbedPostgres
import TestSupport
import Testing

/// A catalog for both engines in a folder of its own, and a database on the tests' server.
final class Server {
  let uri: String
  let session: PostgresSession
  let place: Place

  /// - Parameter files: by their paths in the catalog.
  init(_ uri: String, _ files: [String: String]) throws {
    self.uri = uri
    place = try Place()
    session = try PostgresSession(uri)
    try add(["catalog.json": #"{"engines": ["sqlite", "postgresql"]}"#])
    try add(files)
  }

  func add(_ files: [String: String]) throws { try place.write(files) }

  var path: String { place.path }

  /// - Parameter other: the database as another role sees it.
  func migrator(
    on other: String? = nil, _ change: (inout Migrator.Options) -> Void = { _ in }
  ) throws -> Migrator {
    var options = Migrator.Options()
    options.takesBackup = false
    change(&options)
    let catalog = try Catalog(directory: path).forPostgreSQL()
    return Migrator(
      catalog: catalog, on: PostgresServer(other ?? uri, ledger: "seedbed"), options: options)
  }

  /// Runs the command on the catalog and the database.
  func migrate(
    _ words: String..., on other: String? = nil
  ) throws -> (code: Int32, output: String) {
    try Child.run(
      [Child.built("migrate")] + words
        + ["--migrations", path, "--database", other ?? uri])
  }

  func rows(_ sql: String) throws -> [String] {
    try session.rows(sql).map { $0.map(\.plain).joined(separator: "|") }
  }
}

extension Migrator.Value {
  fileprivate var plain: String {
    switch self {
    case .null: ""
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text
    default: "\(self)"
    }
  }
}

func withServer(_ files: [String: String], _ body: (Server) throws -> Void) throws {
  try withDatabase { uri in try body(Server(uri, files)) }
}
