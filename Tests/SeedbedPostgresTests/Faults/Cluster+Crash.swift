import Foundation
import Seedbed
import SeedbedPostgres
import TestSupport
import Testing

/// What happens to servers.
extension Cluster {
  /// For servers that wait for their disk: in memory that takes no time, and what is killed leaves
  /// the same. The long form takes a real disk.
  static let quickFolder = Seeds.areMany ? "/tmp" : Place.memory

  /// The postmaster's process; nil if it does not run.
  private var postmaster: pid_t? {
    let text = try? String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8)
    guard let line = text?.prefix(while: { $0 != "\n" }), let process = pid_t(line) else {
      return nil
    }
    return kill(process, 0) == 0 ? process : nil
  }

  /// `kill -9`; those that work for it end as soon as they notice.
  func crash() {
    if let postmaster { kill(postmaster, SIGKILL) }
  }

  /// Starts it again after it crashed.
  func start() throws {
    let words = options.map { $0 == "-c" ? $0 : "'\($0)'" }.joined(separator: " ")
    var result: (code: Int32, output: String) = (0, "")
    // Until the last of those that worked for the one before are gone.
    for _ in 0..<600 {
      result = try control("start", "-w", "-l", "\(folder)/log.again", "-o", words)
      if result.code == 0 { return try waitUntilReady() }
      usleep(50_000)
    }
    throw Trouble(words: result.output)
  }

  /// Makes a standby a primary.
  func promote() throws {
    let result = try control("promote", "-w")
    guard result.code == 0 else { throw Trouble(words: result.output) }
  }

  /// Waits until a standby has what its primary has.
  func waitFor(_ primary: Cluster) throws {
    let here = try PostgresSession(uri("postgres"))
    let there = try PostgresSession(primary.uri("postgres"))
    let place = try #require(there.value("SELECT pg_current_wal_flush_lsn()::text")?.text)
    for _ in 0..<1000 {
      if try here.value("SELECT (pg_last_wal_replay_lsn() >= '\(place)')::int") == 1 { return }
      usleep(10_000)
    }
    throw Trouble(words: "The standby does not come as far as \(place).")
  }

  /// A standby gets nothing more from its primary.
  func leave() throws {
    let session = try PostgresSession(uri("postgres"))
    try session.execute("ALTER SYSTEM SET primary_conninfo = ''")
    try session.execute("SELECT pg_reload_conf()")
    for _ in 0..<1000 {
      if try session.value("SELECT count(*) FROM pg_stat_wal_receiver") == 0 { return }
      usleep(10_000)
    }
    throw Trouble(words: "The standby still listens to its primary.")
  }

  /// The URI of the same database on this server.
  func uri(insteadOf other: Cluster, _ uri: String) -> String {
    uri.replacingOccurrences(of: other.folder, with: folder)
  }

  private func control(_ words: String...) throws -> (code: Int32, output: String) {
    // It refuses to run as root.
    let user =
      getuid() == 0
      ? ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"] : []
    return try Child.run(user + ["\(programs)/pg_ctl", "-D", "\(folder)/data"] + words, in: "/")
  }
}
