import Foundation
import Seedbed

/// What the guide does at its start, before it shows anything: its database gets the new release,
/// and the user's changes stay.
struct StartUp {
  let database: URL
  private let migrator: Migrator

  /// - Parameter folder: of this user and this app; it is made if it is missing.
  init(folder: URL) throws {
    guard let catalog = Bundle.module.url(forResource: "Migrations", withExtension: nil) else {
      throw Trouble("The guide has no data. Install it again.")
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    database = folder.appending(path: "elements.sqlite")
    var options = Migrator.Options()
    // A user who goes back to an older guide keeps the newer data.
    options.allowsNewer = true
    // The user should not wait longer than this for another program.
    options.lockTimeout = .seconds(2)
    migrator = try Migrator(
      catalog: Catalog(locked: catalog), at: database, options: options)
  }

  /// Most starts find nothing to do, and pay for one small read and one query.
  ///
  /// It may be killed at any time: the release is then not applied at all, and the next start
  /// begins it again.
  ///
  /// - Returns: what to tell the user.
  func run(show: (Double) -> Void) async throws -> [String] {
    do {
      if try migrator.outlook() == .upToDate { return [] }
      return news(of: try await migrator.up { show($0.fraction) })
    } catch let error as SeedbedError {
      // It was rolled back. If an earlier release is there, the guide goes on with that one.
      guard let status = try? migrator.status(), status.current > 0 else {
        throw error.code == .corrupt ? Trouble.damaged(database.path) : error
      }
      switch error.code {
      // Another program has the database, or the device is locked: nothing is wrong.
      case .busy, .protected, .cancelled: return ["The new data will be applied at the next start."]
      default: return ["The new data could not be applied, so the old data is shown: \(error)"]
      }
    }
  }

  private func news(of report: Migrator.Report) -> [String] {
    var news = report.notes
    if report.outcome == .applied {
      news.append(
        "Release \(report.to): \(report.counts.inserted) new, \(report.counts.updated) corrected.")
    }
    if report.migrations.contains(where: { $0.conflictCount > 0 }) {
      news.append("Your own changes were kept. See: fieldguide mine")
    }
    return news
  }

  /// For a damaged database: the last backup, and what came after it comes again.
  func restore() async throws -> String {
    let report = try await migrator.restore()
    return "The database was restored to \(report.restored?.takenAt.text ?? "")."
  }

  /// Where the user and the releases disagreed, the newest last.
  func disagreements() throws -> [String] {
    try migrator.conflicts().map { conflict in
      let key = conflict.key.values.map(\.description).joined(separator: ", ")
      let columns = conflict.columns.map { column in
        let sides = [("yours", column.mine), ("the guide's", column.seed)]
        let values = sides.compactMap { side, value in value.map { "\(side) \($0)" } }
        return "\(column.name) \(values.joined(separator: ", "))"
      }
      return "\(conflict.table) \(key): \(columns.joined(separator: "; "))"
    }
  }
}

extension Trouble {
  fileprivate static func damaged(_ path: String) -> Trouble {
    Trouble("The database '\(path)' is damaged. Restore its last backup: fieldguide restore")
  }
}
