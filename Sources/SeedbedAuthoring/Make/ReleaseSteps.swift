import Seedbed

/// Divides a release into steps, each a migration of its own, if one migration may not contain it:
///
///     1  rows to retire that have new keys of others, and rows to add to which new keys refer
///     2  keys that change, table by table, parents first: references follow them
///     3  then new names, if others are to refer by them
///     4  then all but the rows that are refused beside others, and those that meet a conflict
///        without them
///
/// Each step is applied, and the result is compared with the source. So the next step has the
/// values of its rows just before it, and refers to rows by the names that they have then.
struct ReleaseSteps {
  let maker: ReleaseMaker
  let trial: ReleaseTrial
  let options: [UInt8]?
  /// The files besides the rows.
  let own: [NewFile]

  static let most = 100
  private static let ofNames = "A name means the row that has it before the migration."
  static let ofKeys = "Key changes go into their own migration, before the rest."

  /// - Parameters:
  ///   - keyed: the steps in which keys change, and what is left then.
  ///   - refusal: why one migration may not contain all of it; nil if that is not known.
  func cut(
    _ keyed: (steps: [ReleaseContent], rest: ReleaseContent), _ refusal: SeedbedError?
  ) throws -> [ReleaseContent] {
    var (steps, rest) = keyed
    var refusal = refusal
    while true {
      rest.isFirst = steps.isEmpty
      if !steps.isEmpty, rest.rows.count == 0, !own.contains(where: ReleaseContent.comesLast) {
        steps[steps.count - 1].isLast = true
        return steps
      }
      if refusal == nil {
        let (outcome, scratch) = try apply(steps + [rest])
        switch outcome {
        case .refused(let error): refusal = error
        // The error is reported when the step is published.
        case .met: return steps + [rest]
        case .applied:
          let left = try self.rest(on: scratch, rest, Self.ofNames)
          if left.rows.count == 0 || left.rows.count >= rest.rows.count { return steps + [rest] }
          rest.isLast = false
          steps.append(rest)
          rest = left
        }
      }
      guard let error = refusal else { continue }
      if error.limit?.isCut == false { throw error }
      if steps.count == Self.most { throw error.inNoOrder }
      var step = try first(of: rest, behind: steps, error)
      step.isLast = false
      steps.append(step)
      rest = try self.rest(behind: steps)
      rest.reason = "\(error)"
      refusal = nil
    }
  }

  // MARK: steps

  private func first(
    of rest: ReleaseContent, behind steps: [ReleaseContent], _ refusal: SeedbedError
  ) throws -> ReleaseContent {
    var step = rest
    step.isLast = false
    if let names = refusal.limit?.names {
      let part = rest.rows.differences.filter { $0.target.name == names.table }.map { difference in
        let fields = difference.source.fields
        return difference.only(
          Set(
            fields.indices.filter {
              fields[$0].reference == nil && names.columns.contains(fields[$0].column.name)
            }))
      }
      step.rows = ReleaseRows(part)
      if let step = try largest(of: step, behind: steps, without: []) { return step }
    }
    step.rows = rest.rows
    let refused = try refused(refusal, in: rest.rows)
    guard let step = try largest(of: step, behind: steps, without: refused) else {
      throw refusal.inNoOrder
    }
    return step
  }

  /// A step without the rows that cannot be in it yet; nil if nothing is left.
  private func largest(
    of whole: ReleaseContent, behind steps: [ReleaseContent], without refused: Set<Int>
  ) throws -> ReleaseContent? {
    var step = whole
    step.rows = step.rows.only((0..<step.rows.count).filter { !refused.contains($0) })
    return try largest(of: step, behind: steps)?.step
  }

  /// The same, with the database after it.
  func largest(
    of whole: ReleaseContent, behind steps: [ReleaseContent]
  ) throws -> (step: ReleaseContent, scratch: ScratchDatabase)? {
    var step = whole
    while step.rows.count > 0 {
      let (outcome, scratch) = try apply(steps + [step])
      let postponed: Set<Int>
      switch outcome {
      case .applied: return (step, scratch)
      case .refused(let error): postponed = try self.refused(error, in: step.rows)
      case .met(let conflicts): postponed = try numbers(of: conflicts, in: step.rows)
      }
      if postponed.isEmpty { return nil }
      step.rows = step.rows.only((0..<step.rows.count).filter { !postponed.contains($0) })
    }
    return nil
  }

  private func refused(_ error: SeedbedError, in rows: ReleaseRows) throws -> Set<Int> {
    let name = error.limit?.file.split(separator: "/").last.map(String.init)
    guard let numbers = name.flatMap(rows.numbers) else { return [] }
    guard let refused = error.limit?.rows else { return Set(numbers) }
    return Set(refused.map { numbers.lowerBound + $0 - 1 })
  }

  private func numbers(of conflicts: [Migrator.Conflict], in rows: ReleaseRows) throws -> Set<Int> {
    let keys = Set(conflicts.map { [$0.table, $0.key.json] })
    var found: Set<Int> = []
    for run in rows.runs {
      let difference = rows.differences[run.difference]
      for (place, number) in run.numbers.enumerated() {
        let key =
          switch run.operation {
          case .update: difference.source.logKey(difference.updates[place].key)
          case .delete: difference.source.logKey(difference.deletes[place])
          case .insert: try difference.source.logKey(of: difference.inserts[place])
          }
        if let key, keys.contains([difference.target.name, key]) { found.insert(number) }
      }
    }
    return found
  }

  // MARK: trials

  enum Outcome {
    case applied
    case refused(SeedbedError)
    case met([Migrator.Conflict])
  }

  func apply(_ steps: [ReleaseContent]) throws -> (
    outcome: Outcome, scratch: ScratchDatabase
  ) {
    let names = try maker.folders(count: steps.count)
    let folders = try zip(steps, names).map { try $0.folder($1) }
    return try maker.writer.staged(folders, options: options) { next in
      let scratch = try trial.freshScratch()
      do {
        let report = try scratch.apply(next)
        let conflicts = report.migrations.flatMap(\.conflicts)
        return (conflicts.isEmpty ? .applied : .met(conflicts), scratch)
      } catch {
        let told = SourcePlaces(folders: folders, directory: maker.writer.partial).told(error)
        guard let error = told as? SeedbedError, error.limit != nil else { throw told }
        return (.refused(error), scratch)
      }
    }
  }

  private func rest(behind steps: [ReleaseContent]) throws -> ReleaseContent {
    let (outcome, scratch) = try apply(steps)
    if case .refused(let error) = outcome { throw error.inNoOrder }
    return try rest(on: scratch, steps[0], Self.ofKeys)
  }

  /// - Parameter renaming: the keys that are still to change.
  func rest(
    on scratch: ScratchDatabase, _ whole: ReleaseContent, _ reason: String,
    _ renaming: @escaping ([SourceTable]) throws -> RenamedRows = { _ in [:] }
  ) throws -> ReleaseContent {
    var rest = whole
    rest.rows = ReleaseRows(try maker.differences(in: scratch, renaming))
    rest.scratch = scratch
    (rest.isFirst, rest.isLast, rest.reason) = (false, true, reason)
    return rest
  }
}

extension SeedbedError {
  /// The error for rows that one migration may not contain, and that several migrations cannot
  /// contain in any order.
  var inNoOrder: SeedbedError {
    SeedbedError(
      code,
      message + " No order works, because the rows need each other: change the CSV in two steps, "
        + "with a release after each.", at: place)
  }
}
