import Foundation
import Testing
import TestSupport

@Suite(.enabled(if: !Apple.isHere)) struct `The code for Apple's systems` {
  /// Each after those that it imports.
  static let modules = [
    "SeedbedCells", "Seedbed", "SeedbedOverTheAir", "SeedbedLines", "SeedbedAuthoring",
    "SeedbedFaults", "SeedbedChecks", "SeedbedOptions", "MigrateCommand",
  ]

  @Test func `compiles against stubs, and uses nothing newer than the platforms`() throws {
    let files = try Project.swiftFiles()
    let place = try Place()
    let apple = try Apple(in: place)
    for module in Self.modules {
      let checked = try apple.check(
        module, files.filter { $0.path.hasPrefix("Sources/\(module)/") })
      try #require(checked.status == 0, "\(checked.output)")
    }
    for use in try apple.usesOfNewerThings() {
      Issue.record("\(use) Do without, or say with #available from when on it is there.")
    }
    try checkOtherSystems(files, in: place)
  }

  /// Few lines depend on the system: a module is compiled once for each text that it has.
  private func checkOtherSystems(_ files: [SourceFile], in place: Place) throws {
    var known: Set<[String]> = []
    for system in Apple.System.allCases {
      let apple = try Apple(in: place, system)
      for module in Self.modules {
        let own = files.filter { $0.path.hasPrefix("Sources/\(module)/") }
        let isNew = known.insert(own.map { apple.replacingConditions(in: $0.text) }).inserted
        guard isNew, system != .phone else { continue }
        let checked = try apple.check(module, own)
        #expect(checked.status == 0, "\(system): \(checked.output)")
      }
    }
  }

  @Test func `no function of SQLite is newer than the oldest iPhone's, or missing there`() throws {
    let files = try Project.files(in: "Sources") { path in
      (path.hasSuffix(".swift") || path.hasSuffix(".h"))
        && (Self.modules + ["CSeedbedSQLite", "FieldGuide"]).contains {
          path.hasPrefix("Sources/\($0)/")
        }
    }.map { SourceFile(path: $0, text: try Project.text($0)) }
    expectNone(files.flatMap { SQLiteCalls.unknown(in: $0) })
    for (text, count) in [
      ("sqlite3_auto_extension(f)", 1), ("sqlite3_setlk_timeout(h, 1, 0)", 1),
      ("sqlite3_step(s)", 0), ("\"sqlite3_auto_extension(\"", 0),
    ] {
      #expect(SQLiteCalls.unknown(in: SourceFile(path: "A.swift", text: text)).count == count)
    }
  }

  @Test func `the plugins compile with Xcode's project module`() throws {
    let files = try Project.swiftFiles()
    let place = try Place()
    let apple = try Apple(in: place)
    for plugin in ["SeedbedCatalog", "SeedbedCommand"] {
      let checked = try apple.check(
        plugin, files.filter { $0.path.hasPrefix("Plugins/\(plugin)/") })
      #expect(checked.status == 0, "\(checked.output)")
    }
  }

  static let slips = [
    "#if canImport(Darwin)\nimport Darwin\nlet a = fchmod(1)\n#endif",
    "#if canImport(Darwin)\nimport Darwin\nlet a: Int64 = stat().st_mode\n#endif",
    "import Darwin\n#if os(iOS) && !targetEnvironment(simulator)\nlet a = F_SETCLASS\n#endif",
    "#if os(Linux)\n#else\nlet a: Int = \"\"\n#endif",
    "func a() { let b: Int\n_ = b }",
    "#if canImport(CryptoKit)\nimport CryptoKit\nlet a = SHA256().finish()\n#endif",
    "#if canImport(XcodeProjectPlugin)\nimport XcodeProjectPlugin\nlet a: XcodeRun? = nil\n#endif",
  ]

  @Test func `a slip in it is found`() throws {
    let place = try Place()
    let apple = try Apple(in: place)
    for (number, slip) in Self.slips.enumerated() {
      let checked = try apple.check("Slip\(number)", [SourceFile(path: "A.swift", text: slip)])
      #expect(checked.status != 0, "\(slip)")
      #expect(checked.output.contains("error:"))
    }
    let text = "func a(_ b: [UInt8]) -> String? { String(validating: b, as: UTF8.self) }"
    _ = try apple.check("Newer", [SourceFile(path: "A.swift", text: text)])
    let uses = try apple.usesOfNewerThings()
    #expect(uses == ["A.swift uses String.init(validating:as:), iOS 18."], "\(uses)")
  }
}
