import Foundation
@testable import Seedbed
import TestSupport

/// One database and one catalog in a folder of their own, in memory where there is such a disk.
final class Bench {
  let place: Place
  let device: Device
  let twin: (any Twin)?
  /// Where releases are downloads; nil if they are all read from the author's folder.
  let shelf: Shelf?

  /// - Parameter downloads: for histories of downloads.
  init(beside twin: (any Twin)? = nil, downloads: Dice? = nil) throws {
    self.twin = twin
    place = try Place(["Migrations/": ""], in: Place.memory)
    let folder = place.path
    device = try Device(folder + "/app.sqlite")
    shelf = downloads.map { Shelf(folder, $0, hasTwin: twin != nil) }
  }

  var folder: String { place.path }

  func write(_ name: String, _ text: String) throws {
    let path = folder + "/Migrations/" + name
    if let slash = name.firstIndex(of: "/") {
      mkdir(folder + "/Migrations/" + name[..<slash], 0o777)
    }
    guard let file = fopen(path, "w") else { throw Device.Failure(message: "cannot write \(path)") }
    fputs(text, file)
    guard fclose(file) == 0 else { throw Device.Failure(message: "cannot write \(path)") }
  }

  /// - Parameters:
  ///   - isTwin: on the database of the other engine.
  ///   - hasWhole: whether a copy of each release is as it was published.
  ///   - pending: what is to be applied: see `Shelf`.
  func migrator(
    _ policies: Migrator.Policies = Migrator.Policies(), isTwin: Bool = false,
    hasWhole: Bool = true, pending: [Release] = [], _ shape: Shape? = nil
  ) throws -> Migrator {
    var options = Migrator.Options()
    options.takesBackup = false
    options.policies = policies
    let catalog =
      try shelf?.catalog(hasWhole: hasWhole, pending: pending, shape)
      ?? Catalog(directory: folder + "/Migrations")
    if isTwin, let twin { return try twin.migrator(catalog, options) }
    return Migrator(catalog: catalog, at: folder + "/app.sqlite", options: options)
  }

  /// - Parameter created: the tables that the release creates, if it does.
  func write(_ release: Release, _ shape: Shape, creating created: Shape? = nil) throws {
    let folder = "\(release.version)_release/"
    shelf?.add(release)
    // A migration needs something to do, as the source may not have changed. SQL in downloads must
    // be allowed, and options are then, too.
    if shelf == nil || created != nil || release.files.isEmpty {
      try write(folder + "up.sql", (created?.sql ?? "") + "SELECT 1;\n")
      try write(folder + "down.sql", "SELECT 1;\n")
      if let twin {
        let sql = created.map(twin.sql) ?? ""
        try write(folder + "up.postgresql.sql", sql + "SELECT 1;\n")
        try write(folder + "down.postgresql.sql", "SELECT 1;\n")
      }
    }
    // A server changes no table for which checks are pending.
    if twin != nil, shelf == nil, created == nil, release.version.isMultiple(of: 2) {
      let alter = "ALTER TABLE \(shape.tables[0].name)"
      for (name, change) in [
        ("up", "ADD CONSTRAINT early"), ("after", "ADD CONSTRAINT later"),
        ("after.down", "DROP CONSTRAINT later"), ("down", "DROP CONSTRAINT early"),
      ] {
        let rule = change.hasPrefix("ADD") ? " CHECK (true)" : ""
        try write(folder + name + ".sql", "SELECT 1;\n")
        try write(
          folder + name + ".postgresql.sql", "\(alter) \(change)\(release.version)\(rule);\n")
      }
    }
    for file in release.files {
      let table = shape.tables[file.table]
      var file = file
      // The order of rows in a file decides nothing.
      if release.version.isMultiple(of: 2) { file.rows.reverse() }
      try write(folder + file.name(in: shape) + ".csv", file.csv(table))
    }
    if let policies = release.policies {
      try write(folder + "migration.json", shape.policies(policies))
    }
  }
}

extension Shape {
  func policies(_ policies: [Policy]) -> String {
    let texts = tables.indices.map {
      "\"\(tables[$0].name)\": {\(policies[$0].json(tables[$0]).joined(separator: ", "))}"
    }
    return "{\"tables\": {\(texts.joined(separator: ", "))}}"
  }
}

extension Clash {
  init(_ conflict: Migrator.Conflict) {
    self.init(
      table: conflict.table, key: CellJSON.columns(conflict.key.json) ?? [:],
      kind: conflict.kind.rawValue, policy: conflict.policy,
      resolution: conflict.resolution.rawValue, base: CellJSON.columns(conflict.base?.json),
      mine: CellJSON.columns(conflict.mine?.json), seed: CellJSON.columns(conflict.seed?.json),
      movedTo: CellJSON.columns(conflict.movedTo?.json))
  }
}

extension ModelCounts {
  init(_ counts: Migrator.Counts) {
    self.init(
      inserted: counts.inserted, updated: counts.updated, deleted: counts.deleted,
      unchanged: counts.unchanged, kept: counts.kept)
  }
}
