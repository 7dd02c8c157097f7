import Testing

/// The workflow for hosted macOS, as far as it can be read elsewhere.
@Suite(.enabled(if: !Apple.isHere)) struct `The workflow for Apple's systems` {
  private static let path = ".github/workflows/apple.yml"

  @Test func `says that it never ran, and Limits has a place for its first log`() throws {
    let limits = "Sources/Seedbed/Seedbed.docc/Limits.md"
    let text = try Project.text(Self.path)
    #expect(text.hasPrefix("# Never run until somebody has: in \(limits) is the place"))
    #expect(try Project.text(limits).contains("`\(Self.path)`"))
  }

  @Test func `has steps that a shell can read`() throws {
    let steps = try steps()
    #expect(steps.count >= 8)
    for step in steps {
      // An expression of the workflow is replaced before the shell sees the text.
      #expect(!step.contains("${{"), "Give it by 'env': \(step)")
      let checked = try Shell.run("bash", "-n", "-c", step)
      #expect(checked.status == 0, "\(step)\n\(checked.output)")
    }
  }

  @Test func `names scripts, verbs, schemes and products that exist`() throws {
    let steps = try steps()
    let all = steps.joined(separator: "\n")
    let paths = Set(all.matches(of: #/(Scripts|Samples)\/[\w\/.]+/#).map { String($0.output.0) })
    let project = "\(Sample.folder)/FieldGuide.xcodeproj"
    #expect(paths == ["Scripts/apple", Sample.folder, project], "XcodeGen makes the last one.")
    #expect(paths.subtracting([project]).allSatisfy(Project.exists))
    let help = try Shell.run("python3", "Scripts/apple", "--help").output
    let verbs = all.matches(of: #/Scripts/apple (\w+)/#).map { "Scripts/apple \($0.output.1) " }
    #expect(Set(verbs).count == 3 && verbs.allSatisfy(help.contains))
    let text = try Project.text("Package.swift") + Project.text("\(Sample.folder)/project.yml")
    for name in all.matches(of: #/-scheme (\w+)/#).map(\.output.1) {
      let isThere = [".library(name: \"\(name)\"", "\nname: \(name)\n"].contains(
        where: text.contains)
      #expect(isThere, "There is no scheme \(name).")
    }
    for name in all.matches(of: #/--product (\w+)/#).map(\.output.1) {
      #expect(text.contains(".executable(name: \"\(name)\""), "There is no product \(name).")
    }
  }

  private func steps() throws -> [String] {
    let workflow = try YAML.read(Workflow.self, from: Self.path)
    return workflow.jobs.values.flatMap { $0.steps.compactMap(\.run) }
  }

  private struct Workflow: Decodable {
    var jobs: [String: Job]

    struct Job: Decodable { var steps: [Step] }
    struct Step: Decodable { var run: String? }
  }
}
