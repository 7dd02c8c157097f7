import Foundation
@testable import Seedbed
import SeedbedAuthoring
import SeedbedOverTheAir
import TestSupport

/// The releases of a history as a device has them: some ship with the app, and later ones lie
/// beside it as downloads, with copies that no database may take.
final class Shelf {
  private let folder: String
  private let key = SigningKey()
  private var dice: Dice
  private var releases: [Release] = []
  private var isPublished = false
  /// The last version of the app's own catalog.
  private var shipped = 0
  /// How often a download was passed over for each reason.
  var seen: [String: Int] = [:]

  private let hasTwin: Bool

  /// - Parameter folder: of the author's catalog and of all that is made from it.
  init(_ folder: String, _ dice: Dice, hasTwin: Bool) {
    (self.folder, self.dice, self.hasTwin) = (folder, dice, hasTwin)
  }

  private var last: Int { releases.last?.version ?? 0 }
  private var good: String { folder + "/good.seedbed" }
  private var older: String { folder + "/older.seedbed" }

  /// With the id by which an app knows the author's catalog.
  func options(_ text: String) -> String {
    "{\"id\": \"00112233445566778899aabbccddeeff\", " + text.dropFirst()
  }

  func add(_ release: Release) {
    releases.append(release)
    isPublished = false
  }

  /// Whether the release must be in a download, and has rows there.
  func lacks(_ release: Release) throws -> Bool {
    if !isPublished { try publish() }
    return shipped < release.version && !release.files.isEmpty && dice.chance(40)
  }

  // MARK: what a device has

  /// - Parameters:
  ///   - hasWhole: whether one of the downloads has all that the app lacks.
  ///   - pending: what is to be applied, and a copy with weaker options of `shape` may lie there.
  func catalog(hasWhole: Bool, pending: [Release], _ shape: Shape?) throws -> Catalog {
    if !isPublished { try publish() }
    let needsTrust = releases.contains {
      $0.version > shipped && ($0.files.isEmpty || $0.policies != nil)
    }
    var paths = hasWhole ? [good] : []
    if !hasWhole || dice.chance(50) { paths.append(try damaged()) }
    if dice.chance(30), FileManager.default.fileExists(atPath: older) { paths.append(older) }
    if hasWhole, last - shipped > 1, dice.chance(30) {
      let since = shipped + 1 + dice.below(last - shipped - 1)
      paths.append(try bundle(of: "Migrations", as: "late", since: since))
    }
    if let shape, !needsTrust, dice.chance(50), let weak = try weaker(pending, shape) {
      paths.append(weak)
    }
    paths.shuffle(using: &dice)
    return try Catalog.newest(
      bundled: folder + "/App", downloaded: paths, signedBy: [key.publicKey.text],
      allowsSQL: needsTrust)
  }

  /// The app's next edition may ship what was downloaded before.
  private func publish() throws {
    isPublished = true
    let manager = FileManager.default
    shipped = max(shipped, 1)
    if dice.chance(30) { shipped += dice.below(last - shipped + 1) }
    try sign("Migrations")
    try copy(to: "App")
    for release in releases where release.version > shipped {
      try manager.removeItem(atPath: "\(folder)/App/\(release.version)_release")
    }
    try CatalogLock.write(directory: folder + "/App")
    if manager.fileExists(atPath: good) {
      try? manager.removeItem(atPath: older)
      try manager.moveItem(atPath: good, toPath: older)
    }
    let mayLeaveOut = shipped < last && dice.chance(50)
    _ = try bundle(of: "Migrations", as: "good", since: mayLeaveOut ? shipped : 0)
  }

  private func sign(_ name: String) throws {
    try CatalogLock.write(directory: "\(folder)/\(name)")
    _ = try CatalogSigning.sign(directory: "\(folder)/\(name)", with: key)
  }

  private func copy(to name: String) throws {
    try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
    try FileManager.default.copyItem(atPath: folder + "/Migrations", toPath: "\(folder)/\(name)")
  }

  private func bundle(of catalog: String, as name: String, since: Int) throws -> String {
    let path = "\(folder)/\(name).seedbed"
    _ = try BundleWriter.write(directory: "\(folder)/\(catalog)", to: path, since: Int64(since))
    return path
  }

  // MARK: copies that are no good

  /// The whole download with one wrong byte, in a file of the last release if it has any.
  private func damaged() throws -> String {
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: good)))
    var places: [Range<Int>] = []
    var start = 0
    while let file = Ustar.file(Array(bytes[start..<min(start + 512, bytes.count)])) {
      let content = start + 512..<start + 512 + Int(file.size)
      if file.path.hasPrefix("\(last)_release/"), !content.isEmpty { places.append(content) }
      start += 512 + Int(Ustar.padded(file.size))
    }
    let place = places.isEmpty ? bytes.indices : dice.pick(places)
    bytes[place.lowerBound + dice.below(place.count)] ^= 1 << UInt8(dice.below(8))
    let path = folder + "/damaged.seedbed"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// The same releases under options that take more from users; nil if they would not, as where
  /// only releases that the app ships write to the tables: its own options are theirs.
  private func weaker(_ pending: [Release], _ shape: Shape) throws -> String? {
    var weak = shape
    var reached: Set<Int> = []
    let filled = Set(releases.filter { $0.version <= shipped }.flatMap(\.files).map(\.table))
    for table in shape.tables.indices {
      let own = shape.tables[table].settable.filter {
        shape.tables[table].columns[$0].role == .seeded && !shape.tables[table].refers($0)
      }
      weak.tables[table].identity = []
      for column in own {
        weak.tables[table].columns[column].role = .ignored
        weak.tables[table].columns[column].isPlainText = false
      }
      if !own.isEmpty, filled.contains(table) { reached.insert(table) }
    }
    let downloaded = pending.filter { $0.version > shipped }
    if reached.isDisjoint(with: downloaded.flatMap(\.files).map(\.table)) { return nil }
    try copy(to: "Weak")
    let text = options(weak.options(shape.tables.map { _ in Policy() }, hasTwin: hasTwin))
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/Weak/catalog.json"))
    try sign("Weak")
    return try bundle(of: "Weak", as: "weak", since: 0)
  }
}

extension History {
  /// Nothing changes where no copy of a release is whole, and none goes without a word.
  func upWithoutWhole(
    on database: any Database, _ policies: Migrator.Policies, _ release: Release,
    _ before: [[[Cell]]]
  ) throws {
    guard let shelf = bench.shelf, try shelf.lacks(release) else { return }
    do {
      let report = try bench.migrator(
        policies, isTwin: database is any Twin, hasWhole: false, pending: [release], shape
      ).up()
      for passed in report.passedOver {
        shelf.seen["passed over \(passed.reason.word)", default: 0] += 1
      }
      if !report.migrations.isEmpty || report.passedOver.isEmpty {
        throw disagreement(
          "\(report.migrations.map(\.version)) without a whole copy, \(report.passedOver)")
      }
    } catch is SeedbedError {
      shelf.seen["refused without a whole copy", default: 0] += 1
    }
    try compareRows(before, on: database)
    try compareLeft(left, on: database)
  }
}
