import Foundation

/// A field guide of the chemical elements, small but real: an example of an app that updates its
/// data with Seedbed when it starts.
@main struct FieldGuide {
  static let usage = """
    fieldguide [--folder DIR] …           the elements; DIR holds the database of one user
      show ELEMENT                        one of them, by number, symbol or name, with your notes
      search WORDS                        those that have the words somewhere
      note ELEMENT TEXT                   write something down
      add SYMBOL NAME                     an element of your own, after the last one
      edit ELEMENT COLUMN VALUE           change what the guide says
      mine                                where you and the guide disagree
      restore                             restore the last backup, if the database is damaged
    """

  static func main() async {
    do {
      var words = Array(CommandLine.arguments.dropFirst())
      let startUp = try StartUp(folder: try folder(from: &words))
      if words == ["restore"] { say(try await startUp.restore()) }
      for line in try await startUp.run(show: showProgress) { complain(line) }
      try answer(words, startUp)
    } catch {
      complain("fieldguide: \(error)")
      exit(1)
    }
  }

  /// What `--folder` names, or else the place that XDG keeps for the data of users.
  private static func folder(from words: inout [String]) throws -> URL {
    if words.first == "--folder" {
      guard words.count > 1 else { throw Trouble("--folder needs the name of a folder.\n\(usage)") }
      defer { words.removeFirst(2) }
      return URL(fileURLWithPath: words[1])
    }
    let given = ProcessInfo.processInfo.environment["XDG_DATA_HOME"] ?? ""
    let home = FileManager.default.homeDirectoryForCurrentUser
    // > All paths set in these environment variables must be absolute. (XDG Base Directory)
    let data =
      given.hasPrefix("/")
      ? URL(fileURLWithPath: given) : home.appending(path: ".local/share")
    return data.appending(path: "fieldguide")
  }

  private static func answer(_ words: [String], _ startUp: StartUp) throws {
    let guide = Guide(database: try Database(startUp.database.path))
    switch (words.first, Array(words.dropFirst())) {
    case (nil, _): list(try guide.elements())
    case ("show", let rest) where rest.count == 1: say(try guide.page(of: rest[0]))
    case ("search", let rest) where !rest.isEmpty:
      list(try guide.elements(with: rest.joined(separator: " ")))
    case ("note", let rest) where rest.count > 1:
      try guide.note(rest.dropFirst().joined(separator: " "), on: rest[0])
    case ("add", let rest) where rest.count == 2: say(try guide.add(rest[0], named: rest[1]))
    case ("edit", let rest) where rest.count == 3: try guide.edit(rest[0], rest[1], to: rest[2])
    case ("restore", let rest) where rest.isEmpty: break
    case ("mine", let rest) where rest.isEmpty:
      for line in try startUp.disagreements() { say(line) }
    default: throw Trouble("Unknown request.\n\(usage)")
    }
  }

  // MARK: words

  private static func list(_ rows: [[String]]) {
    for row in rows { say(row.joined(separator: "\t")) }
  }

  private static func say(_ line: String) { print(line) }

  private static func complain(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }

  /// A line on a terminal, erased at the end; it comes on the main actor, as views want it.
  private static func showProgress(_ fraction: Double) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    let line = fraction < 1 ? "Updating the data: \(Int(fraction * 100)) %" : ""
    FileHandle.standardError.write(Data("\r\u{1B}[K\(line)".utf8))
  }
}

/// What went wrong, for the user.
struct Trouble: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
