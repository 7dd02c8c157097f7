import Foundation
import Seedbed

/// What a view holds: it changes on the main actor only.
@MainActor private final class Splash {
  var fractions: [Double] = []
}

extension Stranger {
  /// The calls that an app awaits, from the main actor.
  static func tryAwaited(_ folder: String, _ locked: String) async throws {
    let path = folder + "/words.sqlite"
    try Words.edited(path)
    let migrator = Migrator(catalog: try Words.catalog(), at: path)
    let splash = Splash()
    let planned = try await migrator.plan(to: 2, createsDatabase: false) {
      splash.fractions.append($0.fraction)
    }
    expect("a plan", planned.outcome, .planned)
    let report = try await migrator.up(to: 3, createsDatabase: false) {
      splash.fractions.append($0.fraction)
    }
    expect("it is applied", report.migrations.map(\.version), [2, 3])
    expect("the view ends at 1", splash.fractions.last, 1)
    let reverted = try await migrator.down(to: 2, discardsUserRows: false) {
      splash.fractions.append($0.fraction)
    }
    expect("it is reverted", reverted.outcome, .reverted)
    let restoreReport = try await migrator.restore(nil) {
      splash.fractions.append($0.fraction)
    }
    expect("it is restored", restoreReport.restored.version, 3)
    try await tryCancelling(folder)
  }

  /// A task that is cancelled while it waits for the lock.
  private static func tryCancelling(_ folder: String) async throws {
    let path = folder + "/cancelled.sqlite"
    let migrator = Migrator(catalog: try Words.catalog(), at: path)
    try await migrator.up(to: 1)
    let handle = try Handle(path)
    try handle.run("BEGIN IMMEDIATE")
    let task = Task { try await migrator.up() }
    try await Task.sleep(for: .milliseconds(100))
    task.cancel()
    guard case .failure(let cause) = await task.result, let seedbedError = cause as? SeedbedError
    else { fail("a cancelled task ends without an error of Seedbed") }
    expect("the task is cancelled", seedbedError.code, .cancelled)
    try handle.run("ROLLBACK")
    expect("the next call does it", try await migrator.up().to, 3)
  }
}
