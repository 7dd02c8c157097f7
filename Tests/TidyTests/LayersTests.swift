import Foundation
import Testing
import TestSupport

/// `Scripts/checks/check-layers` on small libraries that it must refuse.
@Suite struct `Layers are checked` {
  @Test func `a library whose folders look down only passes`() throws {
    let checked = try check([
      "Model/A.swift": "struct A {}", "System/B.swift": "import Glibc\nlet b = A()",
      "Merge/Rekey/C.swift": "let c = b", "Merge/D.swift": "let d = c",
      "Apply/E.swift": "let e = d", "Migrator/Migrator.swift": "struct Migrator { let f = e }",
      "Beside/G.swift": "extension Migrator { var g: Int { 1 } }",
      // The rooms of a layer may use each other.
      "Apply/Run/Run.swift": "struct Run { let scratch: Scratch }",
      "Apply/Scratch/Scratch.swift": "struct Scratch { var run: Run { Run(scratch: self) } }",
    ])
    #expect(checked.output == "")
    #expect(checked.status == 0)
  }

  @Test func `what is no code needs no layer`() throws {
    let checked = try check(["Model/A.swift": "struct A {}", "PrivacyInfo.xcprivacy": ""])
    #expect(checked.output == "")
    #expect(checked.status == 0)
  }

  @Test func `a file that reaches upward is refused`() throws {
    let checked = try check([
      "Model/A.swift": "struct A {}", "Stream/B.swift": "let b: Entry? = nil",
      "Ledger/C.swift": "struct Entry {}",
    ])
    #expect(checked.status == 1)
    #expect(checked.output.contains("Sources/Seedbed/Stream/B.swift:1:8: error: cannot find"))
    #expect(
      checked.output.hasSuffix(
        "check-layers: 'Sources/Seedbed/Stream' does not compile with the layers before it "
          + "(Model). If it uses a later folder, move the code that does so to that folder, "
          + "or move what it uses down.\n"))
  }

  /// What an app calls at its start must not need what compares a database with the catalog.
  @Test func `the road of up knows nothing of what stands beside it`() throws {
    let checked = try check([
      "Model/A.swift": "extension Migrator { struct A {} }",
      "Migrator/Migrator.swift": "struct Migrator { func up() { settle() } }",
      "Beside/B.swift": "extension Migrator { func settle() {} }",
    ])
    #expect(checked.status == 1)
    #expect(checked.output.contains("Sources/Seedbed/Migrator/Migrator.swift:1:31: error: cannot"))
    #expect(checked.output.contains("'Sources/Seedbed/Migrator' does not compile"))
  }

  @Test func `an import in Model is refused`() throws {
    let checked = try check(["Model/A.swift": "internal import Foundation"])
    #expect(checked.status == 1)
    #expect(checked.output.contains("Model/A.swift:1:internal import Foundation\n"))
    #expect(checked.output.contains("'Sources/Seedbed/Model' imports a module."))
  }

  @Test(arguments: ["Tools/A.swift", "Tool.swift", "Merge/Tools/A.swift"])
  func `what is in no layer is refused`(path: String) throws {
    let checked = try check([path: "struct A {}"])
    let entry = path.hasSuffix("/A.swift") ? String(path.dropLast(8)) : path
    #expect(checked.status == 1)
    #expect(checked.output.hasPrefix("check-layers: 'Sources/Seedbed/\(entry)' is in no layer."))
  }

  /// Runs the real script on files of a library that it finds beside itself.
  private func check(_ files: [String: String]) throws -> Shell {
    let place = try Place()
    for (path, text) in files { try place.write("Sources/Seedbed/\(path)", text) }
    for name in ["Package.swift", "Scripts/checks/check-layers"] {
      try place.write(name, Project.text(name))
    }
    try place.write("Sources/SeedbedCells/Cell.swift", "")
    return try Shell.run("sh", "Scripts/checks/check-layers", in: place.url)
  }
}
