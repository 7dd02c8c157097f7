// The first start of an app, in its own process.
//
//     first CATALOG DATABASE [FILE]
//
// Prints the seconds from opening the catalog to the end of `up`, which begins with the ready-made
// database FILE if there is one.
import Seedbed

let arguments = CommandLine.arguments
let start = ContinuousClock.now
let migrator = Migrator(
  catalog: try Catalog(locked: arguments[1]), at: arguments[2],
  beginningWith: arguments.count > 3 ? arguments[3] : nil)
let report = try migrator.up()
let (seconds, attoseconds) = (ContinuousClock.now - start).components
// A run that went another way than asked must not be counted.
guard arguments.count < 4 || report.migrations.count == 1 else { fatalError("\(report.notes)") }
print(Double(seconds) + Double(attoseconds) / 1e18)
