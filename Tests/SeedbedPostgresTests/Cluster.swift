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

  /// The folder of initdb and postgres: `SEEDBED_SERVER`, or Debian's newest.
  static let programs: String? = {
    if let folder = ProcessInfo.processInfo.environment["SEEDBED_SERVER"] { return folder }
    let home = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: home)) ?? []
    return versions.compactMap(Int.init).sorted().last.map { "\(home)/\($0)/bin" }
  }()

  static var isInstalled: Bool { programs != nil }

  struct Trouble: Error { let words: String }

  private let place: Place
  let programs: String
  /// What the server is started with.
  let options: [String]
  /// The server ends when this process no longer has it open, however it ends.
  private let alive: Int32
  private let keeper: Locked<Child?>
  private static let lastNumber = Locked(0)

  /// - Parameters:
  ///   - root: one with a short path, since that of a socket has at most 107 bytes.
  ///   - isStandby: of `primary`, or of one that is not there.
  ///   - smallDisk: `data` or `wal`, if that is to lie on a disk of 128 MB.
  init(
    _ programs: String, settings: [String] = ["fsync=off"], isStandby: Bool = false,
    of primary: Cluster? = nil, smallDisk: String = "", in root: String = "/tmp"
  ) throws {
    self.programs = programs
    place = try Place(in: root)
    let folder = place.path
    let pipe = "\(folder)/alive"
    guard mkfifo(pipe, 0o600) == 0 else { throw Trouble(words: "no pipe in \(folder)") }
    // Opened for both, so that it does not wait for a reader.
    alive = open(pipe, O_RDWR | O_CLOEXEC)
    options = (settings + ["listen_addresses=", "unix_socket_directories=\(folder)"])
      .flatMap { ["-c", $0] }
    let words = [folder, programs, isStandby ? "yes" : "no", primary?.folder ?? "", smallDisk]
    keeper = Locked(
      try Child(
        ["/bin/sh", "-c", Self.script] + words + options, input: pipe,
        output: .file("\(folder)/log"), errors: .file("\(folder)/log")))
    try waitUntilReady()
  }

  /// Starts the server, waits until nobody holds the pipe open any more, and removes everything.
  /// PostgreSQL refuses to run as root.
  private static let script = """
    folder=$0 programs=$1 isStandby=$2 primary=$3 smallDisk=$4
    shift 4
    as() {
      if [ "$(id -u)" != 0 ]; then "$@"; else
        setpriv --reuid postgres --regid postgres --clear-groups "$@"
      fi
    }
    copy() {
      if [ "$primary" ]; then
        as "$programs/pg_basebackup" -h "$primary" -U postgres -D "$folder/data" -R -c fast
      else
        as "$programs/initdb" -D "$folder/data" -X "$folder/wal" -U postgres -A trust -E UTF8 \
          --locale C.UTF-8 -N ${smallDisk:+--wal-segsize=1}
      fi
    }
    [ "$(id -u)" != 0 ] || chown postgres "$folder"
    cd "$folder"
    if [ "$smallDisk" ]; then
      mkdir "$smallDisk" && mount -t tmpfs -o size=128m,mode=700,uid=postgres tmpfs "$smallDisk"
    fi
    copy &&
      if [ $isStandby = yes ]; then as touch "$folder/data/standby.signal"; fi &&
      as "$programs/postgres" -D "$folder/data" "$@" </dev/null &
    read -r _
    # The one that runs may be another than the first.
    as "$programs/pg_ctl" -D "$folder/data" stop -m immediate
    wait
    cd /
    [ ! "$smallDisk" ] || umount "$folder/$smallDisk"
    rm -rf "$folder"
    """

  var folder: String { place.path }

  func waitUntilReady() throws {
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
  func newDatabase(from template: String? = nil) throws -> String {
    let name = Self.lastNumber.withLock { number in
      number += 1
      return "test_\(number)"
    }
    let source = template.map(Self.name) ?? "template1"
    try PostgresSession(uri("postgres")).execute("CREATE DATABASE \(name) TEMPLATE \(source)")
    // After a crash a copied sequence would give numbers again: the log has the number at which it
    // was copied, and not the one from which on the sequence writes to the log again.
    try PostgresSession(uri(name)).execute(
      """
      SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, last_value)
      FROM pg_sequences WHERE last_value IS NOT NULL
      """)
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
