import Foundation
import Testing
import TestSupport

@testable import Seedbed
@testable import SeedbedAuthoring

struct AtomicFileTests {
  @Test func `a file is written, and replaced`() throws {
    let fixture = try Place()
    try AtomicFile.write([1, 2], to: "file", in: fixture.path)
    #expect(try fixture.bytes("file") == [1, 2])
    try AtomicFile.write([3], to: "file", in: fixture.path)
    #expect(try fixture.bytes("file") == [3])
    #expect(try fixture.names() == ["file"])
  }

  @Test func `a link and a folder are not replaced`() throws {
    let fixture = try Place(["real": "old", "folder/x": "x"])
    try fixture.link("link", to: "real")
    for (name, words) in [("link", "is not a regular file"), ("folder", "is a folder. ")] {
      let error = #expect(throws: SeedbedError.self) {
        try AtomicFile.write([3], to: name, in: fixture.path)
      }
      #expect(error?.message.contains(words) == true)
    }
    #expect(try fixture.bytes("real") == Array("old".utf8))
    #expect(try fixture.names() == ["folder", "link", "real"])
  }

  @Test func `what a killed process left behind is in nobody's way`() throws {
    let fixture = try Place([".file.\(getpid()).partial": "half"])
    try AtomicFile.write([3], to: "file", in: fixture.path)
    #expect(try fixture.bytes("file") == [3])
    #expect(try fixture.names() == ["file"])
  }

  @Test(arguments: [SystemCall.create, .sync, .link])
  func `where a step fails the old file stays and nothing is left`(_ call: SystemCall) throws {
    let fixture = try Place(["file": "old"])
    let host = Host(failing: { found, _ in found == call ? ENOSPC : 0 })
    let error = #expect(throws: SeedbedError.self) {
      try AtomicFile.write([3], to: "file", in: fixture.path, host: host)
    }
    #expect(error?.code == .diskFull)
    #expect(try fixture.bytes("file") == Array("old".utf8))
    #expect(try fixture.names() == ["file"])
  }
}
