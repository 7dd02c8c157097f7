import Foundation
import Seedbed

/// The guide's work at its start, before it shows anything: its database gets the new release, and
/// the user's changes stay.
struct StartUp: Sendable {
  let database: URL
  let migrator: Migrator
  /// The last release that this edition of the guide knows; nil for all that it ships.
  private let release: Migrator.Version?

  /// - Parameter folder: the folder of this user and this app. It is created if it is missing.
  init(folder: URL, release: Migrator.Version? = nil, demoRows: Int = 0) throws {
    guard let catalog = Bundle.module.url(forResource: "Migrations", withExtension: nil) else {
      throw Trouble("The guide has no data. Install it again.")
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let isDemo = demoRows > 0
    database = folder.appending(path: isDemo ? "demo.sqlite" : "elements.sqlite")
    var options = Migrator.Options()
    // A user who goes back to an older guide keeps the newer data.
    options.allowsNewer = true
    // The user should not wait longer than this for another program.
    options.lockTimeout = .seconds(2)
    // The first start copies this database, which is at release 2, and applies the rest to it.
    let first = Bundle.module.url(forResource: "first", withExtension: "sqlite")
    migrator = try Migrator(
      catalog: isDemo ? Demo.catalog(catalog, rows: demoRows) : Catalog(locked: catalog),
      at: database, options: options, beginningWith: first)
    self.release = release
  }

  /// Most starts find nothing to do, and need one small read and one query.
  ///
  /// It may be killed at any time: the migration in progress is then not applied at all, and the
  /// next start begins it again. Cancelling the task does the same at once.
  ///
  /// - Returns: messages for the user.
  @MainActor func run(show: (Migrator.Progress) -> Void) async throws -> [String] {
    do throws(SeedbedError) {
      if let release {
        // Later releases in the catalog are not pending for an older edition.
        let current = (try? migrator.status().current) ?? 0
        if current == release { return [] }
        if current > release { return ["The data is of release \(current) already."] }
      } else if try migrator.outlook() == .upToDate {
        return []
      }
      return try news(of: await migrator.up(to: release, progress: show))
    } catch {
      // The migration in progress is rolled back. The guide goes on with the release that it has.
      let reason = Self.reason(for: error)
      let current = (try? migrator.status().current) ?? 0
      if current == 0 { throw Trouble(reason) }
      return [
        "\(reason) The guide goes on with release \(current), and the next start tries again."
      ]
    }
  }

  private func news(of report: Migrator.Report) throws(SeedbedError) -> [String] {
    guard report.outcome == .applied else { return report.notes }
    if report.from == 0 { return ["Welcome. The guide is at release \(report.to)."] }
    let counts = report.counts
    let news = "Release \(report.to): \(counts.inserted) new, \(counts.updated) corrected."
    // A start that was killed may have left some before this one.
    let isOpen = try migrator.conflicts().contains { $0.settled == nil }
    return isOpen ? [news, "Your own changes were kept. See: fieldguide mine"] : [news]
  }

  /// Each error in words for the user, with a remedy.
  static func reason(for error: SeedbedError) -> String {
    switch error.code {
    case .busy: "Another program is using the database."
    case .protected: "The device is locked."
    case .cancelled: "You stopped the update."
    case .diskFull: "The disk is full. Free some space."
    case .corrupt: "The database is damaged. Restore its last backup: fieldguide restore"
    case .newer, .tooOld, .foreignDatabase: error.message
    case .io, .backup: "The system refused a file: \(error.message)"
    case .outcomeUnknown: "It is not known whether the update was saved: \(error.message)"
    case .usage, .catalog, .csv, .gzip, .sql, .constraint, .foreignKey, .verify, .conflict, .drift,
      .missing, .outOfOrder, .needsConnection:
      "The new data does not fit. Please report this: \(error)"
    }
  }

  /// For a damaged database: restores the last backup. The releases after it are applied again.
  func restore() async throws -> String {
    let report = try await migrator.restore()
    return "The database was restored to \(report.restored.takenAt.text)."
  }
}
