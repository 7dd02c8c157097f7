// What an app pays at each start when nothing is pending, inside its own process.
//
//     startup CATALOG DATABASE TIMES
//
// Prints the median in microseconds.
import Seedbed

struct SomethingIsPending: Error {}

let arguments = CommandLine.arguments
let clock = ContinuousClock()
var taken: [Duration] = []
for _ in 0..<(Int(arguments[3]) ?? 1) {
  taken.append(
    try clock.measure {
      let migrator = Migrator(
        catalog: try Catalog(locked: arguments[1]), at: arguments[2])
      guard try migrator.up().outcome == .upToDate else { throw SomethingIsPending() }
    })
}
let median = taken.sorted()[taken.count / 2]
print(Double(median.components.attoseconds) / 1e12)
