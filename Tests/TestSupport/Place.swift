package import Foundation

/// A folder that goes with its test. `SEEDBED_KEEP` leaves it, and prints where it is.
package final class Place: Sendable {
  /// The system's folder for what does not last.
  package static let temporary = NSTemporaryDirectory()

  /// In memory if the system has such a folder: for hundreds of small files, and for sockets, whose
  /// paths have at most 107 bytes.
  package static let memory =
    FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"

  private static let isKept = ProcessInfo.processInfo.environment["SEEDBED_KEEP"] != nil
  private static let prefix = "seedbed-\(getpid())-"

  /// Resolved, since programs print paths as the system reports them.
  package let path: String

  /// - Parameter files: by their paths in the folder.
  package init(_ files: [String: String] = [:], in folder: String = temporary) throws {
    guard let base = realpath(folder, nil) else { throw POSIXError(.ENOENT) }
    defer { free(base) }
    path = String(cString: base) + "/" + Self.prefix + UUID().uuidString
    guard mkdir(path, 0o700) == 0 else { throw POSIXError(.EACCES) }
    try write(files)
  }

  deinit {
    if Self.isKept { return print(path) }
    try? FileManager.default.removeItem(atPath: path)  // What stays is in a temporary folder.
  }

  package var url: URL { URL(filePath: path) }

  /// The paths of those that this process has left so far.
  package static func left() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: temporary)
      .filter { $0.hasPrefix(prefix) }.map { "\(temporary)/\($0)" }
  }

  package func write(_ files: [String: String]) throws {
    for (file, text) in files { try write(file, text) }
  }

  package func write(_ file: String, _ text: String) throws { try write(file, Array(text.utf8)) }

  /// Writes a file with the folders that it needs; a folder, if its path ends in `/`.
  package func write(_ file: String, _ bytes: [UInt8]) throws {
    let target = URL(filePath: path + "/" + file)
    try FileManager.default.createDirectory(
      at: target.hasDirectoryPath ? target : target.deletingLastPathComponent(),
      withIntermediateDirectories: true)
    if !target.hasDirectoryPath { try Data(bytes).write(to: target) }
  }

  package func bytes(_ file: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path + "/" + file)))
  }

  package func text(_ file: String) throws -> String {
    String(decoding: try bytes(file), as: UTF8.self)
  }

  package func remove(_ file: String) throws {
    try FileManager.default.removeItem(atPath: path + "/" + file)
  }

  package func link(_ file: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: path + "/" + file, withDestinationPath: target)
  }

  /// What is in the folder, or in one of its own.
  package func names(in folder: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path + "/" + folder).sorted()
  }
}
