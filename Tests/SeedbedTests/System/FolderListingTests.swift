import Foundation
import Testing
import TestSupport

@testable import Seedbed

struct FolderListingTests {
  @Test func `entries come in the order of their bytes, each with its kind`() throws {
    let fixture = try Place(["b": "", "a/x": "", "B": "", "é": ""])
    try fixture.link("link", to: "b")
    let entries = try Folder(fixture.path).entries()
    #expect(entries.map(\.name) == ["B", "a", "b", "link", "é"])
    #expect(entries.map(\.kind) == [.file, .folder, .file, .other, .file])
  }

  @Test func `a link to a folder is not listed`() throws {
    let fixture = try Place(["a/x": ""])
    try fixture.link("link", to: "a")
    #expect(throws: SeedbedError.self) { try Folder(fixture.path).folder("link").list() }
  }

  @Test func `the kind of one name, and of none`() throws {
    let fixture = try Place(["file": "", "folder/": ""])
    try fixture.link("link", to: "nowhere")
    let folder = try Folder(fixture.path)
    #expect(try folder.kind(of: "file") == .file)
    #expect(try folder.kind(of: "folder") == .folder)
    #expect(try folder.kind(of: "link") == .other)
    #expect(try folder.kind(of: "nothing") == nil)
  }

  @Test func `a listing that fails is told`() throws {
    let fixture = try Place(["1_a/up.sql": ""])
    let host = Host(failing: { call, path in call == .list && path.hasSuffix("1_a") ? EIO : 0 })
    #expect(
      fixture.failure { _ = try Catalog(directory: fixture.path, host: host) }
        == "Cannot list 'CATALOG/1_a': Input/output error.")
  }
}
