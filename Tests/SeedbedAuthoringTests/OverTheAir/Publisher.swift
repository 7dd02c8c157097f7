import Foundation
import TestSupport

@testable import Seedbed
@testable import SeedbedAuthoring
@testable import SeedbedOverTheAir

/// An author who publishes releases, and a device of one of their users. What a thief would
/// publish, this one can as well.
final class Publisher {
  /// All releases.
  let bench: Workbench
  let key = SigningKey()
  static let id = "00112233445566778899aabbccddeeff"

  /// - Parameter files: beside those of releases 1 to 4, or in place of them.
  init(_ files: [String: String] = [:]) throws {
    var all = ["catalog.json": #"{"id": "\#(Self.id)"}"#]
    all["0001_words/up.sql"] = "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT);"
    for version in 1...4 {
      all["000\(version)_words/words.csv"] = "id,word\n\(version),word \(version)\n"
    }
    bench = try Workbench(all.merging(files) { $1 })
    try CatalogLock.write(directory: bench.catalog)
  }

  var keys: [String] { [key.publicKey.text] }

  /// The folder that the app ships: the releases up to a version.
  func shipped(to version: Version = 2) throws -> String {
    let folder = bench.path + "/Shipped\(version)"
    let manager = FileManager.default
    if manager.fileExists(atPath: folder) { return folder }
    try manager.copyItem(atPath: bench.catalog, toPath: folder)
    for name in try manager.contentsOfDirectory(atPath: folder) {
      guard let number = Version(name.prefix(4)), number > version else { continue }
      try manager.removeItem(atPath: folder + "/" + name)
    }
    try CatalogLock.write(directory: folder)
    return folder
  }

  /// A release of other rows under the same numbers.
  func forked(at version: Version) throws -> String {
    let folder = bench.path + "/Forked"
    try FileManager.default.copyItem(atPath: bench.catalog, toPath: folder)
    try bench.place.write("Forked/000\(version)_words/words.csv", "id,word\n66,forged\n")
    try CatalogLock.write(directory: folder)
    return folder
  }

  /// The releases up to a version, and one with a high number.
  func raised(to number: Version) throws -> String {
    let folder = bench.path + "/Raised"
    try FileManager.default.copyItem(atPath: shipped(to: 2), toPath: folder)
    try bench.place.write("Raised/\(number)_words/words.csv", "id,word\n666,forged\n")
    try CatalogLock.write(directory: folder)
    return folder
  }

  /// The catalog of a folder, signed.
  func signature(of folder: String? = nil, id: String = id, by keys: [SigningKey]? = nil) throws
    -> LockSignature
  {
    let lock = try Self.bytes((folder ?? bench.catalog) + "/" + Lock.fileName)
    var signature = LockSignature(
      catalog: id, head: try LockReader.read(lock).head.version,
      lock: "sha256:" + Checksum.digest(of: lock), time: "2026-11-26T10:00:00Z")
    for key in keys ?? [key] { try signature.sign(by: key) }
    return signature
  }

  /// The bytes of a bundle.
  ///
  /// - Parameters:
  ///   - folder: the catalog; nil for all releases.
  ///   - signature: nil for the author's own.
  ///   - content: another content of a file, by its path.
  func bundle(
    of folder: String? = nil, since: Version = 0, signature: [UInt8]? = nil,
    content: [String: [UInt8]] = [:]
  ) throws -> [UInt8] {
    let folder = folder ?? bench.catalog
    let lock = try Self.bytes(folder + "/" + Lock.fileName)
    let signature = try signature ?? self.signature(of: folder).bytes
    var bytes: [UInt8] = []
    func add(_ path: String, _ content: [UInt8]) {
      bytes += Ustar.header(path, size: Int64(content.count)) ?? []
      bytes += content
      bytes += [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
    }
    add(LockSignature.fileName, signature)
    add(Lock.fileName, content[Lock.fileName] ?? lock)
    let layout = BundleLayout(
      try LockReader.read(lock), since: since,
      start: BundleLayout.start(signature.count, lock.count))
    try layout.walk { folderName, name, _, _ in
      let path = folderName.map { "\($0)/\(name)" } ?? name
      add(path, try content[path] ?? Self.bytes("\(folder)/\(path)"))
    }
    return bytes + [UInt8](repeating: 0, count: Int(Ustar.endSize))
  }

  /// Gives a file the content that only a later version would write, and the lock its facts.
  func write(later content: String, to file: String) throws {
    try bench.write([file: content])
    var lines = String(decoding: try Self.bytes(bench.catalog + "/" + Lock.fileName), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let size = content.utf8.count
    let line = "\(file) \(size) \(size) - \(Checksum.digest(of: Array(content.utf8)))"
    for index in lines.indices where lines[index].hasPrefix(file + " ") { lines[index] = line }
    let body = lines.dropFirst(3).joined(separator: "\n")
    lines[2] = "body \(lines.count - 4) crc32:\(Lock.check(of: body))"
    try bench.write([Lock.fileName: lines.joined(separator: "\n")])
  }

  /// Puts a download on the device, and returns its path.
  @discardableResult
  func download(_ bytes: [UInt8], as name: String = "june") throws -> String {
    try bench.place.write("\(name).seedbed", bytes)
    return "\(bench.path)/\(name).seedbed"
  }

  func newest(
    _ downloads: [String], shipped version: Version = 2, signedBy keys: [String]? = nil,
    allowsSQL: Bool = false, known: [String: Version] = [:]
  ) throws -> Catalog {
    try Catalog.newest(
      bundled: shipped(to: version), downloaded: downloads, signedBy: keys ?? self.keys,
      allowsSQL: allowsSQL, known: known)
  }

  func migrator(_ catalog: Catalog, on name: String = "app.sqlite") -> Migrator {
    var options = Migrator.Options()
    options.takesBackup = false
    return Migrator(catalog: catalog, at: "\(bench.path)/\(name)", options: options)
  }

  /// What the device's database has.
  func words(on name: String = "app.sqlite") throws -> [Int64] {
    try Connection("\(bench.path)/\(name)", .readOnly, setup: nil)
      .rows("SELECT id FROM words ORDER BY id").map { try $0.integer(0) }
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }
}

extension [Migrator.PassedOver] {
  /// The reasons, without what `damaged` found.
  var words: [String] { map(\.reason.word) }
}
