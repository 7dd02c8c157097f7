import Foundation
import Seedbed
import SeedbedPostgres
import TestSupport
import Testing

/// The server's tables, or its log, lie on a disk of 128 MB that something else fills.
@Suite(
  .serialized, .enabled(if: Cluster.isInstalled),
  .enabled(if: Cluster.canMount, "Only root can mount the small disk of these tests."))
struct `A disk that is full` {
  /// 5 MB that the server cannot compress.
  private static let large = [
    "0002_june/words.csv": "id,term,freq,topic\n"
      + (2001...2400).map { "\($0),\(noise(seed: $0)),2,1\n" }.joined()
  ]

  private static func noise(seed: Int) -> String {
    var dice = Dice(seed: UInt64(seed))
    return (0..<800).map { _ in String(dice.next(), radix: 16) }.joined()
  }

  @Test(arguments: ["data", "wal"])
  func `leaves all as it was, and a release goes through once there is room`(
    _ part: String
  ) throws {
    let cluster = try Cluster(
      try #require(Cluster.programs), settings: ["wal_recycle=off", "min_wal_size=2MB"],
      smallDisk: part, in: Cluster.quickFolder)
    defer { cluster.stop() }
    let trial = try Trial(on: cluster, adding: Self.large)
    try trial.withDatabase { uri in
      try PostgresSession(uri).execute("CHECKPOINT")
      let ballast = try cluster.fill(part, leaving: 1_500_000)
      let outcome = trial.up(uri)
      let error = #expect(throws: SeedbedError.self) { try outcome.get() }
      #expect(error?.isDatabaseUnchanged == true)
      if part == "data" {
        #expect(error?.code == .diskFull)
        #expect(
          error?.message.hasPrefix("The server's disk is full (PostgreSQL error 53100") == true)
        #expect(error?.message.hasSuffix("Free some space and try again.") == true)
        #expect(try trial.migrator(uri).status().lastRun?.outcome == .failed)
      } else {
        // Without its log the server ends all connections, and comes back once it can.
        #expect(error?.code == .io || error?.code == .diskFull, "\(outcome)")
      }
      unlink(ballast)
      if part == "wal" {
        cluster.crash()
        try cluster.start()
      }
      try trial.check(outcome, at: uri, part)
    }
  }
}

extension Cluster {
  static let canMount: Bool = {
    guard getuid() == 0, let place = try? Place() else { return false }
    let mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place.path]
    guard (try? Child.run(mount))?.code == 0 else { return false }
    _ = try? Child.run(["umount", place.path])
    return true
  }()

  /// Fills the disk of one of its folders; the file that does so.
  func fill(_ part: String, leaving rest: Int) throws -> String {
    let path = "\(folder)/\(part)/ballast"
    var disk = statvfs()
    guard statvfs("\(folder)/\(part)", &disk) == 0 else { throw Trouble(words: "no \(part)") }
    let free = Int(disk.f_bavail) * Int(disk.f_frsize)
    // `Data.write` would let a server that another test starts meanwhile inherit the file, and its
    // bytes would stay on the disk as long as that server runs.
    let ballast = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard ballast >= 0 else { throw Trouble(words: "no \(path)") }
    defer { close(ballast) }
    try FileHandle(fileDescriptor: ballast).write(contentsOf: Data(count: free - rest))
    return path
  }
}
