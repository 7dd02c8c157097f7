import Foundation
import Seedbed

/// What the user asked for. All of it is understood before anything is touched.
struct Arguments {
  enum Request: Equatable {
    case help, version, browse, mine, stats, restore
    case show(String)
    case search(String)
    case note(String, on: String)
    case add(String, named: String)
    case edit(String, String, to: String)
    case forget(String)
    case settle(Int64, Migrator.Conflict.Side)
    case pin(String, Bool)
    case whose(String)
    case quiz(Int)
  }

  /// The releases that can be played: the first had no table for notes.
  static let releases = 2...4
  static let version = "fieldguide, edition \(releases.upperBound)"

  static let usage = """
    fieldguide [OPTIONS] …                the elements: a list to browse, or text in a pipe
      show ELEMENT                        one of them, by number, symbol or name, with your notes
      search WORDS                        those that have the words somewhere
      note ELEMENT TEXT                   write something down
      add SYMBOL NAME                     an element of your own, after the last one
      edit ELEMENT COLUMN VALUE           change what the guide says
      forget ELEMENT                      delete it, with your notes and answers
      mine                                where you and the guide disagree, by numbers
      mine keep N, mine take N            settle it: your values, or the guide's
      pin ELEMENT, unpin ELEMENT          keep it from all releases, or no longer
      whose ELEMENT                       the guide's or yours, and what the guide says
      quiz [COUNT]                        questions, more often about what you missed
      stats                               how well you know them
      restore                             restore the last backup, if the database is damaged
    options:
      --folder DIR                        where the database of this user is
      --release N                         be an older edition of the guide, \
    \(releases.lowerBound) to \(releases.upperBound)
      --demo-rows N                       with so many more rows, in a database of its own
      --help, --version
    """

  var folder: URL
  var release: Migrator.Version?
  var demoRows = 0
  var request = Request.browse

  /// - Throws: `Trouble`, for the user.
  init(_ words: [String], environment: [String: String] = [:]) throws {
    folder = Self.home(environment)
    var words = words[...]
    while let option = words.first, option.hasPrefix("--") {
      words.removeFirst()
      switch option {
      case "--help", "--version":
        request = option == "--help" ? .help : .version
        return
      case "--folder":
        folder = URL(fileURLWithPath: try Self.value(of: option, "the name of a folder", &words))
      case "--release":
        release = Migrator.Version(try Self.number(of: option, in: Self.releases, &words))
      case "--demo-rows":
        demoRows = try Self.number(of: option, in: 1...5_000_000, &words)
      default: throw Trouble("There is no option '\(option)'.\n\(Self.usage)")
      }
    }
    request = try Self.request(words.first, Array(words.dropFirst()))
  }

  /// The place that XDG keeps for the data of users.
  private static func home(_ environment: [String: String]) -> URL {
    let given = environment["XDG_DATA_HOME"] ?? ""
    let home = FileManager.default.homeDirectoryForCurrentUser
    // > All paths set in these environment variables must be absolute. (XDG Base Directory)
    let data =
      given.hasPrefix("/") ? URL(fileURLWithPath: given) : home.appending(path: ".local/share")
    return data.appending(path: "fieldguide")
  }

  private static func value(
    of option: String, _ what: String, _ words: inout ArraySlice<String>
  ) throws -> String {
    guard let value = words.popFirst(), !value.isEmpty else {
      throw Trouble("\(option) needs \(what).\n\(usage)")
    }
    return value
  }

  private static func number(
    of option: String, in range: ClosedRange<Int>, _ words: inout ArraySlice<String>
  ) throws -> Int {
    let what = "a number from \(range.lowerBound) to \(range.upperBound)"
    guard let number = Int(try value(of: option, what, &words)), range.contains(number) else {
      throw Trouble("\(option) needs \(what).\n\(usage)")
    }
    return number
  }

  private static func request(_ verb: String?, _ rest: [String]) throws -> Request {
    switch (verb, rest.count) {
    case (nil, _): return .browse
    case ("help", 0): return .help
    case ("show", 1): return .show(rest[0])
    case ("search", 1...): return .search(rest.joined(separator: " "))
    case ("note", 2...): return .note(rest.dropFirst().joined(separator: " "), on: rest[0])
    case ("add", 2): return .add(rest[0], named: rest[1])
    case ("edit", 3): return .edit(rest[0], rest[1], to: rest[2])
    case ("forget", 1): return .forget(rest[0])
    case ("quiz", 0): return .quiz(5)
    case ("quiz", 1):
      guard let count = Int(rest[0]), (1...1000).contains(count) else { break }
      return .quiz(count)
    case ("mine", 0): return .mine
    case ("mine", 2):
      let sides: [String: Migrator.Conflict.Side] = ["keep": .mine, "take": .seed]
      guard let side = sides[rest[0]], let id = Int64(rest[1]) else { break }
      return .settle(id, side)
    case ("pin", 1), ("unpin", 1): return .pin(rest[0], verb == "pin")
    case ("whose", 1): return .whose(rest[0])
    case ("stats", 0): return .stats
    case ("restore", 0): return .restore
    default: break
    }
    throw Trouble("Unknown request.\n\(usage)")
  }
}

/// What went wrong, for the user.
struct Trouble: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
