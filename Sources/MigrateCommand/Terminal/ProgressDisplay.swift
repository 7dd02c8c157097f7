#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif
internal import Seedbed

enum ProgressMode: String, Sendable, CaseIterable {
  case auto, plain, json, none
}

/// Shows the progress of a run on stderr: a bar on a terminal, plain lines, or lines of JSON.
///
///     [=======>            ]  45 %  21.6 of 48.0 MB  450,000 rows  1,210,000 rows/s  3 elements
///     {"fraction":0.45,"phase":"applying","table":"elements","rows":450000}
final class ProgressDisplay {
  enum Style { case bar, lines, json, nothing }

  let style: Style
  private let sink: Sink
  /// Nanoseconds on a clock that never goes back. A test passes its own.
  private let clock: () -> UInt64
  private var lastShown: UInt64?
  private var firstRows: (at: UInt64, count: Int64)?
  private var latest: Shown?
  private var isShowingLatest = false

  init(style: Style, sink: Sink, clock: @escaping () -> UInt64 = ProgressDisplay.monotonic) {
    self.style = style
    self.sink = sink
    self.clock = clock
  }

  private enum Shown {
    case run(Migrator.Progress)
    case work(Double, String)

    var fraction: Double {
      switch self {
      case .run(let progress): progress.fraction
      case .work(let fraction, _): fraction
      }
    }
  }

  /// Draws at most ten times a second, or prints at most one line a second.
  func show(_ progress: Migrator.Progress) {
    // Before the first migration nothing is known yet, not even whether there is one.
    if progress.version != 0 { show(.run(progress)) }
  }

  /// The progress of other work; `what` comes after the number.
  func show(_ fraction: Double, _ what: String) { show(.work(fraction, what)) }

  private func show(_ shown: Shown) {
    if style == .nothing { return }
    let now = clock()
    if case .run(let progress) = shown, progress.phase == .applying, firstRows == nil {
      firstRows = (now, progress.rows)
    }
    latest = shown
    isShowingLatest = false
    let pause: UInt64 = style == .lines ? 1_000_000_000 : 100_000_000
    if let lastShown, now - lastShown < pause { return }
    lastShown = now
    draw(shown, now)
  }

  /// Erases the bar, or prints the last line if it was not printed yet.
  func end() {
    switch style {
    case .bar where lastShown != nil: _ = sink.write(Self.erasure)
    case .lines where !isShowingLatest, .json where !isShowingLatest:
      if let latest { draw(latest, clock()) }
    default: break
    }
    lastShown = nil
    latest = nil
  }

  /// Puts the cursor at the start of an empty line.
  static let erasure = "\r\u{1B}[K"

  private func draw(_ shown: Shown, _ now: UInt64) {
    // If stderr cannot be written to, the output is lost, and the run goes on.
    switch style {
    case .bar: _ = sink.write(Self.erasure + bar(shown, now, columns: sink.columns()))
    case .lines: _ = sink.write(facts(shown, now).joined(separator: "  ") + "\n")
    case .json: _ = sink.write(json(shown).text + "\n")
    case .nothing: break
    }
    isShowingLatest = true
  }

  /// One column stays free: after the last one, the cursor would wrap.
  private func bar(_ shown: Shown, _ now: UInt64, columns: Int) -> String {
    let width = 20
    let done = Int(shown.fraction * Double(width))
    let head = done > 0 && done < width ? ">" : ""
    let filled = String(repeating: "=", count: max(0, done - head.count)) + head
    let room = max(1, columns - 1)
    let bar = ["[\(filled.padded(to: width))]"]
    let text = (bar + facts(shown, now)).joined(separator: "  ")
    if text.displayWidth <= room { return text }
    // The rate is left out on a narrow screen.
    return (bar + facts(shown, now, withRate: false)).joined(separator: "  ").cut(to: room)
  }

  private func facts(_ shown: Shown, _ now: UInt64, withRate: Bool = true) -> [String] {
    let percent = "\(Int(shown.fraction * 100)) %".leftPadded(to: 5)
    switch shown {
    case .run(let progress): return facts(progress, percent, withRate ? rate(progress, now) : nil)
    case .work(_, let what): return [percent, what]
    }
  }

  private func facts(_ progress: Migrator.Progress, _ percent: String, _ rate: Int64?) -> [String] {
    switch progress.phase {
    case .waiting: return ["waiting for the write lock"]
    case .backingUp: return [percent, "backing up"]
    case .applying, .checking, .committing: break
    }
    var facts = [
      percent, Measures.bytes(progress.bytes, of: progress.totalBytes),
      Measures.count(Int(progress.rows), "row"),
    ]
    if let rate { facts.append("\(Measures.grouped(rate)) rows/s") }
    let what = progress.phase == .applying ? progress.table : progress.phase.rawValue
    facts.append(
      ([String(progress.version)] + (what.map { [$0.printable] } ?? []))
        .joined(separator: " "))
    return facts
  }

  /// Of a run, what the progress function of seedbed.h gets; of other work, words for a person.
  private func json(_ shown: Shown) -> JSON {
    let fraction = JSON.raw(String((shown.fraction * 1000).rounded(.down) / 1000))
    switch shown {
    case .work(_, let what): return .object([("fraction", fraction), ("doing", .string(what))])
    case .run(let progress):
      return .object([
        ("fraction", fraction), ("phase", .string(progress.phase.rawValue)),
        ("table", .optional(progress.table)), ("rows", .number(progress.rows)),
      ])
    }
  }

  /// The rows per second since the first row; nil while there are too few.
  private func rate(_ progress: Migrator.Progress, _ now: UInt64) -> Int64? {
    guard let firstRows, now - firstRows.at >= 100_000_000 else { return nil }
    let seconds = Double(now - firstRows.at) / 1e9
    let rate = Double(progress.rows - firstRows.count) / seconds
    return rate >= 1 ? Int64(rate) : nil
  }

  static func monotonic() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
