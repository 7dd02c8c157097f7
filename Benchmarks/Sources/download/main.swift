// Starts of an app that takes downloads, in its own process.
//
//     download CATALOG DATABASE KEY TIMES [BUNDLE…]
//
// CATALOG is what the app ships, KEY the public key that it trusts. Prints the median of the
// seconds from `newest` to the end of `up`.
import Seedbed
import SeedbedOverTheAir

struct PassedOver: Error { let downloads: [Migrator.PassedOver] }

let arguments = CommandLine.arguments
let downloads = Array(arguments.dropFirst(5))
let clock = ContinuousClock()
var taken: [Duration] = []
for _ in 0..<(Int(arguments[4]) ?? 1) {
  taken.append(
    try clock.measure {
      let catalog = try Catalog.newest(
        bundled: arguments[1], downloaded: downloads, signedBy: [arguments[3]])
      let report = try Migrator(catalog: catalog, at: arguments[2]).up()
      // A run that went another way than asked must not be counted.
      guard report.passedOver.isEmpty else { throw PassedOver(downloads: report.passedOver) }
    })
}
let (seconds, attoseconds) = taken.sorted()[taken.count / 2].components
print(Double(seconds) + Double(attoseconds) / 1e18)
