import Foundation
import Seedbed
import TestSupport
import Testing

@testable import fieldguide

/// How the guide starts: older editions, long updates, several at once, and what can go wrong.
struct StartTests {
  // MARK: arguments

  static let mistakes = [
    ["fly"], ["--release", "1"], ["--release", "5"], ["--release", "two"], ["--release"],
    ["--demo-rows", "0"], ["--folder"], ["--folder", ""], ["--fly"], ["show"], ["quiz", "0"],
    ["quiz", "x"], ["mine", "x"], ["mine", "keep", "x"], ["mine", "drop", "1"], ["whose"],
  ]

  @Test(arguments: mistakes) func `what is not understood touches nothing`(words: [String]) throws {
    let app = try App()
    let home = app.place.url.appending(path: "home")
    let outcome = try app.start(
      ["--folder", home.path] + words, environment: ["XDG_DATA_HOME": home.path]
    ).wait()
    #expect(outcome.code == 1 && outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("fieldguide: ") && outcome.errors.contains(Arguments.usage))
    #expect(!FileManager.default.fileExists(atPath: home.path))
  }

  @Test(arguments: [["--help"], ["help"], ["--release", "2", "--help"]])
  func `what only asks touches nothing`(words: [String]) throws {
    let app = try App()
    let home = app.place.path + "/home"
    let outcome = try app.start(words, environment: ["XDG_DATA_HOME": home]).wait()
    #expect(outcome.code == 0 && outcome.errors.isEmpty)
    #expect(outcome.output == Arguments.usage + "\n")
    #expect(!FileManager.default.fileExists(atPath: home))
  }

  @Test func `the last release it knows is the last of the catalog`() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: Checkout.root.appending(path: "Migrations").path)
    let last = folders.compactMap { Int($0.prefix(4)) }.max()
    #expect(last == Arguments.releases.upperBound)
  }

  // MARK: editions

  @Test func `an older edition leaves a past for the next one`() throws {
    let app = try App()
    let old = try app.run("--release", "2", "show", "113")
    #expect(old.errors == "Welcome. The guide is at release 2.\n")
    #expect(old.output.contains("\nname: Ununtrium\n"))
    #expect(try app.sql("SELECT max(version) FROM seedbed_migrations") == ["2"])
    #expect(try app.run("--release", "2", "edit", "113", "name", "Bobium").errors == "")
    #expect(try app.run("--release", "2", "note", "Bobium", "mine").code == 0)
    let new = try app.run("show", "113")
    #expect(
      new.errors == """
        Release 4: 0 new, 23 corrected.
        Your own changes were kept. See: fieldguide mine

        """)
    #expect(new.output.hasPrefix("number: 113\nsymbol: Nh\nname: Bobium\n"))
    #expect(new.output.hasSuffix("\nnote: mine\n"))
    let back = try app.run("--release", "2", "show", "113")
    #expect(back.errors == "The data is of release 4 already.\n" && back.output == new.output)
  }

  @Test func `a new database begins with the ready-made one`() throws {
    let app = try App()
    _ = try app.run()
    #expect(
      try app.sql("SELECT state FROM seedbed_migrations ORDER BY version")
        == ["baseline", "baseline", "applied", "applied"])
    #expect(try app.sql("PRAGMA journal_mode") == ["wal"])
    let other = try App()
    let catalog = try Catalog(locked: Checkout.root.appending(path: "Migrations"))
    try Migrator(catalog: catalog, at: other.database).up()
    let rows = "SELECT quote(number) || quote(symbol) || quote(name) || quote(weight) FROM elements"
    #expect(try app.sql(rows) == other.sql(rows))
  }

  // MARK: long updates

  private static let long = ["--demo-rows", "400000"]
  private static let later =
    "The guide goes on with release 2, and the next start tries again.\n"

  /// At release 2, and with a release 3 that takes long.
  private static func demo() throws -> App {
    let app = try App("demo.sqlite")
    #expect(try app.start(long + ["--release", "2", "show", "1"]).wait().code == 0)
    return app
  }

  @Test func `a second guide shows the old data while the first one updates it`() throws {
    let app = try Self.demo()
    let first = try app.start(Self.long + ["show", "113"])
    #expect(app.stops(first))
    let second = try app.start(Self.long + ["show", "113"]).wait()
    #expect(second.errors == "Another program is using the database. " + Self.later)
    #expect(second.output.contains("\nname: Ununtrium\n") && second.code == 0)
    first.child.send(SIGCONT)
    let outcome = try first.wait()
    #expect(outcome.errors.hasPrefix("Release 4: 400000 new, "))
    #expect(outcome.output.contains("\nname: Nihonium\n"))
    #expect(try app.sql("SELECT count(*) FROM lines") == ["400000"])
  }

  @Test func `an interrupt stops the update, and the guide goes on`() throws {
    let app = try Self.demo()
    let running = try app.start(Self.long + ["show", "113"])
    #expect(app.stops(running))
    running.child.send(SIGINT)
    running.child.send(SIGCONT)
    let outcome = try running.wait()
    #expect(outcome.errors == "You stopped the update. " + Self.later)
    #expect(outcome.output.contains("\nname: Ununtrium\n") && outcome.code == 0)
    #expect(try app.sql("SELECT max(version) FROM seedbed_migrations") == ["2"])
  }

  @Test func `on a terminal it shows how far it is`() throws {
    let app = try App("demo.sqlite")
    let screen = try app.terminal(Self.long + ["show", "1"])
    #expect(screen.hasPrefix("\r\u{1B}[KUpdating the data: 0 %   ······"))
    let percents = screen.matches(of: #/([0-9]+) % +(█*)·*/#).map {
      (Int($0.output.1) ?? -1, $0.output.2.count)
    }
    #expect(percents.count > 5 && percents.last?.0 == 100)
    #expect(percents.allSatisfy { $0.1 == $0.0 * 30 / 100 || $0.1 == $0.0 * 30 / 100 + 1 })
    #expect(screen.contains("\r\u{1B}[KWelcome. The guide is at release 4."))
  }

  // MARK: errors

  @Test(arguments: SeedbedError.Code.allCases)
  func `each error has a sentence for the user`(code: SeedbedError.Code) {
    let reason = StartUp.reason(for: SeedbedError(code, "Something is so. Do something."))
    #expect(reason.hasSuffix(".") || reason.hasSuffix("fieldguide restore"))
    let isOurs: Set<SeedbedError.Code> = [.busy, .protected, .cancelled, .diskFull, .corrupt]
    #expect(isOurs.contains(code) != reason.contains("Something is so."))
  }

  @Test func `without any data an error ends it`() throws {
    let app = try App()
    try FileManager.default.createDirectory(
      atPath: app.database, withIntermediateDirectories: false)
    let outcome = try app.run("show", "1")
    #expect(outcome.code == 1 && outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("fieldguide: The system refused a file: "), "\(outcome)")
    try FileManager.default.removeItem(atPath: app.database)
  }

  @Test func `a folder that cannot be made is reported`() throws {
    let app = try App()
    try app.place.write("file", "")
    let folder = app.place.path + "/file/folder"
    let outcome = try app.start(["--folder", folder], environment: [:]).wait()
    #expect(outcome.code == 1 && outcome.errors.hasPrefix("fieldguide: "), "\(outcome)")
  }
}
