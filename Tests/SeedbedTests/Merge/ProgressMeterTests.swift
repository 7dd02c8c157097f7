import Testing

@testable import Seedbed

/// What the meter tells, on a clock that a test sets.
struct ProgressMeterTests {
  final class Heard {
    var time = 0.0
    var values: [(at: Double, progress: Migrator.Progress)] = []

    var fractions: [Double] { values.map(\.progress.fraction) }

    func meter() -> ProgressMeter {
      ProgressMeter({ self.values.append((self.time, $0)) }, now: { self.time })
    }

    /// The most values that any second held.
    var most: Int {
      values.indices.map { first in
        values[first...].prefix { $0.at < values[first].at + 1 }.count
      }.max() ?? 0
    }

    var goesBack: Bool {
      zip(values, values.dropFirst()).contains {
        $0.progress.bytes > $1.progress.bytes || $0.progress.rows > $1.progress.rows
          || $0.progress.fraction > $1.progress.fraction
      }
    }
  }

  static func migration(_ version: Version, bytes: Int64...) -> Migration {
    let files = bytes.enumerated().map { number, size in
      MigrationFile(
        name: "t.\(number)~.csv", kind: .insert(table: "t"), size: size, isCompressed: false)
    }
    return Migration(
      version: version, name: "a", folder: "000\(version)_a", files: files, isWithdrawn: false)
  }

  @Test func `it begins with 0 and ends with 1, also with nothing to read`() {
    let heard = Heard()
    let meter = heard.meter()
    #expect(heard.fractions == [0])
    meter.finish()
    #expect(heard.fractions == [0, 1])
  }

  @Test(arguments: [0.0001, 0.001, 0.01, 0.02, 0.04, 0.3])
  func `no second holds more than thirty values, with a step of`(_ step: Double) {
    let heard = Heard()
    let meter = heard.meter()
    meter.expect(1_000_000)
    for number in 1...3000 {
      heard.time += step
      if number % 10 == 0 { meter.begin(Version(number)) }
      if number % 10 == 1 { meter.enter(.applying) }
      meter.advance(table: "t", file: "\(number)", size: 100, part: 1, bytes: 100, rows: 1)
    }
    meter.finish()
    #expect(heard.most <= 30)
    #expect(heard.values.count > 10)
    #expect(!heard.goesBack)
  }

  @Test func `rows leave room for a phase that begins`() {
    let heard = Heard()
    let meter = heard.meter()
    meter.expect(1000)
    for number in 1...10_000 {
      heard.time += 0.001
      meter.advance(
        table: "t", file: "f", size: 1000, part: Double(number) / 10_000,
        bytes: Int64(number) / 10, rows: number)
    }
    let before = heard.values.count
    for phase in [Migrator.Progress.Phase.checking, .committing, .waiting] { meter.enter(phase) }
    let phases = heard.values.dropFirst(before).map(\.progress.phase)
    #expect(phases == [.checking, .committing, .waiting])
  }

  @Test func `what found no room is told while it waits`() {
    let heard = Heard()
    let meter = heard.meter()
    for version in 1...100 { meter.begin(Version(version)) }
    #expect(heard.values.last?.progress.version == 28)
    heard.time += 0.5
    meter.tick()
    #expect(heard.values.last?.progress.version == 28)
    heard.time += 0.5
    meter.tick()
    #expect(heard.values.last?.progress.version == 100)
    let count = heard.values.count
    meter.tick()
    #expect(heard.values.count == count)
  }

  @Test func `a migration that begins again counts once`() {
    let heard = Heard()
    let meter = heard.meter()
    let migration = Self.migration(1, bytes: 50, 50)
    meter.expect(200)
    for _ in 0..<2 {
      meter.begin(1)
      for file in ["a", "b", "a"] {
        heard.time += 1
        meter.advance(table: "t", file: file, size: 50, part: 0.5, bytes: 25, rows: 10)
        heard.time += 1
        meter.advance(table: "t", file: file, size: 50, part: 1, bytes: 50, rows: 20)
      }
      #expect(heard.values.last?.progress.bytes == 100)
      #expect(heard.values.last?.progress.rows == 40)
    }
    meter.pass(migration)
    meter.begin(2)
    heard.time += 1
    meter.advance(table: "t", file: "c", size: 100, part: 0.3, bytes: 30, rows: 5)
    #expect(heard.values.last?.progress.bytes == 130)
    #expect(heard.values.last?.progress.rows == 45)
    #expect(!heard.goesBack)
  }

  @Test func `what another process applied counts as done`() {
    let heard = Heard()
    let meter = heard.meter()
    meter.expect(200)
    meter.begin(1)
    meter.pass(Self.migration(1, bytes: 150))
    heard.time += 1
    meter.begin(2)
    #expect(heard.fractions.last == 0.75)
  }

  @Test func `a run that begins again, as a plan on a copy, never goes back`() {
    let heard = Heard()
    let meter = heard.meter()
    for _ in 0..<2 {
      meter.expect(100)
      meter.begin(1)
      heard.time += 1
      meter.advance(table: "t", file: "a", size: 60, part: 1, bytes: 60, rows: 6)
    }
    #expect(heard.fractions.last == 0.57)
    #expect(!heard.goesBack)
  }

  @Test func `what is read and not yet merged is not done`() {
    let heard = Heard()
    let meter = heard.meter()
    meter.expect(100)
    func hear(_ advance: MergeContext.Advance) -> Double {
      heard.time += 1
      meter.advance(
        table: "t", file: "a", size: 100, part: advance.part, bytes: advance.readBytes,
        rows: advance.handledRows)
      return heard.fractions.last ?? 0
    }
    #expect(hear(.read(100, of: 100, rows: 50, isStaged: true)) < 0.25)
    #expect(heard.values.last?.progress.bytes == 100)
    #expect(heard.values.last?.progress.rows == 0, "no row is handled")
    #expect((0.5...0.6).contains(hear(.handled(25, of: 50))))
    #expect(heard.values.last?.progress.rows == 25)
    #expect((0.9...0.96).contains(hear(.handled(50, of: 50))), "COMMIT is to come")
  }

  @Test func `a file that begins again moves on in what is left`() {
    let heard = Heard()
    let meter = heard.meter()
    meter.expect(100)
    for part in [0.8, 0.1, 0.5, 1] {
      heard.time += 1
      meter.advance(table: "t", file: "a", size: 100, part: part)
    }
    #expect(Set(heard.fractions).count == heard.fractions.count, "it never stands still")
    #expect(!heard.goesBack)
  }

  @Test func `it is 1 at the end of the call and not before`() {
    let heard = Heard()
    let meter = heard.meter()
    meter.expect(50)
    meter.begin(1)
    meter.pass(Self.migration(1, bytes: 50))
    heard.time += 1
    meter.enter(.committing)
    #expect(heard.fractions.last == 0.99)
    meter.finish()
    #expect(heard.fractions.last == 1)
  }

  @Test(arguments: [false, true]) func `an empty file is whole`(_ isStaged: Bool) {
    #expect(MergeContext.Advance.handled(0, of: 0).part == 1)
    let read = MergeContext.Advance.read(0, of: 0, rows: 0, isStaged: isStaged)
    #expect((0...1).contains(read.part) && (read.handledRows == nil) == isStaged)
  }

  @Test func `a restore is shown as it begins, and then now and then`() {
    let heard = Heard()
    let meter = heard.meter()
    heard.time += 10
    meter.enter(.waiting)
    meter.copied(0.1)
    #expect(heard.values.last?.progress.phase == .applying)
    let count = heard.values.count
    meter.copied(0.2)
    #expect(heard.values.count == count)
    heard.time += 1
    meter.copied(0.3)
    #expect(heard.values.count == count + 1)
  }
}
