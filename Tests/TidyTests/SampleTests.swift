import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Bundle.main.executableURL != nil && !Apple.isHere))
struct `The sample app` {
  private static let settings = [
    // A new project of Xcode 26, and an older one.
    ["-default-isolation", "MainActor", "-enable-upcoming-feature", "MemberImportVisibility"], [],
  ]

  @Test(arguments: settings) func `compiles, with its widget and its tests`(options: [String])
    throws
  {
    let place = try Place()
    let sample = try Sample(in: place)
    for checked in [
      try sample.compile("FieldGuide", "App", "Shared", options: options),
      try sample.compile("FieldGuideTests", "Tests", options: options),
      try sample.compile("FieldGuideWidget", "Widget", "Shared", options: options),
    ] {
      #expect(checked.status == 0, "\(checked.output)")
    }
  }

  @Test func `passes its own tests`() throws {
    let place = try Place()
    let ran = try Sample(in: place).runTests()
    #expect(ran.status == 0, "\(ran.output)")
    #expect(ran.output.contains("Test run with 3 tests in 1 suite passed"), "\(ran.output)")
  }

  @Test(arguments: [
    ("AtYourAppsStart", "StartUp", "class StartUp {"),
    ("OverTheAir", "Downloads", "struct Downloads {"),
  ])
  func `has what the pages show`(page: String, file: String, start: String) throws {
    let text = try Project.text("Sources/Seedbed/Seedbed.docc/\(page).md")
    let example = try #require(Checkout.blocks(of: "swift", in: text).first { $0.contains(start) })
    let path = "\(Sample.folder)/App/\(file).swift"
    #expect(try Project.text(path) == example, "\(path) is not what \(page).md shows.")
  }

  /// What lies in Generated, XcodeGen writes.
  @Test func `is made of what exists`() throws {
    let spec = try YAML.read(Spec.self, from: "\(Sample.folder)/project.yml")
    #expect(Project.exists("\(Sample.folder)/Migrations/seedbed.lock"))
    let manifest = try Project.text("Package.swift")
    for (name, package) in spec.packages {
      let path = "\(Sample.folder)/\(package.path)/Package.swift"
      #expect(Project.exists(path), "\(name): there is no \(path).")
    }
    for target in spec.targets.values {
      for folder in target.sources {
        #expect(Project.exists("\(Sample.folder)/\(folder)"), "There is no \(folder).")
      }
      for dependency in target.dependencies {
        #expect(dependency.target.map { spec.targets[$0] != nil } != false)
        #expect(dependency.package.map { spec.packages[$0] != nil } != false)
        for product in dependency.products ?? [] {
          #expect(manifest.contains(".library(name: \"\(product)\""))
        }
      }
      for plugin in target.buildToolPlugins ?? [] {
        #expect(manifest.contains(".plugin(name: \"\(plugin.plugin)\""))
      }
      #expect(target.scheme?.testTargets.allSatisfy { spec.targets[$0] != nil } != false)
      for groups in target.entitlements?.properties.values ?? [:].values {
        let group = try #require(groups.first)
        #expect(Sample.texts.contains { $0.contains("group = \"\(group)\"") })
      }
    }
    let identifiers = spec.targets.mapValues { $0.settings.PRODUCT_BUNDLE_IDENTIFIER ?? "" }
    #expect(
      identifiers["FieldGuideWidget"]?.hasPrefix("\(identifiers["FieldGuide"] ?? "").") == true)
  }
}

/// What is looked at in the text of the project.
private struct Spec: Decodable {
  var packages: [String: Package]
  var targets: [String: Target]

  struct Package: Decodable { var path: String }
  struct Plugin: Decodable { var plugin: String }
  struct Scheme: Decodable { var testTargets: [String] }
  struct Entitlements: Decodable { var properties: [String: [String]] }
  struct Settings: Decodable { var PRODUCT_BUNDLE_IDENTIFIER: String? }

  struct Dependency: Decodable {
    var package: String?
    var products: [String]?
    var target: String?
  }

  struct Target: Decodable {
    var sources: [String]
    var buildToolPlugins: [Plugin]?
    var dependencies: [Dependency]
    var entitlements: Entitlements?
    var settings: Settings
    var scheme: Scheme?
  }
}
