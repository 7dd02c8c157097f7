/// The meaning of a piece of text, shown in the terminal's own colours.
enum Paint: String, Sendable {
  case plain
  case good = "32"
  case waiting = "33"
  case bad = "31"
  case faint = "2"
}

/// Adds colours on a terminal, and leaves text unchanged everywhere else.
struct Palette: Sendable {
  let isOn: Bool

  /// `NO_COLOR` counts when it is set and not empty (https://no-color.org), `CLICOLOR` when it is 0
  /// (https://bixense.com/clicolors).
  init(for sink: Sink, _ environment: [String: String]) {
    let refuses = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    isOn =
      sink.isTerminal && !refuses && environment["TERM"] != "dumb"
      && environment["CLICOLOR"] != "0"
  }

  func callAsFunction(_ text: String, _ paint: Paint) -> String {
    isOn && paint != .plain && !text.isEmpty ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
  }
}
