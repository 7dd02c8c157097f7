import Foundation

/// What may be called like a database and is no file.
package struct Oddities {
  private let folder: String

  /// Makes `pipe`, `socket`, and `device`, a link to one, in a folder.
  package init(in folder: String) throws {
    self.folder = folder
    var code = mkfifo(path("pipe"), 0o600)
    guard code == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    try FileManager.default.createSymbolicLink(
      atPath: path("device"), withDestinationPath: "/dev/zero")
    // By a short name: the path of a socket has at most some hundred bytes.
    let script = """
      import socket, os, sys
      os.chdir(sys.argv[1]); socket.socket(socket.AF_UNIX).bind("socket")
      """
    code = try Child.run(["python3", "-c", script, folder]).code
    guard code == 0 else { throw POSIXError(.EIO) }
  }

  package func path(_ name: String) -> String { "\(folder)/\(name)" }
}
