import Foundation
import TestSupport
import Testing

/// The programs that `Scripts/checks/test-hosts` runs are those that a reader copies from the page.
@Suite struct `The programs of other languages` {
  static let page = "Documentation/FromAnyLanguage.md"
  static let folder = "Tests/Hosts"

  /// Those in `Main` play them and go on after them, and no page shows them.
  static let programs = Project.files(in: folder) { path in
    !path.dropFirst(folder.count + 1).contains("/") && isFile(path)
  }

  /// On the page, each differs from another program in its first line alone.
  static let described = ["python-pysqlite3.py": "pysqlite3", "python-sqlean.py": "sqlean"]

  @Test func `are there`() {
    #expect(Self.programs.count >= 15)
  }

  @Test(arguments: programs) func `have at most fifteen lines`(program: String) throws {
    let lines = SourceFile(path: program, text: try Project.text(program)).lines.dropLast()
    #expect(lines.count <= 15, "\(program) has \(lines.count) lines: make it shorter.")
    #expect(lines.allSatisfy { $0.count <= Lengths.columns }, "\(program) has a longer line.")
  }

  @Test(arguments: programs) func `are printed on the page`(program: String) throws {
    let page = try Project.text(Self.page)
    let text = try Project.text(program)
    let name = String(program.dropFirst(Self.folder.count + 1))
    if let module = Self.described[name] {
      let first = "import \(module) as sqlite3\n"
      #expect(text.hasPrefix(first) && page.contains("`\(first.dropLast())`"))
      let same = try Project.text(Self.folder + "/python.py")
      #expect(text.dropFirst(first.count) == same.dropFirst("import sqlite3\n".count))
    } else {
      #expect(
        Self.blocks(of: page).contains(text),
        "Print \(program) in \(Self.page) as it is, or remove it.")
    }
  }

  @Test func `are found when they are not printed as they are`() {
    let page = "a\n```python\nb\nc\n```\nd\n```\ne\n```\n"
    #expect(Self.blocks(of: page) == ["b\nc\n", "e\n"])
  }

  @Test func `are played by the script`() throws {
    let script = try ["Scripts/checks/test-hosts", Self.folder + "/Main/hosts.py"].map(Project.text)
      .joined()
    for program in Self.programs {
      let name = program.dropFirst(Self.folder.count + 1)
      #expect(script.contains("\"\(name)\""), "Scripts/checks/test-hosts does not run \(program).")
    }
  }

  /// The fenced blocks of a page, whatever their language.
  private static func blocks(of page: String) -> [String] {
    page.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map { _, part in
      String(part.drop { $0 != "\n" }.dropFirst())
    }
  }

  private static func isFile(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(
      atPath: Project.root.appending(path: path).path, isDirectory: &isFolder)
    return exists && !isFolder.boolValue
  }
}
