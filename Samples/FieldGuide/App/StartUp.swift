import Observation
import Seedbed
import SwiftUI

@MainActor @Observable
final class StartUp {
  enum State {
    case working(Double)
    case ready
    /// The app goes on with the rows that it has.
    case later
    case failed(String)
  }

  private(set) var state = State.working(0)
  /// Read again what you cached of these tables.
  private(set) var touchedTables: [String] = []
  /// False until the first release is in the database: until then there is nothing to show.
  private(set) var hasData = false
  private(set) var run: Task<Void, Never>?

  /// Only the first call begins: a view may appear again.
  func begin(_ migrator: Migrator) {
    if run == nil { tryAgain(migrator) }
  }

  func tryAgain(_ migrator: Migrator) {
    state = .working(0)
    run = Task { await self.apply(migrator) }
  }

  /// Cancels the run, which rolls back what is in flight.
  func postpone() {
    run?.cancel()
    state = .later
  }

  private func apply(_ migrator: Migrator) async {
    // It may wait for a lock, so not on the main actor.
    let found = Task.detached { try? migrator.status().current }
    hasData = (await found.value ?? 0) > 0
    do {
      let report = try await migrator.up { progress in
        if case .working = self.state { self.state = .working(progress.fraction) }
      }
      touchedTables = report.touchedTables
      state = .ready
    } catch {
      hasData = hasData || !error.applied.isEmpty
      switch error.code {
      // The device is locked, or another process has the database: nothing is wrong.
      case .busy, .cancelled, .protected:
        state = hasData ? .later : .failed("The data is not there yet.")
      case .diskFull: state = .failed("Free some space, and try again.")
      default: state = .failed("The new data could not be added.")
      }
    }
  }
}

struct Splash<Content: View>: View {
  let migrator: Migrator
  @State var start = StartUp()
  @ViewBuilder let content: () -> Content

  var body: some View {
    VStack {
      switch start.state {
      case .working(let fraction):
        ProgressView("Updating the data", value: fraction)
        if start.hasData { Button("Later") { start.postpone() } }
      case .ready, .later:
        content()
      case .failed(let message):
        Text(message)
        Button("Try again") { start.tryAgain(migrator) }
        if start.hasData { Button("Later") { start.postpone() } }
      }
    }
    .task { start.begin(migrator) }
  }
}
