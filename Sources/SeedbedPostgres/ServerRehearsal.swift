package import Seedbed
package import SeedbedFaults

/// Applies what is pending on scratch databases of a server, and interrupts that at its messages.
///
/// 1. Look at which version the database is, and what is pending. It is only read.
/// 2. Fill a scratch database with the catalog up to that version.
/// 3. On a copy of it, apply what is pending: that is measured, and its messages are counted.
/// 4. On a second one do it at another time and with other ids. What the two do not have in common
///    is not compared.
/// 5. On a third one, note what is there after each migration.
/// 6. On further ones, interrupt it: the connection is cut, or the server's process is ended. What
///    is then there must be what was noted and what the run reported, and the next run must end
///    as the first one did.
package struct ServerRehearsal {
  private let rehearsal: Rehearsal
  private let uri: String
  private let cancellation: Migrator.Cancellation?

  package init(
    _ rehearsal: Rehearsal, on uri: String, cancellation: Migrator.Cancellation? = nil
  ) {
    (self.rehearsal, self.uri, self.cancellation) = (rehearsal, uri, cancellation)
  }

  /// - Parameter progress: called with numbers from 0 to 1.
  /// - Throws: what `up` itself would throw.
  package func run(progress: (Double) -> Void = { _ in }) throws -> RehearsalReport {
    let started = rehearsal.now()
    let (pending, before) = try rehearsal.migrator.pending()
    if pending.isEmpty { return report(try Measured { _ in before }, of: before) }
    let template = try filled(to: before.from)
    let interruption = Interruption()
    let (measured, first) = try onCopy(of: template, interruption)
    let second = try onOtherCopy(of: template, after: rehearsal.now())
    let ignored = Set(first.keys.filter { first[$0] != second[$0] })
    let judge = ServerJudge(
      stages: try stages(of: template, without: ignored)
    ) { try state(of: $0, without: ignored) }

    var report = report(measured, of: before)
    let points = points(interruption.messages)
    report.note(messages: interruption.messages.count)
    report.allPoints = points.count
    let wanted = points.prefix(rehearsal.wanted(points.count))
    for (index, point) in wanted.enumerated() {
      if index > 0, rehearsal.isOver(since: started) {
        report.isTimeOver = true
        break
      }
      try play(point, on: template, judge, &report)
      progress(Double(index + 1) / Double(wanted.count))
      try cancellation?.check()
    }
    progress(1)
    return report
  }

  private func report(_ measured: Measured, of before: Migrator.Report) -> RehearsalReport {
    RehearsalReport(measured, database: before.database, seed: rehearsal.seed, isOnServer: true)
  }

  // MARK: databases

  private func server(_ scratch: PostgresScratch, _ interruption: Interruption? = nil)
    -> PostgresServer
  {
    var server = PostgresServer(uri, ledger: rehearsal.migrator.options.ledger)
    server.scratch = scratch.name
    server.interruption = interruption
    return server
  }

  private func migrator(
    _ scratch: PostgresScratch, _ interruption: Interruption? = nil
  ) -> Migrator {
    var options = rehearsal.migrator.options
    options.takesBackup = false
    var migrator = Migrator(
      catalog: rehearsal.migrator.catalog, on: server(scratch, interruption), options: options)
    migrator.runsAppSchema = true
    return migrator
  }

  private func filled(to version: Version) throws -> PostgresScratch {
    let scratch = try PostgresScratch(on: uri)
    if version > 0 {
      let options = rehearsal.migrator.options
      let server = server(scratch)
      let database = EmptyDatabase(
        engine: server, session: try server.open(options, cancellation))
      _ = try Scratch(
        rehearsal.migrator.catalog, to: version, on: database, ledger: options.ledger)
    }
    return scratch
  }

  private func copy(_ template: PostgresScratch) throws -> PostgresScratch {
    // The server copies no database that somebody uses.
    try template.endSessions()
    return try PostgresScratch(on: uri, copying: template)
  }

  private func session(_ scratch: PostgresScratch) throws -> PostgresSession {
    try PostgresSession(uri, database: scratch.name)
  }

  private func read<Result>(
    _ scratch: PostgresScratch, _ body: (ServerState) throws -> Result
  ) throws -> Result {
    try ServerState.read(
      session(scratch), ledger: rehearsal.migrator.options.ledger, body)
  }

  private func state(
    of scratch: PostgresScratch, without ignored: Set<ServerState.Column>
  ) throws -> DatabaseDump {
    try read(scratch) { try $0.dump(without: ignored) }
  }

  // MARK: undisturbed runs

  private typealias Columns = [ServerState.Column: String]

  private func onCopy(
    of template: PostgresScratch, _ interruption: Interruption
  ) throws -> (Measured, Columns) {
    let copy = try copy(template)
    var migrator = migrator(copy, interruption)
    let measured = try Measured { host in
      migrator.host = host
      return try migrator.up(cancellation: cancellation)
    }
    return (measured, try read(copy) { try $0.columns() })
  }

  private func onOtherCopy(of template: PostgresScratch, after first: Double) throws -> Columns {
    let copy = try copy(template)
    try takeNumbers(in: copy)
    // Times that are kept in whole seconds differ, too.
    let milliseconds = Int((first + 1.1 - rehearsal.now()) * 1000)
    if milliseconds > 0 { Clock.sleep(milliseconds: milliseconds) }
    try run(on: copy) { try takeNumbers(in: copy) }
    return try read(copy) { try $0.columns() }
  }

  /// As a run does that fails.
  private func takeNumbers(in copy: PostgresScratch) throws {
    try session(copy).execute(
      """
      SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, next)
      FROM pg_sequences,
        LATERAL (SELECT coalesce(last_value, start_value) + 7 * increment_by AS next) AS moved
      WHERE next BETWEEN min_value AND max_value AND NOT starts_with(lower(sequencename), ?)
      """, [.text(rehearsal.migrator.options.ledger.lowercased() + "_")])
  }

  /// What is there before the run and after each of its migrations.
  private func stages(
    of template: PostgresScratch, without ignored: Set<ServerState.Column>
  ) throws -> [DatabaseDump] {
    let copy = try copy(template)
    let first = try state(of: copy, without: ignored)
    let later = try run(on: copy) { try state(of: copy, without: ignored) }
    return [first] + later
  }

  /// Applies what is pending, and collects what `look` says after each migration.
  @discardableResult
  private func run<Found>(
    on copy: PostgresScratch, after look: @escaping @Sendable () throws -> Found
  ) throws -> [Found] {
    let found = Guarded<[Result<Found, any Error>]>([])
    var migrator = migrator(copy)
    migrator.host.reaching = { moment in
      guard moment == .afterCommit else { return }
      let one = Result { try look() }
      found.withLock { $0.append(one) }
    }
    try migrator.up(cancellation: cancellation)
    return try found.withLock { $0 }.map { try $0.get() }
  }

  // MARK: points

  private struct Point {
    /// Of the message, from 1.
    var number: Int
    var message: Interruption.Message
    var fault: ServerFault
  }

  /// All, in the order that the seed draws. Around COMMIT it is hardest to know what happened:
  /// every other point is there, as long as there are any.
  private func points(_ messages: [Interruption.Message]) -> [Point] {
    var dice = Dice(seed: rehearsal.seed)
    let all = messages.enumerated().flatMap { index, message in
      ServerFault.allCases.map { Point(number: index + 1, message: message, fault: $0) }
    }.shuffled(using: &dice)
    let commits = all.filter(\.message.isOfCommit)
    let others = all.filter { !$0.message.isOfCommit }
    return (0..<max(commits.count, others.count)).flatMap { index in
      [commits, others].compactMap { index < $0.count ? $0[index] : nil }
    }
  }

  private func play(
    _ point: Point, on template: PostgresScratch, _ judge: ServerJudge,
    _ report: inout RehearsalReport
  ) throws {
    let copy = try copy(template)
    let trouble = Guarded<(any Error)?>(nil)
    let interruption = Interruption(at: point.number) { socket in
      switch point.fault {
      case .cut: Interruption.cut(socket)
      case .kill:
        do { try copy.endSessions() } catch { trouble.withLock { $0 = error } }
      }
    }
    let outcome = Result { try migrator(copy, interruption).up() }
    if let error = trouble.withLock({ $0 }) { throw error }
    // A run that sends fewer messages than the first one was not disturbed.
    guard interruption.hasStruck else { return }
    try copy.waitForSessions(cancellation)
    let finding = try judge.finding(in: copy, after: outcome) { try migrator(copy).up() }
    report.add(point.fault, at: point.number, point.message.sentence, finding)
  }
}
