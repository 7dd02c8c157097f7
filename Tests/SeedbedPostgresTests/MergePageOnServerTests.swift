import Foundation
import Seedbed
import SeedbedPostgres
import TestSupport
import Testing

/// `Documentation/MergeInSQL.md`, for PostgreSQL.
@Suite(.enabled(if: Cluster.isInstalled)) struct MergePageOnServerTests {
  @Test func `the page shows each statement of the merge, and the plan between the steps`() throws {
    let cluster = try #require(Cluster.shared)
    try withServer(MergePage.serverFiles) { server in
      _ = try server.migrator().up(to: 1)
      for sql in MergePage.user { try server.session.executeAll(sql) }
      let heard = Locked<[String]>([])
      let proxy = try Proxy(before: cluster.folder) { _, message in
        if let sql = message.statement { heard.withLock { $0.append(sql) } }
        return .pass
      }
      let page = MergePage()
      let session = Locked<(any DatabaseSession)?>(nil)
      let failures = Locked<[String]>([])
      nonisolated(unsafe) let shown = page
      var options = Migrator.Options()
      options.takesBackup = false
      var migrator = Migrator(
        catalog: try Catalog(directory: server.path).forPostgreSQL(),
        on: Observed(
          server: PostgresServer(proxy.uri(server.uri), ledger: "seedbed"),
          onOpen: { opened in session.withLock { $0 = opened } }),
        options: options)
      migrator.host.reaching = { moment in
        guard let step = MergePage.steps[moment] else { return heard.withLock { $0 = [] } }
        do {
          heard.withLock { $0 }.filter(Self.isOfMerge).map(Self.query).forEach(shown.add)
          guard let session = session.withLock({ $0 }) else { return }
          let names = moment == .rowsWritten ? ["words", "senses"] : try session.plans()
          shown.end(step, try names.map { try session.table($0) })
        } catch {
          failures.withLock { $0.append("\(step): \(error)") }
        }
        heard.withLock { $0 = [] }
      }
      _ = try migrator.up()
      #expect(failures.withLock { $0 } == [])
      // A merge that begins again has steps twice, which the page could not show in order.
      #expect(page.titles.count == MergePage.steps.count)
      let (made, found) = try page.compared(on: "postgresql")
      #expect(
        made == found, "Print it again: SEEDBED_WRITE_PAGES=1 Scripts/test --filter MergePage")
    }
  }

  /// Whether a statement is the merge's own: no query of PostgreSQL's tables, no claim that only a
  /// debug build checks, and no fetching of a query's rows.
  private static func isOfMerge(_ sql: String) -> Bool {
    ![
      "/* claim */", "pg_catalog", "pg_class", "pg_constraint", "pg_sequence", "FETCH ", "CLOSE ",
      "DEALLOCATE ",
    ].contains { sql.contains($0) }
  }

  /// The query alone; the names of cursors are drawn.
  private static func query(_ sql: String) -> String {
    sql.replacing(#/^DECLARE .* CURSOR FOR /#, with: "")
  }

  /// A server whose sessions a test can ask, too.
  private struct Observed: DatabaseKind {
    var server: PostgresServer
    let onOpen: @Sendable (any DatabaseSession) -> Void

    var dialect: any Dialect { server.dialect }
    var name: String { server.name }
    var path: String { server.path }
    var size: Int64? { server.size }
    var exists: Bool { server.exists }
    var setup: ConnectionSetup? {
      get { server.setup }
      set { server.setup = newValue }
    }
    func refuseMissing() throws { try server.refuseMissing() }
    func refuseBadPlace() throws { try server.refuseBadPlace() }
    func open(
      _ options: Migrator.Options, _ cancellation: Migrator.Cancellation?
    ) throws -> any DatabaseSession {
      let session = try server.open(options, cancellation)
      onOpen(session)
      return session
    }
    func openAgain(_ options: Migrator.Options) throws -> any DatabaseSession {
      try server.openAgain(options)
    }
    func nowhere() throws -> any DatabaseSession { try server.nowhere() }
    func empty(
      _ options: Migrator.Options, _ cancellation: Migrator.Cancellation?
    ) throws -> EmptyDatabase { try server.empty(options, cancellation) }
    func reading<Result>(
      _ options: Migrator.Options, _ cancellation: Migrator.Cancellation?,
      _ body: (any DatabaseSession) throws -> Result
    ) throws -> Result { try server.reading(options, cancellation, body) }
    func head(
      of ledger: Ledger, _ options: Migrator.Options, _ cancellation: Migrator.Cancellation?
    ) throws -> (version: Version, chain: String)? {
      try server.head(of: ledger, options, cancellation)
    }
    func needs(of tables: [String], _ options: Migrator.Options) throws -> [EngineNeed] {
      try server.needs(of: tables, options)
    }
    func needsBackup(
      _ ledger: Ledger, of tables: @autoclosure () throws -> [String],
      on session: any DatabaseSession
    ) throws -> Bool {
      try server.needsBackup(ledger, of: tables(), on: session)
    }
    func backUp(
      _ options: Migrator.Options, _ host: Seedbed.Host, _ ledger: Ledger,
      on session: any DatabaseSession, _ cancellation: Migrator.Cancellation?,
      _ onProgress: () -> Void
    ) throws -> Migrator.Backup {
      try server.backUp(options, host, ledger, on: session, cancellation, onProgress)
    }
  }
}

extension Proxy.Message {
  /// The SQL that it has the server parse.
  fileprivate var statement: String? {
    guard !isFromServer, kind == UInt8(ascii: "P") || kind == UInt8(ascii: "Q") else { return nil }
    let texts = bytes.dropFirst(5).split(separator: 0, omittingEmptySubsequences: false)
    let index = kind == UInt8(ascii: "P") ? 1 : 0
    return index < texts.count
      ? String(decoding: texts[texts.startIndex + index], as: UTF8.self) : nil
  }
}

extension DatabaseSession {
  /// The names of the plan's tables.
  fileprivate func plans() throws -> [String] {
    try rows(
      """
      SELECT relname FROM pg_catalog.pg_class
      WHERE relkind = 'r' AND relname LIKE 'seedbed:plan:%' ORDER BY relname
      """
    ).compactMap { $0[0].text }
  }

  fileprivate func table(
    _ name: String
  ) throws -> (name: String, columns: [String], rows: [[String]]) {
    let columns = try rows(
      """
      SELECT attname FROM pg_catalog.pg_attribute
      WHERE attrelid = '\"\(name)\"'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum
      """
    ).compactMap { $0[0].text }
    let list = columns.map { #"coalesce("\#($0)"::text, 'NULL')"# }.joined(separator: ", ")
    let found = try rows("SELECT \(list) FROM \"\(name)\" ORDER BY \"\(columns[0])\"")
    return (name, columns, found.map { $0.map { $0.text ?? "" } })
  }
}
