#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A file of the catalog that changes suddenly while a run reads it.
struct SpoiledFile: Sendable {
  let path: String
  private let bytes: [UInt8]

  init(_ path: String, _ answer: PlannedFault.Answer) throws {
    self.path = path
    bytes = try DiskImage.bytes(of: path)
    try write(Self.spoiled(bytes, answer), isNewFile: answer == .isReplaced)
  }

  static func isFile(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.type] as? FileAttributeType == .typeRegular
  }

  /// Restores the file.
  func mend() throws { try write(bytes, isNewFile: true) }

  private static func spoiled(_ bytes: [UInt8], _ answer: PlannedFault.Answer) -> [UInt8] {
    var bytes = bytes
    switch answer {
    case .shrinks: bytes.removeLast(bytes.count / 3)
    case .grows: bytes += bytes.suffix(16)
    default: bytes[bytes.count / 2] ^= 1
    }
    return bytes
  }

  /// Either a new file takes the old one's name, or processes that have the file open see the
  /// change.
  private func write(_ bytes: [UInt8], isNewFile: Bool) throws {
    let url = URL(fileURLWithPath: path)
    try Data(bytes).write(to: url, options: isNewFile ? .atomic : [])
  }
}
