import Foundation
import Seedbed
import Testing
import TestSupport

/// What `Scripts/checks/fuzz` mutates. Where all first inputs are refused, nothing else is met.
@Suite struct FuzzTargetTests {
  @Test func `each target takes one of its first inputs, and none is more than refused`() throws {
    let place = try Place(in: Place.memory)
    FuzzInput.folder = place.path
    try FuzzSeeds.write(to: FuzzInput.folder)
    #expect(FuzzTargets.byName.count == 7)
    for (name, target) in FuzzTargets.byName {
      let folder = place.path + "/seeds/" + name
      var taken = 0
      for input in try FileManager.default.contentsOfDirectory(atPath: folder) {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + input)))
        do {
          try target(FuzzInput(bytes: bytes))
          taken += 1
        } catch is SeedbedError {}
      }
      #expect(taken > 0, "\(name)")
    }
  }
}
