@testable import Seedbed
@testable import SeedbedOverTheAir

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An author's releases: what the app ships, and sound bundles of all of them.
enum FuzzBundle {
  static let id = "00112233445566778899aabbccddeeff"
  static let key = SigningKey(seed: [UInt8](repeating: 7, count: Ed25519.keySize))
  static let other = SigningKey(seed: [UInt8](repeating: 8, count: Ed25519.keySize))

  /// The rows of `t` after each release.
  static let rows = [1: "1 x, 2 y", 2: "1 x, 2 y, 3 z", 3: "1 new, 3 z"]

  private static let options = #"{"id": "\#(id)"}"#

  private static let releases: [[(path: String, text: String)]] = [
    [
      ("0001_a/t.csv", "id,a\n1,x\n2,y\n"),
      ("0001_a/up.sql", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);"),
    ], [("0002_b/t.csv", "id,a\n3,z\n")],
    [("0003_c/t.delete.csv", "id,a\n2,y\n"), ("0003_c/t.update.csv", "id,a,was:a\n1,new,x\n")],
  ]

  /// Writes what the app ships, the first release, and returns its folder.
  static func ship(to folder: String) throws -> String {
    let shipped = folder + "/Shipped"
    for path in [shipped, shipped + "/0001_a"] { mkdir(path, 0o700) }
    for (path, text) in releases[0] + [(Lock.optionsName, options)] {
      try FuzzInput.write(Array(text.utf8), to: "\(shipped)/\(path)")
    }
    try FuzzInput.write(Array(lock(of: 1).utf8), to: "\(shipped)/\(Lock.fileName)")
    return shipped
  }

  /// A sound bundle of all releases above `since`.
  static func all(above since: Int = 0, by keys: [SigningKey] = [key]) throws -> [UInt8] {
    let lock = Array(self.lock(of: 3).utf8)
    return try signed(lock, by: keys) + files(above: since)
  }

  /// The signature and the lock, as a bundle begins.
  static func signed(_ lock: [UInt8], by keys: [SigningKey] = [key]) throws -> [UInt8] {
    let signature = try signature(of: lock, by: keys)
    return file(LockSignature.fileName, signature.bytes) + file(Lock.fileName, lock)
  }

  static func signature(
    of lock: [UInt8], by keys: [SigningKey] = [key]
  ) throws -> LockSignature {
    var signature = LockSignature(
      catalog: id, head: try LockHead.parse(lock).version,
      lock: "sha256:" + Checksum.digest(of: lock), time: "2026-11-26T10:00:00Z")
    for key in keys { try signature.sign(by: key) }
    return signature
  }

  /// The rest of a bundle.
  static func files(above since: Int) -> [UInt8] {
    let texts = [(Lock.optionsName, options)] + releases[since...].flatMap(\.self)
    return texts.flatMap { file($0.0, Array($0.1.utf8)) }
      + [UInt8](repeating: 0, count: Int(Ustar.endSize))
  }

  private static func file(_ path: String, _ content: [UInt8]) -> [UInt8] {
    let padding = Int(Ustar.padded(Int64(content.count))) - content.count
    return (Ustar.header(path, size: Int64(content.count)) ?? []) + content
      + [UInt8](repeating: 0, count: padding)
  }

  /// What `migrate lock` writes for the first releases.
  static func lock(of count: Int) -> String {
    var lines = [line(Lock.optionsName, options, rows: nil)]
    var chain: String?
    for (index, files) in releases.prefix(count).enumerated() {
      let (folder, _) = Paths.split(files[0].path)
      let sum = Checksum.of(
        files.map { (Paths.split($0.path).name, Checksum.digest(of: Array($0.text.utf8))) })
      let next = Checksum.chain(after: chain, version: Version(index + 1), checksum: sum)
      chain = next
      lines.append("\(folder)/ \(sum) \(next)")
      lines += files.map { path, text in
        line(path, text, rows: path.hasSuffix(".sql") ? nil : text.utf8.count { $0 == 0x0A } - 1)
      }
    }
    return withCheck(
      "seedbed.lock 1\nhead \(count) \(chain ?? "")\nbody 0 crc32:0\n"
        + lines.map { $0 + "\n" }.joined())
  }

  private static func line(_ path: String, _ text: String, rows: Int?) -> String {
    let size = text.utf8.count
    let digest = Checksum.digest(of: Array(text.utf8))
    return "\(path) \(size) \(size) \(rows.map { "\($0)" } ?? "-") \(digest)"
  }

  /// The lock with the number of its lines and their checksum as they should be.
  private static func withCheck(_ lock: String) -> String {
    String(decoding: withCheck(Array(lock.utf8)), as: UTF8.self)
  }

  static func withCheck(_ lock: [UInt8]) -> [UInt8] {
    var lines = lock.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
    guard lines.count == 4 else { return lock }
    let check = lines[3].withUnsafeBytes { CRC32.of($0) }
    lines[2] = Array("body \(lines[3].count { $0 == 0x0A }) crc32:\(check)".utf8)[...]
    return Array(lines.joined(separator: [0x0A]))
  }
}
