import Foundation
import Seedbed

/// The user's request. It is checked completely before anything is changed.
struct Arguments {
  enum Request: Equatable {
    case help, list, mine, restore
    case show(String)
    case note(String, on: String)
    case add(String, named: String)
    case edit(String, String, to: String)
    case forget(String)
    case settle(Int64, Migrator.Conflict.Side)
    case whose(String)
    case suggest(into: String?)
    case quiz(Int)
  }

  /// The releases that can be played. The first had no table for notes.
  static let releases = 2...4

  static let usage = """
    fieldguide [OPTIONS] …                the elements
      show ELEMENT                        one of them, by number, symbol or name, with your notes
      note ELEMENT TEXT                   write something down
      add SYMBOL NAME                     an element of your own, after the last one
      edit ELEMENT COLUMN VALUE           change what the guide says
      forget ELEMENT                      delete it, with your notes and answers
      mine                                where you and the guide disagree, by numbers
      mine keep N, mine take N            settle all about its row: your values, or the guide's
      whose ELEMENT                       the guide's or yours, and what the guide says
      suggest [FILE]                      what you corrected; with FILE, written for the authors
      quiz [COUNT]                        questions, more often about what you missed
      restore                             restore the last backup, if the database is damaged
    options:
      --folder DIR                        where the database of this user is
      --release N                         be an older edition of the guide, \
    \(releases.lowerBound) to \(releases.upperBound)
      --demo-rows N                       with N more rows, in a database of its own
      --help
    """

  private(set) var folder: URL
  private(set) var release: Migrator.Version?
  private(set) var demoRows = 0
  let request: Request

  /// - Throws: `Trouble`, for the user.
  init(_ words: [String]) throws {
    // An app has a place of its own for it; on Linux it is that of XDG.
    let data = try FileManager.default.url(
      for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: false)
    folder = data.appending(path: "fieldguide")
    var words = words[...]
    while let option = words.first, option.hasPrefix("--"), option != "--help" {
      let value = words.dropFirst().first ?? ""
      switch (option, Int(value)) {
      case ("--folder", _) where !value.isEmpty: folder = URL(fileURLWithPath: value)
      case ("--release", let number?) where Self.releases.contains(number):
        release = Migrator.Version(number)
      case ("--demo-rows", let number?) where (1...5_000_000).contains(number): demoRows = number
      default:
        throw Trouble("Cannot use '\(words.prefix(2).joined(separator: " "))'.\n\(Self.usage)")
      }
      words = words.dropFirst(2)
    }
    request = try Self.request(words.first, Array(words.dropFirst()))
  }

  private static func request(_ verb: String?, _ rest: [String]) throws -> Request {
    switch (verb, rest.count) {
    case (nil, _): return .list
    case ("help", 0), ("--help", _): return .help
    case ("show", 1): return .show(rest[0])
    case ("note", 2...): return .note(rest.dropFirst().joined(separator: " "), on: rest[0])
    case ("add", 2): return .add(rest[0], named: rest[1])
    case ("edit", 3): return .edit(rest[0], rest[1], to: rest[2])
    case ("forget", 1): return .forget(rest[0])
    case ("quiz", 0...1):
      guard let count = Int(rest.first ?? "5"), (1...1000).contains(count) else { break }
      return .quiz(count)
    case ("mine", 0): return .mine
    case ("mine", 2):
      let sides: [String: Migrator.Conflict.Side] = ["keep": .mine, "take": .seed]
      guard let side = sides[rest[0]], let id = Int64(rest[1]) else { break }
      return .settle(id, side)
    case ("whose", 1): return .whose(rest[0])
    case ("suggest", 0...1): return .suggest(into: rest.first)
    case ("restore", 0): return .restore
    default: break
    }
    throw Trouble("Unknown request.\n\(usage)")
  }
}

/// An error message for the user.
struct Trouble: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
