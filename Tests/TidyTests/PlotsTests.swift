import Foundation
import Testing
import TestSupport

/// The plots are what `Scripts/plots` draws of the data beside them.
@Suite struct `The plots` {
  @Test func `are as their data says`() throws {
    let checked = try Shell.run("python3", "Scripts/plots", "--check")
    #expect(checked.status == 0 && checked.output == "", "\(checked.output)")
  }

  @Test func `a plot that is not is found`() throws {
    let copy = try Place(["Documentation/": ""])
    for folder in ["Benchmarks", "Scripts", "Documentation/Plots"] {
      try FileManager.default.copyItem(
        atPath: Project.root.path + "/" + folder, toPath: copy.path + "/" + folder)
    }
    try copy.write("Documentation/Plots/speed.svg", "<svg/>")
    let checked = try Shell.run("python3", copy.path + "/Scripts/plots", "--check")
    #expect(checked.status == 1)
    #expect(checked.output.hasPrefix("speed.svg: not as curves.json says."), "\(checked.output)")
  }
}
