import Foundation
import Seedbed

/// An app of somebody else: it calls everything that is public, and looks at what comes back.
///
/// A variable has the name of its type, so that a test can see what is called on what.
@main @MainActor struct Stranger {
  static let usage = "Stranger FOLDER LOCKED-CATALOG, or Stranger --refused FOLDER"

  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 2, let first = arguments.first, let last = arguments.last else {
      fail("use: \(usage)")
    }
    if first == "--refused" { return try refused(in: last) }
    let parts: [(String, @MainActor (String, String) async throws -> Void)] = [
      ("catalogs", tryCatalogs), ("downloads", tryDownloads), ("values", tryValues),
      ("migrator", tryMigrator), ("packs", { folder, _ in try tryPacks(folder) }),
      ("connections", tryConnections), ("looking", tryLooking), ("settling", trySettling),
      ("awaited calls", tryAwaited), ("a handle", tryHandle), ("a fleet", tryFleet),
    ]
    for (name, part) in parts {
      let folder = "\(first)/\(name.replacingOccurrences(of: " ", with: "-"))"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try await part(folder, last)
      print("\(name): all as it should be")
    }
  }

  /// With an SQLite that is too old.
  private static func refused(in folder: String) throws {
    let words =
      "This program runs with SQLite 3.37.2, and Seedbed needs 3.38 or newer. "
      + "Update the system, or link the program to a newer SQLite."
    let catalog = try Words.catalog()
    let migrator = Migrator(catalog: catalog, at: folder + "/refused.sqlite")
    expect("the file is refused", try error { try migrator.up() }.message, words)
    let handle = try Handle(folder + "/refused-handle.sqlite")
    let handleMigrator = HandleMigrator(catalog: catalog)
    let seedbedError = try error { try handleMigrator.up(on: handle.pointer) }
    expect("the handle is refused", seedbedError.message, words)
    print("refused: all as it should be")
  }
}

/// For databases that no other connection holds.
var quickOptions: Migrator.Options {
  var options = Migrator.Options()
  options.lockTimeout = .seconds(1)
  return options
}

func fail(_ sentence: String) -> Never {
  print("stranger: \(sentence)")
  exit(1)
}

func expect(_ what: String, _ holds: Bool) {
  if !holds { fail("this does not hold: \(what)") }
}

func expect<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) {
  if found != expected { fail("\(what): found '\(found)', expected '\(expected)'") }
}

/// What is there, where nothing would be an error.
func given<Value>(_ what: String, _ value: Value?) -> Value {
  guard let value else { fail("there is no \(what)") }
  return value
}

/// The error that a call must throw.
func error(_ body: () throws -> some Any) throws -> SeedbedError {
  do { _ = try body() } catch let seedbedError as SeedbedError { return seedbedError }
  fail("a call that must be refused was not")
}

/// Counts calls that come from several threads.
final class Counter: @unchecked Sendable {
  // Sound, because the lock is held for each access.
  private let lock = NSLock()
  private var number = 0

  var count: Int { lock.withLock { number } }
  func add() { lock.withLock { number += 1 } }
}
