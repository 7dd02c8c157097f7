import Foundation
import Testing
import TestSupport

@testable import Seedbed
@testable import SeedbedAuthoring

/// What lint says of the corpus: no false alarm on a good bundle, and a word on each bad one.
@Suite struct LintCorpusTests {
  @Test(arguments: GoodCase.all)
  func `lint refuses no good bundle`(_ test: GoodCase) throws {
    let found = try Self.findings(test.bundle)
    #expect(found.filter(\.isRefusal) == [])
  }

  /// What rows of users refuse is not known without them.
  @Test(arguments: BadCase.all.filter { !$0.expected.hasPrefix("conflict ") })
  func `lint refuses every bad bundle`(_ test: BadCase) throws {
    do {
      let found = try Self.findings(test.bundle)
      let isRefused = found.contains { finding in
        finding.isRefusal || finding.code == .foreignKey
          || finding.place.file == Lock.fileName && test.bundle.isLocked
      }
      #expect(isRefused, "\(test.expected): \(found)")
    } catch is SeedbedError {
      // The folder itself cannot be read.
    }
  }

  /// The tables that the bundles meet are the app's own.
  private static func findings(_ bundle: Bundle) throws -> [LintFinding] {
    let place = try Place(in: Place.memory)
    try place.write(bundle)
    let names = try FileManager.default.contentsOfDirectory(atPath: place.catalog)
    let folders = names.compactMap { name -> (Version, String)? in
      guard case .migration(let version, _) = FolderName(name) else { return nil }
      return (version, name)
    }
    if let first = folders.min(by: { $0 < $1 })?.1 {
      // A bundle may have a file in the place of a folder.
      try? Data(Victim.schema.utf8).write(
        to: URL(fileURLWithPath: place.catalog + "/" + first + "/schema.sql"))
    }
    // The lock has no schema.sql, which the bundle does not bring along.
    return try Linter(directory: place.catalog).findings().filter {
      $0.code != .unlocked || !$0.place.file.hasSuffix("/schema.sql")
    }
  }
}
