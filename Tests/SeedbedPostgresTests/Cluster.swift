import Foundation
import Seedbed
import SeedbedPostgres
import TestSupport
import Testing

/// A PostgreSQL server of the tests' own, which lives as long as their process does.
final class Cluster: Sendable {
  /// nil if there is none on this machine.
  static let shared: Cluster? = {
    guard let programs else { return nil }
    do {
      let cluster = try Cluster(programs)
      ending.withLock { $0 = cluster }
      atexit { Cluster.ending.withLock { $0 }?.stop() }
      return cluster
    } catch {
      Issue.record("The server does not start: \(error)")
      return nil
    }
  }()

  private static let ending = Locked<Cluster?>(nil)

  /// The newest initdb and postgres.
  static let programs: String? = {
    let home = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: home)) ?? []
    return versions.compactMap(Int.init).sorted().last.map { "\(home)/\($0)/bin" }
  }()

  static var isInstalled: Bool { programs != nil }

  struct Trouble: Error { let words: String }

  /// Short, since the path of a socket has at most 107 bytes.
  let folder: String
  private let programs: String
  /// The server ends when this process no longer has it open, however it ends.
  private let alive: Int32
  private let keeper: Locked<Child?>
  private let lastNumber = Locked(0)

  /// - Parameter isStandby: of a primary that is not there.
  init(
    _ programs: String, settings: [String] = ["fsync=off"], isStandby: Bool = false
  ) throws {
    self.programs = programs
    var template = Array("/tmp/seedbed-pg-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Trouble(words: "no folder in /tmp") }
    folder = String(cString: made)
    let pipe = "\(folder)/alive"
    guard mkfifo(pipe, 0o600) == 0 else { throw Trouble(words: "no pipe in \(folder)") }
    // Opened for both, so that it does not wait for a reader.
    alive = open(pipe, O_RDWR | O_CLOEXEC)
    let options = (settings + ["listen_addresses=", "unix_socket_directories=\(folder)"])
      .flatMap { ["-c", $0] }
    keeper = Locked(
      try Child(
        ["/bin/sh", "-c", Self.script, folder, programs, isStandby ? "yes" : "no"] + options,
        input: pipe,
        output: .file("\(folder)/log"), errors: .file("\(folder)/log")))
    try waitUntilReady()
  }

  /// Starts the server, waits until nobody holds the pipe open any more, and removes everything.
  /// PostgreSQL refuses to run as root.
  private static let script = """
    folder=$0 programs=$1 isStandby=$2
    shift 2
    as() {
      if [ "$(id -u)" != 0 ]; then "$@"; else
        setpriv --reuid postgres --regid postgres --clear-groups "$@"
      fi
    }
    [ "$(id -u)" != 0 ] || chown postgres "$folder"
    cd "$folder"
    as "$programs/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale C.UTF-8 -N &&
      if [ $isStandby = yes ]; then as touch "$folder/data/standby.signal"; fi &&
      as "$programs/postgres" -D "$folder/data" "$@" </dev/null &
    read -r _
    kill -INT "$(head -n 1 "$folder/data/postmaster.pid")"
    wait
    rm -rf "$folder"
    """

  private func waitUntilReady() throws {
    for _ in 0..<600 {
      if (try? PostgresSession(uri("postgres"))) != nil { return }
      usleep(100_000)
    }
    let log = try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)
    stop()
    throw Trouble(words: log ?? "no log")
  }

  func stop() {
    close(alive)
    keeper.withLock { child in
      _ = child?.wait()
      child = nil
    }
  }

  func uri(_ database: String, _ more: String = "") -> String {
    "postgresql:///\(database)?host=\(folder)&user=postgres\(more)"
  }

  /// The URI of a database that nobody has used yet; a copy of another, if that is given.
  func newDatabase(from template: String = "template1") throws -> String {
    let name = lastNumber.withLock { number in
      number += 1
      return "test_\(number)"
    }
    let sql = "CREATE DATABASE \(name) TEMPLATE \(Self.name(of: template))"
    try PostgresSession(uri("postgres")).execute(sql)
    return uri(name)
  }

  func drop(_ uri: String) throws {
    let sql = "DROP DATABASE \(Self.name(of: uri)) WITH (FORCE)"
    try PostgresSession(self.uri("postgres")).execute(sql)
  }

  private static func name(of uri: String) -> Substring {
    uri.trimmingPrefix("postgresql:///").prefix { $0 != "?" }
  }

  /// Runs psql or another program of PostgreSQL's on a database.
  func run(_ program: String, _ arguments: String..., input: String = "") throws -> String {
    let result = try Child.run(["\(programs)/\(program)"] + arguments, input: Array(input.utf8))
    guard result.code == 0 else { throw Trouble(words: result.output) }
    return result.output
  }
}

/// A value that several threads use.
final class Locked<Value>: @unchecked Sendable {
  // Sound: `value` is touched only while `lock` is held.
  private var value: Value
  private let lock = NSLock()

  init(_ value: sending Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&value) }
  }
}

/// Runs a test on a database of its own, which is there as long as the test is.
func withDatabase(_ body: (String) throws -> Void) throws {
  let cluster = try #require(Cluster.shared)
  let uri = try cluster.newDatabase()
  try body(uri)
}

func withSession(_ body: (PostgresSession) throws -> Void) throws {
  try withDatabase { uri in try body(PostgresSession(uri)) }
}
