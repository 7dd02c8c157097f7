// What an app at work notices of a run in its own process.
//
//     busy CATALOG DATABASE LAST READERS TIMEOUT
//
// READERS threads read from `moves` and one writes notes, each with a connection of its own, for
// two seconds before `up`, while it runs, and for two seconds after it. LAST is the highest key of
// the release, TIMEOUT the seconds that the writer waits for a lock; the readers wait for none.
//
// Prints a line for each read and write, `read during 0.21` in milliseconds, and what else counts.
import Foundation
import Seedbed

let arguments = CommandLine.arguments
let (catalog, database) = (arguments[1], arguments[2])
let (last, readers) = (Int64(arguments[3]) ?? 1, Int(arguments[4]) ?? 8)
let timeoutMs = Int32((Double(arguments[5]) ?? 5) * 1000)

// The first connection of a process and the last one hold others up for a moment: an app keeps one.
let kept = try Connection(database, timeoutMs: timeoutMs)
try kept.run("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)")

let diary = Diary()
let threads =
  (0..<readers).map { number in
    worker { try diary.reading(database, last: last, number) }
  } + [worker { try diary.writing(database, timeoutMs: timeoutMs) }]

try await Task.sleep(for: .seconds(2))
let migrator = Migrator(catalog: try Catalog(locked: catalog), at: database)
let started = ContinuousClock.now
// In a task, as apps do; at the top level of a program Swift takes the `up` that blocks.
let report = try await Task { try await migrator.up() }.value
let ended = ContinuousClock.now
let wal = try FileManager.default.attributesOfItem(atPath: database + "-wal")[.size]
try await Task.sleep(for: .seconds(2))
diary.close()
for thread in threads { thread.wait() }

for entry in diary.entries {
  let phase = entry.end < started ? "before" : entry.start > ended ? "after" : "during"
  print(entry.kind, phase, (entry.end - entry.start).milliseconds)
}
let notes = try kept.run("SELECT count(*) FROM notes").first?.first ?? 0
print("run", Int((ended - started).milliseconds))
print("held", report.migrations.map { Int($0.duration.milliseconds) }.max() ?? 0)
print("wal", wal ?? 0)
print("missing", diary.written - notes)
for (name, count) in diary.problems { print(name, count) }

func worker(_ body: @escaping @Sendable () throws -> Void) -> DispatchSemaphore {
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    do {
      try body()
    } catch {
      FileHandle.standardError.write(Data("busy: \(error)\n".utf8))
      exit(1)
    }
    done.signal()
  }
  return done
}
