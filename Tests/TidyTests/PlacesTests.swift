import Testing

@Suite struct `Things stand where a reader looks for them` {
  @Test func `only the faces of the libraries are public`() throws {
    expectNone(try Project.swiftFiles().flatMap(Places.publicCode))
  }

  @Test func `only a few folders import C`() throws {
    expectNone(try Project.swiftFiles().flatMap(Places.cModules))
  }

  @Test func `the library does without Foundation`() throws {
    expectNone(try Project.swiftFiles().flatMap(Places.foundation))
  }

  @Test func `only Place makes folders that do not last`() throws {
    expectNone(try Project.swiftFiles().flatMap(Places.temporaryFolders))
  }
}

@Suite struct `Things out of place are found` {
  struct Case: CustomTestStringConvertible {
    let path: String
    let text: String
    /// The lines where something is found.
    let lines: [Int?]

    init(_ path: String, _ text: String, _ lines: Int?...) {
      self.path = path
      self.text = text
      self.lines = lines
    }

    var testDescription: String { "\(path): \(text)" }
    var file: SourceFile { SourceFile(path: path, text: text) }
  }

  static let publicCases = [
    Case("Sources/Seedbed/Model/A.swift", "public struct A {}"),
    Case("Sources/Seedbed/Migrator/Migrator+Running.swift", "public func f() {}"),
    Case("Sources/Seedbed/Beside/Suggestion.swift", "public struct Suggestion {}"),
    Case("Sources/Seedbed/Catalog/Catalog.swift", "public func f() {}"),
    Case("Sources/Seedbed/System/Cancellation.swift", "public func f() {}", 1),
    Case("Sources/MigrateCommand/MigrateCommand.swift", "public func f() {}"),
    Case("Tests/A.swift", "public func f() {}"),
    Case("Sources/SeedbedAuthoring/Make/Release.swift", "public struct Release {}", 1),
    Case("Sources/Seedbed/Catalog/Lock/Lock.swift", "\npublic func f() {}", 2),
    Case("Sources/Seedbed/System/File.swift", "public import Glibc", 1),
    Case(
      "Sources/MigrateCommand/Database/UpCommand.swift", "open class A { open func f() {} }", 1, 1),
    Case("Sources/Seedbed/System/File.swift", "let a = open(path, 0) // public \"public\""),
  ]

  @Test(arguments: publicCases) func `what is public`(_ c: Case) {
    #expect(Places.publicCode(c.file).map(\.line) == c.lines)
  }

  static let cCases = [
    Case("Sources/Seedbed/SQLite/A.swift", "import CSeedbedSQLite"),
    Case("Sources/Seedbed/Stream/A.swift", "import CSeedbedZlib"),
    Case("Sources/Seedbed/Backup/A.swift", "import CSeedbedSQLite"),
    Case("Sources/SeedbedAuthoring/Stream/A.swift", "import CSeedbedZlib"),
    Case("Sources/SeedbedAuthoring/A.swift", "import CSeedbedZlib", 1),
    Case("Sources/SeedbedFaults/Disk/A.swift", "import CSeedbedSQLite"),
    Case("Sources/SeedbedPostgres/A.swift", "import CSeedbedPostgres"),
    Case("Sources/Seedbed/SQLite/A.swift", "import CSeedbedPostgres"),
    Case("Sources/MigrateCommand/A.swift", "import CSeedbedPostgres", 1),
    Case("Sources/Seedbed/System/A.swift", "import CSeedbedCrypto"),
    Case("Sources/FieldGuide/Database.swift", "import CSeedbedSQLite"),
    Case("Sources/SeedbedExtension/A.swift", "import CSeedbedSQLite"),
    Case("Sources/FieldGuide/StartUp.swift", "import CSeedbedSQLite", 1),
    Case("Tests/A.swift", "import CSeedbedSQLite"),
    Case("Sources/Seedbed/Merge/A.swift", "import Glibc\nimport CSeedbedSQLite", 2),
    Case("Sources/Seedbed/Apply/A.swift", "@preconcurrency internal import CSeedbedZlib", 1),
    Case("Sources/MigrateCommand/A.swift", "import func CSeedbedCrypto.f", 1),
    Case("Sources/Seedbed/SQLiteToo/A.swift", "import CSeedbedSQLite", 1),
    Case("Sources/Seedbed/Merge/A.swift", "// import CSeedbedSQLite"),
    Case("Sources/Seedbed/SQLite/SystemSQLite.swift", "import CSeedbedSQLiteLink"),
    Case("Sources/Seedbed/SQLite/A.swift", "import CSeedbedSQLiteLink", 1),
    Case("Sources/MigrateCommand/A.swift", "import CSeedbedSQLiteLink", 1),
  ]

  @Test(arguments: cCases) func `imports of C`(_ c: Case) {
    #expect(Places.cModules(c.file).map(\.line) == c.lines)
  }

  static let foundationCases = [
    Case("Sources/Seedbed/Migrator/Migrator+URL.swift", "public import FoundationEssentials"),
    Case("Sources/Seedbed/Migrator/Migrator+URL.swift", "import Foundation"),
    Case("Sources/Seedbed/Migrator/Migrator.swift", "import FoundationEssentials", 1),
    Case("Sources/Seedbed/System/A.swift", "import struct Foundation.URL", 1),
    Case("Tests/A.swift", "import Foundation"),
  ]

  @Test(arguments: foundationCases) func `imports of Foundation`(_ c: Case) {
    #expect(Places.foundation(c.file).map(\.line) == c.lines)
  }

  static let folderCases = [
    Case("Tests/TestSupport/Place.swift", "let path = NSTemporaryDirectory()"),
    Case("Tests/A.swift", "\nlet path = NSTemporaryDirectory() + name", 2),
    Case("Tests/A.swift", "let url = FileManager.default.temporaryDirectory", 1),
    Case("Tests/A.swift", "guard mkdtemp(&template) != nil else { return }", 1),
    Case("Tests/A.swift", "let path = Place.temporary + \"/report.md\" // mkdtemp"),
    Case("Sources/Seedbed/System/A.swift", "mkdtemp(&template)"),
  ]

  @Test(arguments: folderCases) func `folders that do not last`(_ c: Case) {
    #expect(Places.temporaryFolders(c.file).map(\.line) == c.lines)
  }
}
