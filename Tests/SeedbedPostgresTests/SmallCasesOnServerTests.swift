import Foundation
import TestSupport
import Testing

@testable import MergeModelTests

/// The small cases on a server: a few of each variant by day, and a tenth of all by
/// `Scripts/checks/cases --postgresql`.
@Suite(.enabled(if: Cluster.isInstalled)) struct `Every small case on a server` {
  @Test func `is merged as the model says, and by three laws`() throws {
    let cluster = try #require(Cluster.shared)
    let environment = ProcessInfo.processInfo.environment
    let variants = try `Every small case`.variants(environment["SEEDBED_VARIANTS"])
    let chunks: [SmallCases]
    if let range = environment["SEEDBED_CASES"] {
      let bases = try #require(
        `Every small case`.range(range), "SEEDBED_CASES is FIRST-LAST, within 0-99.")
      // Of each state of release 1 another tenth.
      chunks = variants.flatMap { variant in
        bases.map { SmallCases(variant, base: $0, mine: $0 % 10 * 10..<$0 % 10 * 10 + 10) }
      }
    } else {
      chunks = `Every small case`.drawn(variants, 1)
    }
    let uri = try cluster.newDatabase()
    let start = Date()
    var played = 0
    for chunk in chunks {
      played += try chunk.play(on: PostgresTwin(uri, areDeferrable: true))
    }
    #expect(played > 0)
    print("\(played) small cases on a server in \(Date().timeIntervalSince(start)) s")
  }
}
