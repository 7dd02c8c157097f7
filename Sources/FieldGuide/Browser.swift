/// The list on a terminal: moved through by keys, searched while one types.
///
/// Only what the screen shows is read, a page at a time.
struct Browser {
  let guide: Guide
  /// The words that are searched for; none for all elements.
  var words: String
  /// Shown until the first key.
  var news: [String]

  private var keyboard = Keyboard()
  private var count = 0
  private var top = 0
  private var chosen = 0
  private var isTyping = false

  init(guide: Guide, words: String, news: [String]) {
    (self.guide, self.words, self.news) = (guide, words, news)
  }

  mutating func run() throws {
    try search(for: words)
    try Terminal.withScreen {
      try draw()
      while let key = keyboard.next(), try handle(key) {
        news = []
        try draw()
      }
    }
  }

  private mutating func search(for words: String) throws {
    count = try guide.count(with: words)
    (self.words, top, chosen) = (words, 0, 0)
  }

  /// The screen but for the line above the list and the one below.
  private var height: Int { max(1, Terminal.size.rows - 2) }

  // MARK: keys

  /// - Returns: false to leave.
  private mutating func handle(_ key: Keyboard.Key) throws -> Bool {
    switch key {
    case .up: move(-1)
    case .down: move(1)
    case .pageUp: move(-height)
    case .pageDown: move(height)
    case .home: move(-count)
    case .end: move(count)
    case _ where isTyping: try type(key)
    case .enter: try showPage()
    case .character("/"): isTyping = true
    case .character(" "): move(height)
    case .character("b"): move(-height)
    case .character("q"): return false
    case .escape where words.isEmpty: return false
    case .escape: try search(for: "")
    case .erase, .character: break
    }
    return true
  }

  private mutating func move(_ rows: Int) { chosen = max(0, min(count - 1, chosen + rows)) }

  private mutating func type(_ key: Keyboard.Key) throws {
    switch key {
    case .character(let character): try search(for: words + String(character))
    case .erase: try search(for: String(words.dropLast()))
    case .enter: isTyping = false
    default:
      isTyping = false
      try search(for: "")
    }
  }

  /// The page of the chosen element, until the next key but those that move in it.
  private mutating func showPage() throws {
    guard let number = try guide.elements(with: words, from: chosen, limit: 1).first?[0] else {
      return
    }
    var lines = try guide.page(of: number).split(separator: "\n")
      .flatMap { Terminal.wrapped(" \($0)") }[...]
    repeat {
      let shown = lines.prefix(height)
      let blank = Array(repeating: "", count: height - shown.count)
      Terminal.draw([""] + shown + blank + [" ↓ more   any other key: back to the list"])
      guard let key = keyboard.next(), [.down, .pageDown, .character(" ")].contains(key) else {
        return
      }
      if lines.count > height { lines.removeFirst() }
    } while true
  }

  // MARK: screen

  private mutating func draw() throws {
    top = max(min(top, chosen), chosen - height + 1)
    let rows = try guide.elements(with: words, from: top, limit: height)
    var lines = rows.enumerated().map { index, row in
      let line = aligned(row)
      return top + index == chosen ? "\u{1B}[7m\(line)" : line
    }
    lines += Array(repeating: "", count: height - lines.count)
    Terminal.draw([title] + lines + [foot])
  }

  private var title: String {
    let found = "\(count) element\(count == 1 ? "" : "s")"
    return words.isEmpty && !isTyping
      ? " Field guide: \(found)" : " Search: \(words)\(isTyping ? "▏" : "")  (\(found))"
  }

  private var foot: String {
    if !news.isEmpty { return " " + news.joined(separator: " ") }
    return isTyping
      ? " type words   ⏎ done   esc: all elements"
      : " ↑ ↓ PgUp PgDn Home End   ⏎ show   / search   q leave"
  }

  private func aligned(_ row: [String]) -> String {
    let widths = [-5, 3, 20, 12]
    return zip(row, widths).map { text, width in
      let gap = String(repeating: " ", count: max(0, abs(width) - text.count))
      return width < 0 ? gap + text : text + gap
    }.joined(separator: "  ")
  }
}
