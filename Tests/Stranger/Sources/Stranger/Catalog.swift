import Foundation
import Seedbed

extension Stranger {
  static func tryCatalogs(_ folder: String, _ locked: String) throws {
    for (path, bytes) in Words.files() {
      let url = URL(fileURLWithPath: "\(folder)/\(path)")
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: url)
    }
    var catalog = try Catalog(directory: folder, allowsSQL: true, expecting: nil)
    expect("a catalog without a lock has no chain", catalog.chain, nil)
    catalog = try Catalog(
      directory: URL(fileURLWithPath: folder), allowsSQL: true, expecting: nil)
    expect("the same by its URL", catalog.chain, nil)
    catalog = try Catalog(files: Words.files(), allowsSQL: true, expecting: nil)
    let report = try Migrator(catalog: catalog, at: folder + "/files.sqlite").up()
    expect("all releases are applied", report.to, 3)

    catalog = try Catalog(locked: locked, allowsSQL: true, expecting: nil)
    let chain = given("chain", catalog.chain)
    catalog = try Catalog(
      locked: URL(fileURLWithPath: locked), allowsSQL: true, expecting: chain)
    expect("the chain is that of the lock", catalog.chain, chain)
    try tryJoined(folder)
    try tryRefusals(folder, locked)
  }

  private static func tryJoined(_ folder: String) throws {
    let later = try Catalog(files: Words.files().filter { $0.key.hasPrefix("0003") })
    let catalog = try Catalog([Words.catalog(2), later])
    let migrator = Migrator(catalog: catalog, at: folder + "/joined.sqlite")
    expect("a joined catalog has all releases", try migrator.up().to, 3)
  }

  private static func tryRefusals(_ folder: String, _ locked: String) throws {
    func code(_ body: () throws -> Catalog) throws -> SeedbedError.Code {
      try error(body).code
    }
    expect(
      "SQL is refused", try code { try Catalog(directory: folder, allowsSQL: false) }, .catalog)
    expect("no lock", try code { try Catalog(locked: folder) }, .catalog)
    let chain = "sha256:" + String(repeating: "0", count: 64)
    expect("another chain", try code { try Catalog(locked: locked, expecting: chain) }, .catalog)
    expect("nothing to join", try code { try Catalog([]) }, .usage)
    let url = given("URL", URL(string: "https://example.com/Migrations"))
    expect("no file URL", try code { try Catalog(locked: url) }, .usage)
  }
}
