import Testing

@testable import MigrateCommand
@testable import Seedbed

struct ProgressDisplayTests {
  /// A clock that a test sets.
  final class Clock {
    var ms: UInt64 = 1_000_000
    func read() -> UInt64 { ms * 1_000_000 }
  }

  private func progress(_ percent: Int64, phase: Migrator.Progress.Phase = .applying)
    -> Migrator.Progress
  {
    Migrator.Progress(
      phase: phase, bytes: 480_000 * percent, totalBytes: 48_000_000, rows: 10_000 * percent,
      version: 3, table: "elements", share: Double(percent) / 100, isFinished: percent == 100)
  }

  private func display(
    _ style: ProgressDisplay.Style, columns: Int = 120
  ) -> (ProgressDisplay, Memory, Clock) {
    let (memory, clock) = (Memory(), Clock())
    let sink = memory.sink(isTerminal: style == .bar, columns: columns)
    return (ProgressDisplay(style: style, sink: sink, clock: clock.read), memory, clock)
  }

  @Test func `the bar says how far, how much and how fast`() {
    let (display, memory, clock) = display(.bar)
    display.show(progress(0))
    clock.ms += 500
    display.show(progress(45))
    #expect(
      memory.pieces == [
        "\r\u{1B}[K[                    ]    0 %  0.0 of 48.0 MB  0 rows  3 elements",
        "\r\u{1B}[K[========>           ]   45 %  21.6 of 48.0 MB  450,000 rows  "
          + "900,000 rows/s  3 elements",
      ])
  }

  @Test func `what is no run shows how far it is`() {
    let (display, memory, clock) = display(.bar)
    display.show(0.25, "rehearsing")
    clock.ms += 50
    display.show(0.5, "rehearsing")
    clock.ms += 50
    display.show(0.75, "rehearsing")
    display.end()
    #expect(
      memory.pieces == [
        "\r\u{1B}[K[====>               ]   25 %  rehearsing",
        "\r\u{1B}[K[==============>     ]   75 %  rehearsing",
        "\r\u{1B}[K",
      ])
  }

  @Test func `the bar is drawn at most ten times a second, and erased at the end`() {
    let (display, memory, clock) = display(.bar)
    for step in 0...1000 {
      display.show(progress(Int64(step / 10)))
      clock.ms += 1
    }
    #expect(memory.pieces.count == 11)
    display.end()
    #expect(memory.pieces.last == "\r\u{1B}[K")
    display.end()
    #expect(memory.pieces.count == 12)
  }

  @Test(arguments: [(90, true), (80, false)])
  func `a narrow bar goes without its rate first`(_ columns: Int, _ hasRate: Bool) {
    let (display, memory, clock) = display(.bar, columns: columns)
    display.show(progress(0))
    clock.ms += 500
    display.show(progress(45))
    let bar = String(memory.pieces[1].dropFirst(4))
    #expect(bar.contains("rows/s") == hasRate)
    #expect(bar.hasSuffix("450,000 rows  " + (hasRate ? "900,000 rows/s  " : "") + "3 elements"))
  }

  @Test(arguments: [1, 2, 20, 40, 80]) func `the bar never wraps`(_ columns: Int) {
    let (display, memory, _) = display(.bar, columns: columns)
    display.show(progress(45))
    #expect(memory.text.dropFirst(4).displayWidth <= max(1, columns - 1))
  }

  @Test func `plain lines come once a second, and a last one`() {
    let (display, memory, clock) = display(.lines)
    for percent in 0...100 as ClosedRange<Int64> {
      display.show(progress(percent))
      clock.ms += 25
    }
    display.end()
    #expect(
      memory.text == """
          0 %  0.0 of 48.0 MB  0 rows  3 elements
         40 %  19.2 of 48.0 MB  400,000 rows  400,000 rows/s  3 elements
         80 %  38.4 of 48.0 MB  800,000 rows  400,000 rows/s  3 elements
        100 %  48.0 of 48.0 MB  1,000,000 rows  396,039 rows/s  3 elements

        """)
  }

  @Test func `a program gets a line of JSON ten times a second, and a last one`() {
    let (display, memory, clock) = display(.json)
    for percent in 0...100 as ClosedRange<Int64> {
      display.show(progress(percent))
      clock.ms += 2
    }
    display.show(0.5, "restoring")
    display.end()
    #expect(
      memory.text == """
        {"fraction":0.0,"phase":"applying","table":"elements","rows":0}
        {"fraction":0.5,"phase":"applying","table":"elements","rows":500000}
        {"fraction":1.0,"phase":"applying","table":"elements","rows":1000000}
        {"fraction":0.5,"doing":"restoring"}

        """)
  }

  @Test func `the last line is not printed twice`() {
    let (display, memory, _) = display(.lines)
    display.show(progress(100))
    display.end()
    #expect(memory.pieces.count == 1)
  }

  @Test(arguments: [ProgressDisplay.Style.bar, .lines, .nothing])
  func `where nothing happened nothing is shown`(_ style: ProgressDisplay.Style) {
    let (display, memory, _) = display(style)
    display.end()
    #expect(memory.pieces.isEmpty)
  }

  @Test func `waiting and backing up have words of their own`() {
    let (display, memory, clock) = display(.lines)
    display.show(progress(0, phase: .waiting))
    clock.ms += 1000
    display.show(progress(0, phase: .backingUp))
    clock.ms += 1000
    display.show(progress(100, phase: .committing))
    #expect(
      memory.text == """
        waiting for the write lock
          0 %  backing up
        100 %  48.0 of 48.0 MB  1,000,000 rows  3 committing

        """)
  }
}
