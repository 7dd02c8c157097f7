import Foundation
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

struct AtomicFileTests {
  private func names(_ fixture: CatalogFixture) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: fixture.path).sorted()
  }

  @Test func `a file is written, and replaced`() throws {
    let fixture = try CatalogFixture()
    try AtomicFile.write([1, 2], to: "file", in: fixture.path)
    #expect(try fixture.bytes("file") == [1, 2])
    try AtomicFile.write([3], to: "file", in: fixture.path)
    #expect(try fixture.bytes("file") == [3])
    #expect(try names(fixture) == ["file"])
  }

  @Test func `a link and a folder are not replaced`() throws {
    let fixture = try CatalogFixture(["real": "old", "folder/x": "x"])
    try FileManager.default.createSymbolicLink(
      atPath: fixture.path + "/link", withDestinationPath: "real")
    for (name, words) in [("link", "is not a regular file"), ("folder", "is a folder. ")] {
      let error = #expect(throws: SeedbedError.self) {
        try AtomicFile.write([3], to: name, in: fixture.path)
      }
      #expect(error?.message.contains(words) == true)
    }
    #expect(try fixture.bytes("real") == Array("old".utf8))
    #expect(try names(fixture) == ["folder", "link", "real"])
  }

  @Test func `what a killed process left behind is in nobody's way`() throws {
    let fixture = try CatalogFixture([".file.\(getpid()).partial": "half"])
    try AtomicFile.write([3], to: "file", in: fixture.path)
    #expect(try fixture.bytes("file") == [3])
    #expect(try names(fixture) == ["file"])
  }

  @Test(arguments: [SystemCall.create, .sync, .link])
  func `where a step fails the old file stays and nothing is left`(_ call: SystemCall) throws {
    let fixture = try CatalogFixture(["file": "old"])
    let host = Host(failing: { found, _ in found == call ? ENOSPC : 0 })
    let error = #expect(throws: SeedbedError.self) {
      try AtomicFile.write([3], to: "file", in: fixture.path, host: host)
    }
    #expect(error?.code == .diskFull)
    #expect(try fixture.bytes("file") == Array("old".utf8))
    #expect(try names(fixture) == ["file"])
  }
}
