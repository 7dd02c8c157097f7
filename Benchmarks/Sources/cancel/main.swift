// How soon a run that is cancelled has let go of every lock, at random instants.
//
//     cancel CATALOG START DATABASE TIMES SEED
//
// Each run begins with a copy of START at DATABASE and is cancelled at an instant of the time that
// a whole run takes. Prints a line for each: what came of it, and seconds from the request until
// `up` returned, which it does when its connections are closed.
import Foundation
import Seedbed

struct Dice: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

let arguments = CommandLine.arguments
let (catalog, start, database) = (arguments[1], arguments[2], arguments[3])
var dice = Dice(state: UInt64(arguments[5]) ?? 1)
let clock = ContinuousClock()

func seconds(_ duration: Duration) -> Double {
  Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
}

func freshMigrator() throws -> Migrator {
  let files = FileManager.default
  for suffix in ["", "-wal", "-shm", "-journal", ".backups"]
  where files.fileExists(atPath: database + suffix) {
    try files.removeItem(atPath: database + suffix)
  }
  try files.copyItem(atPath: start, toPath: database)
  // What earlier runs wrote must not reach the disk during this one.
  sync()
  return Migrator(catalog: try Catalog(locked: catalog), at: database)
}

let first = try freshMigrator()
let whole = try await clock.measure { _ = try await first.up() }
print("whole", seconds(whole))
for _ in 0..<(Int(arguments[4]) ?? 1) {
  let migrator = try freshMigrator()
  let instant = whole * Double.random(in: 0...1, using: &dice)
  let task = Task { try await migrator.up() }
  try await clock.sleep(until: clock.now + instant, tolerance: .zero)
  let asked = clock.now
  task.cancel()
  let result = await task.result
  let taken = seconds(clock.now - asked)
  switch result {
  case .success: print("applied", taken)
  case .failure(let error):
    guard (error as? SeedbedError)?.code == .cancelled else { throw error }
    print("cancelled", taken)
  }
}
