import Foundation

/// How many random cases a test plays: a few in each run, many at night.
package enum Seeds {
  /// Set by `Scripts/test --long`, as `SEEDBED_LONG=1`.
  package static let areMany = ProcessInfo.processInfo.environment["SEEDBED_LONG"] == "1"

  package static func first(_ few: Int, of many: Int) -> ClosedRange<Int> {
    1...(areMany ? many : few)
  }

  /// Some of the cases from 1 to `all`, others in each run; all of them at night, or with
  /// `SEEDBED_LONG=1`. A failure names its case.
  package static func drawn(_ few: Int, of all: Int) -> [Int] {
    areMany ? Array(1...all) : Array((1...all).shuffled().prefix(few)).sorted()
  }

  /// The seeds of random histories: the same each time, so that a change is what makes one fail;
  /// at night, new ones. `SEEDBED_FIRST`, which may be `random`, and
  /// `SEEDBED_HISTORIES` choose others.
  package static func histories(_ few: UInt64, of many: UInt64) -> Range<UInt64> {
    let environment = ProcessInfo.processInfo.environment
    let text = environment["SEEDBED_FIRST"] ?? (areMany ? "random" : "1")
    let first = UInt64(text) ?? .random(in: 0..<1_000_000_000)
    let count = environment["SEEDBED_HISTORIES"].flatMap { UInt64($0) }
    return first..<(first + (count ?? (areMany ? many : few)))
  }
}
