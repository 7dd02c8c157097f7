import Foundation
import Testing

/// The plots are what `Scripts/plots` draws of the data beside them.
@Suite struct `The plots` {
  @Test func `are as their data says`() throws {
    let checked = try Shell.run("python3", "Scripts/plots", "--check")
    #expect(checked.status == 0 && checked.output == "", "\(checked.output)")
  }

  @Test func `a plot that is not is found`() throws {
    let copy = FileManager.default.temporaryDirectory.path + "/seedbed-plots-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: copy) }
    for folder in ["Benchmarks", "Scripts", "Documentation/Plots"] {
      try FileManager.default.createDirectory(
        atPath: copy + "/" + (folder as NSString).deletingLastPathComponent,
        withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: Project.root.path + "/" + folder, toPath: copy + "/" + folder)
    }
    let file = copy + "/Documentation/Plots/speed.svg"
    try Data("<svg/>".utf8).write(to: URL(fileURLWithPath: file))
    let checked = try Shell.run("python3", copy + "/Scripts/plots", "--check")
    #expect(checked.status == 1)
    #expect(checked.output.hasPrefix("speed.svg: not as curves.json says."), "\(checked.output)")
  }
}
