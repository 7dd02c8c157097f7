import Foundation
import SeedbedAuthoring
import TestSupport
import Testing

@testable import Seedbed

/// Dice damage to what was good: a bundle on its way to a device, and the device's database.
/// `Scripts/checks/fuzz` does the same for longer, and looks where the damage leads.
@Suite struct MutationTests {
  /// Another seed draws other damage: SEEDBED_FUZZ_SEED.
  static let seed =
    ProcessInfo.processInfo.environment["SEEDBED_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
  static let bundles = 400
  static let databases = 400

  /// Everything that a catalog can have.
  private static let bundle: Bundle = {
    var bundle = Bundle([
      "catalog.json":
        #"{"verify": "fail", "tables": {"items": {"onTaken": "keepUser", "key": ["id"]}}}"#,
      "0001_case/up.sql": "CREATE TABLE made (id INTEGER PRIMARY KEY, word TEXT UNIQUE);\n",
      "0001_case/made.csv": "id,word\n1,one\n2,\"tw\"\"o\"\n3,\n",
      "0001_case/verify.sql": "SELECT 1 WHERE 0;",
      "0002_next/items.update.csv": "id,price,was:price\n10,7.5,1.5\n",
      "0002_next/items.delete.csv": "id,name,price\n11,eleven,2.5\n",
      "0002_next/parts.csv": "id,item:items.name,label\n1,ten,x\n",
      "0002_next/migration.json": #"{"description": "the next one", "foreignKeys": "on"}"#,
    ])
    bundle.files["0001_case/items.csv.gz"] =
      Gzip("id,name,price,made\n1,one,0.5,2021-01-01\n2,two,,\n").bytes
    return bundle
  }()

  @Test(arguments: [false, true])
  func `a damaged bundle is taken or refused, and a refusal changes nothing`(isLocked: Bool) throws
  {
    var dice = Dice(seed: Self.seed &+ (isLocked ? 1 << 32 : 0))
    var (taken, refused): (Int, [String: Int]) = (0, [:])
    var bundle = Self.bundle
    if isLocked { bundle = bundle.locked() }
    for round in 0..<Self.bundles / 2 {
      var damaged = bundle
      for _ in 0...dice.below(2) {
        let names = bundle.files.keys.sorted() + (isLocked ? ["seedbed.lock"] : [])
        let name = dice.pick(names)
        let seed = dice.next()
        damaged.changes.append(Bundle.Change(path: name) { Mutation.of($0, seed: seed) })
      }
      let place = try Place(in: Place.memory)
      try place.write(damaged)
      try Victim.place(in: place)
      let before = try Database(place.database).dump()
      let error = CorpusTests.failure(damaged, in: place)
      let database = try Database(place.database)
      #expect(try database.rows("PRAGMA integrity_check") == ["ok"])
      guard let error else {
        taken += 1
        continue
      }
      refused[error.code.rawValue, default: 0] += 1
      // The first of the two may be there, and the error says so.
      #expect(error.isDatabaseUnchanged == error.applied.isEmpty)
      guard error.applied.isEmpty else { continue }
      #expect(try database.dump() == before, "seed \(Self.seed), round \(round): \(error)")
    }
    print("damaged bundles, locked \(isLocked): \(taken) taken, refused \(refused)")
    #expect(refused.values.reduce(0, +) > Self.bundles / 8)
  }

  /// Whoever brings such a file may get anything from it but a crash, a hang or another error.
  @Test func `a damaged database is looked at without harm, and never made worse`() throws {
    var dice = Dice(seed: Self.seed)
    let images = try Self.images()
    var answers: [String: Int] = [:]
    let place = try Place(in: Place.memory)
    try place.write(Self.bundle)
    for round in 0..<Self.databases {
      let image = Mutation.ofDatabase(dice.pick(images), &dice)
      try image.write(to: URL(fileURLWithPath: place.database))
      let catalog = try Catalog(directory: place.catalog)
      var migrator = Migrator(catalog: catalog, at: place.database)
      migrator.options.lockTimeout = .milliseconds(100)
      for (verb, look) in [
        ("status", { _ = try migrator.status() }), ("conflicts", { _ = try migrator.conflicts() }),
        ("plan", { _ = try migrator.plan() }), ("up", { _ = try migrator.up() }),
      ] {
        answers[verb + " " + Self.answer(look), default: 0] += 1
        guard verb == "status" || verb == "conflicts" else { continue }
        let after = try Data(contentsOf: URL(fileURLWithPath: place.database))
        #expect(after == image, "seed \(Self.seed), round \(round): \(verb) changed the file")
      }
      try Self.sweep(place)
    }
    print("damaged databases: \(answers.sorted { $0.key < $1.key })")
  }

  private static func answer(_ look: () throws -> Void) -> String {
    do {
      try look()
      return "answers"
    } catch let error as SeedbedError {
      return error.code.rawValue
    } catch {
      Issue.record("not a SeedbedError: \(error)")
      return "?"
    }
  }

  /// Nothing of one round is found by the next.
  private static func sweep(_ place: Place) throws {
    for name in try place.names() where name.hasPrefix("app.sqlite") {
      try place.remove(name)
    }
  }

  /// Before the first migration, between the two and behind both; small pages, so that each byte
  /// counts.
  private static func images() throws -> [Data] {
    let place = try Place(in: Place.memory)
    try place.write(bundle)
    try Database(place.database).run("PRAGMA page_size=512;" + Victim.schema)
    var images = [try Data(contentsOf: URL(fileURLWithPath: place.database))]
    for version in [Version(1), 2] {
      var options = Migrator.Options()
      options.takesBackup = false
      _ = try Migrator(
        catalog: Catalog(directory: place.catalog), at: place.database,
        options: options
      ).up(to: version)
      images.append(try Data(contentsOf: URL(fileURLWithPath: place.database)))
    }
    return images
  }
}

/// What happens to bytes on their way.
enum Mutation {
  private static let interesting: [UInt8] =
    Array("\",\n\r\0{}[]:;0-9e.'".utf8) + [0xFF, 0x80, 0xC3]

  static func of(_ bytes: [UInt8], seed: UInt64) -> [UInt8]? {
    var dice = Dice(seed: seed)
    if dice.below(40) == 0 { return nil }
    var bytes = bytes
    for _ in 0...dice.below(4) {
      let place = bytes.isEmpty ? 0 : dice.below(bytes.count)
      switch dice.below(bytes.isEmpty ? 1 : 8) {
      case 0: bytes.insert(dice.pick(interesting), at: place)
      case 1: bytes.insert(UInt8(dice.below(256)), at: place)
      case 2: bytes[place] ^= 1 << UInt8(dice.below(8))
      case 3: bytes[place] = dice.pick(interesting)
      case 4: bytes.remove(at: place)
      case 5: bytes.removeLast(bytes.count - place)
      case 6: bytes += bytes[place...]
      default: bytes.removeSubrange(place..<min(bytes.count, place + dice.below(20)))
      }
    }
    return bytes
  }

  /// Mostly in the first pages, where the header and the schema stand.
  static func ofDatabase(_ image: Data, _ dice: inout Dice) -> Data {
    var image = image
    for _ in 0...dice.below(12) {
      let reach = dice.pick([100, 512, 2048, image.count])
      let place = dice.below(min(reach, image.count))
      switch dice.below(6) {
      case 0: image[place] ^= 1 << UInt8(dice.below(8))
      case 1: image[place] = UInt8(dice.below(256))
      case 2: image[place] = dice.pick([0, 1, 0x7F, 0x80, 0xFF])
      case 3 where dice.below(8) == 0: image = image.prefix(max(place, 1))
      case 4:
        let other = dice.below(image.count)
        let count = min(dice.below(64), image.count - max(place, other))
        image.replaceSubrange(place..<place + count, with: Array(image[other..<other + count]))
      default: image[place] &+= 1
      }
    }
    return image
  }
}
