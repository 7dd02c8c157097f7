import Seedbed
import SeedbedFaults

/// Holds what is there after an interruption against what may be there.
struct ServerJudge {
  /// What an undisturbed run finds and leaves between two commits.
  let stages: [DatabaseDump]
  let state: (PostgresScratch) throws -> DatabaseDump

  /// - Parameters:
  ///   - outcome: what the interrupted run reported.
  ///   - again: the next run.
  /// - Returns: what is wrong, if anything is.
  func finding(
    in scratch: PostgresScratch, after outcome: Result<Migrator.Report, any Error>,
    _ again: () throws -> Void
  ) throws -> Judge.Finding? {
    let found = try state(scratch)
    guard let stage = stages.firstIndex(of: found) else {
      let nearest = stages.map { found.difference(from: $0) }.min { $0.count < $1.count }
      return Judge.Finding(fault: .mixed, text: "no state between two\n\(nearest ?? "")")
    }
    if let finding = Self.finding(at: stage, of: stages.count - 1, after: outcome) {
      return finding
    }
    do {
      try again()
    } catch {
      return Judge.Finding(fault: .stuck, text: "\(error)")
    }
    let last = try state(scratch)
    guard let wanted = stages.last, last != wanted else { return nil }
    return Judge.Finding(
      fault: .stuck, text: "ends otherwise\n\(last.difference(from: wanted))")
  }

  /// Holds what was reported against how many migrations are there.
  static func finding(
    at stage: Int, of count: Int, after outcome: Result<Migrator.Report, any Error>
  ) -> Judge.Finding? {
    var (told, isUnknown) = (count, false)
    if case .failure(let error) = outcome {
      let error = SeedbedError.from(error)
      (told, isUnknown) = (error.applied.count, error.code == .outcomeUnknown)
    }
    let text = "\(told) of \(count) were reported as applied, and \(stage) are there"
    if stage < told { return Judge.Finding(fault: .lost, text: text) }
    if stage > told + (isUnknown ? 1 : 0) { return Judge.Finding(fault: .unclear, text: text) }
    return nil
  }
}
