internal import Seedbed

/// The words for what a verb does with many databases.
struct FleetWords {
  let verb: Verb
  let done: String
  let nothing: String
  var failed = "failed"

  static let up = FleetWords(
    verb: .up, done: "brought up to date", nothing: "had nothing pending")
  static let plan = FleetWords(
    verb: .plan, done: "would change", nothing: "had nothing pending", failed: "cannot be updated")
  static let down = FleetWords(
    verb: .down, done: "taken back", nothing: "had nothing to take back")
  static let restore = FleetWords(
    verb: .restore, done: "restored", nothing: "needed no restore")

  var isPlan: Bool { verb.name == Verb.plan.name }
}

/// The output of a verb that changes many databases, or rehearses the change.
///
///     10,000 databases: 9,868 brought up to date, 123 had nothing pending, 9 failed
///     Downloads  123 databases: 'june.seedbed' was passed over: it leaves out the releases …
///     Conflicts  290 databases (2.9 %)
///                words.text: 301 edited (keepEdits)
///     Slowest    tenants/0193.sqlite  4.1 s
///     Failed     9: There is no table 'words'. …
///                  tenants/17.sqlite, tenants/18.sqlite, tenants/19.sqlite and 6 more
///     Time       12.3 s, 813 databases a second
struct FleetTranscript {
  /// The most places of conflicts, and the most databases with the same error, to name.
  static let limit = 3

  private let summary: Fleet.Summary
  private let context: CommandContext
  private let words: FleetWords

  init(_ summary: Fleet.Summary, _ context: CommandContext, _ words: FleetWords) {
    (self.summary, self.context, self.words) = (summary, context, words)
  }

  static func summaryLine(_ databases: Int, _ parts: [String]) -> String {
    Measures.count(databases, "database")
      + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
  }

  var lines: [String] {
    let parts = [
      (summary.changed, words.done), (summary.upToDate, words.nothing),
      (summary.failures.count, words.failed), (summary.left, "left as they were"),
    ].filter { $0.0 > 0 }.map { "\(Measures.grouped($0.0)) \($0.1)" }
    let adopted =
      summary.adopted > 0 ? ["Adopted    \(Measures.count(summary.adopted, "database"))"] : []
    return [Self.summaryLine(summary.databases, parts)] + adopted
      + context.lines(summary.passedOver)
      + conflicts
      + slowest + failures + time + rest
  }

  private var conflicts: [String] {
    guard summary.withConflicts > 0 else { return [] }
    let share = Double(summary.withConflicts) * 1000 / Double(summary.databases)
    let percent = "\(Int(share.rounded()) / 10).\(Int(share.rounded()) % 10) %"
    let head =
      "Conflicts  \(Measures.count(summary.withConflicts, "database")) (\(percent))"
    let places = summary.conflicts.prefix(Self.limit).map(Self.place)
    let more = summary.conflicts.count - places.count
    return [context.palette(head, .waiting)] + places.map { "           " + $0 }
      + (more > 0 ? ["           … and \(Measures.count(more, "place")) more: --json"] : [])
  }

  /// `words.text: 301 edited (keepEdits)`
  static func place(_ count: Fleet.Summary.ConflictCount) -> String {
    let place = count.table.printable + (count.column.map { "." + $0.printable } ?? "")
    let policy = count.policy.map { " (\($0))" } ?? ""
    return "\(place): \(Measures.grouped(count.count)) \(count.kind.rawValue)\(policy)"
  }

  private var slowest: [String] {
    guard let slowest = summary.slowest else { return [] }
    return [
      "Slowest    \(context.shown(slowest.database))  \(Measures.duration(slowest.duration))"
    ]
  }

  /// The failures, grouped by message. The command to type was shown when each of them failed.
  private var failures: [String] {
    var order: [String] = []
    var databases: [String: [String]] = [:]
    for failure in summary.failures {
      let text = message(failure)
      if databases[text] == nil { order.append(text) }
      databases[text, default: []].append(context.shown(failure.database))
    }
    let label = words.isPlan ? "Cannot     " : "Failed     "
    return order.flatMap { text -> [String] in
      let paths = databases[text] ?? []
      let rest = paths.count - min(paths.count, Self.limit)
      let more = rest > 0 ? " and \(Measures.grouped(rest)) more" : ""
      return [
        context.palette("\(label)\(Measures.grouped(paths.count)): \(text)", .bad),
        "             " + paths.prefix(Self.limit).joined(separator: ", ") + more,
      ]
    }
  }

  private func message(_ failure: Fleet.Summary.Failure) -> String {
    Files.isNoDatabase(failure.database)
      ? context.explained(failure.error, of: failure.database).description
      : failure.error.description
  }

  private var time: [String] {
    let done = summary.changed + summary.upToDate
    let seconds = summary.duration.inSeconds
    let rate = seconds > 0 ? Int64(Double(done) / seconds) : 0
    let perSecond = rate > 0 ? ", \(Measures.grouped(rate)) databases a second" : ""
    return ["Time       \(Measures.duration(summary.duration))\(perSecond)"]
  }

  private var rest: [String] {
    if summary.left == 0 || words.isPlan { return [] }
    if summary.failures.isEmpty {
      return ["Run it again to go on: finished databases stay as they are."]
    }
    let isCanary = context.arguments.has(.keepGoing)
    return [
      isCanary
        ? "A canary failed, so no other was begun. Repair it or the release, then run it again."
        : "After a failure no other was begun. Repair it, or go on with --keep-going."
    ]
  }
}
