import Foundation
import Seedbed
import SeedbedAuthoring
import SeedbedFaults
import SeedbedOverTheAir
import TestSupport
import Testing

/// One kind of run that is crashed in every way.
struct Scenario: Sendable, CustomTestStringConvertible {
  var name: String
  /// The catalog: `["0001_a/up.sql": "CREATE TABLE …"]`; what is named `.gz` is compressed.
  var files: [String: String]
  /// The version that has a snapshot beside its folder; nil where there is none.
  var snapshot: Version?
  /// The version of the ready-made database; nil where there is none.
  var built: Version?
  /// The last version that the app ships, where the others are in a signed download.
  var shipped: Version?
  /// What the app did to its database before; nil where there is none.
  var app: String?
  /// What Seedbed did before.
  var before: Before = .nothing
  var verb = Subject.Verb.up
  var options = Migrator.Options()
  /// The error in which it ends.
  var refusal: SeedbedError.Code?
  /// So few that pages go to the disk before COMMIT.
  var cachePages: Int?
  /// In which modes it is crashed.
  var journals = Scenario.journals

  var testDescription: String { name }

  enum Before: Sendable {
    case nothing
    /// Migrations up to this one, and then what the user did.
    case up(to: Version, user: String)
    /// The app's own transaction was killed before its end.
    case killed(String)
  }

  static let journals = ["delete", "truncate", "persist", "wal"]
}

/// A scenario in one journal mode, made ready in a folder.
struct Stand {
  let folder: String
  let subject: Subject
  let start: DiskImage
  let stages: [Stage]

  /// - Parameter folder: is made, and thrown away by whoever asked for it.
  init(_ scenario: Scenario, journal: String, in folder: String) throws {
    self.folder = folder
    let catalog = folder + "/Migrations"
    for (file, text) in scenario.files {
      let url = URL(fileURLWithPath: catalog + "/" + file)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      let bytes = Array(text.utf8)
      try Data(file.hasSuffix(".gz") ? Gzip(bytes, level: 0).bytes : bytes).write(to: url)
    }
    _ = try CatalogLock.write(directory: catalog)
    if let version = scenario.snapshot {
      _ = try Snapshot.write(directory: catalog, version: version)
    }
    if let version = scenario.built {
      _ = try FirstDatabase.build(
        directory: catalog, version: version,
        layout: .init(journalMode: journal == "wal" ? .wal : .delete))
    }
    let newest = try scenario.shipped.map { try Self.newest(catalog, shipped: $0, in: folder) }
    var subject = Subject(
      catalog: try newest ?? Catalog(locked: catalog), verb: scenario.verb,
      options: scenario.options)
    subject.journal = journal
    subject.refusal = scenario.refusal
    subject.cachePages = scenario.cachePages
    if scenario.built != nil { subject.first = catalog + "/" + FirstDatabase.name }
    start = try Self.start(scenario, &subject, in: folder + "/before")
    self.subject = subject
    try start.write(to: folder + "/stages")
    stages = try subject.stages(in: folder + "/stages")
  }

  /// What the app ships, continued by a download of what it does not.
  private static func newest(
    _ catalog: String, shipped version: Version, in folder: String
  ) throws -> Catalog {
    let (key, download, shipped) = (SigningKey(), folder + "/june.seedbed", folder + "/Shipped")
    _ = try CatalogSigning.sign(directory: catalog, with: key)
    _ = try BundleWriter.write(directory: catalog, to: download, since: version)
    let manager = FileManager.default
    try manager.copyItem(atPath: catalog, toPath: shipped)
    for name in try manager.contentsOfDirectory(atPath: shipped) {
      guard let number = Version(name.prefix(4)), number > version else { continue }
      try manager.removeItem(atPath: shipped + "/" + name)
    }
    _ = try CatalogLock.write(directory: shipped)
    return try Catalog.newest(
      bundled: shipped, downloaded: [download], signedBy: ["\(key.publicKey)"])
  }

  private static func start(
    _ scenario: Scenario, _ subject: inout Subject, in home: String
  ) throws -> DiskImage {
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    let path = home + "/" + Subject.database
    // Only WAL is a property of the file; the others are set on each connection.
    let mode = "PRAGMA journal_mode=\(subject.journal); "
    if let app = scenario.app { try Reader(path, creates: true).run(mode + app) }
    switch scenario.before {
    case .nothing: break
    case .up(let version, let user):
      _ = try subject.migrator(in: home).up(to: version)
      if !user.isEmpty { try Reader(path).run(mode + user) }
      if case .settle = subject.verb { _ = try subject.migrator(in: home).up() }
      if case .restore = subject.verb {
        _ = try subject.migrator(in: home).up()
        let name = try subject.migrator(in: home).backups().last?.path ?? ""
        subject.verb = .restore(URL(fileURLWithPath: name).lastPathComponent)
      }
    case .killed(let sql):
      let image = try DiskImage(of: home)
      let log = DiskLog(folder: home)
      let entries = try DiskLayer.observing(home, with: log) {
        let app = try Reader(path)
        try app.run(mode + "PRAGMA cache_size=1; " + sql)
        // Closing it would roll back: the process dies before.
        return withExtendedLifetime(app) { log.entries }
      }
      var disk = SimulatedDisk(image)
      for entry in entries { disk.apply(entry.change) }
      return disk.afterKill()
    }
    return try DiskImage(of: home)
  }
}
