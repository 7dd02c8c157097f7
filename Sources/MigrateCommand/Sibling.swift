#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif
internal import Seedbed

/// The program for databases on servers. It is linked with libpq, which not every machine has, so
/// `migrate` is not, and runs this program if a URL needs it: the one beside it, or else the one
/// that PATH has.
enum Sibling {
  static let name = "migrate-postgresql"
  private static let remedy =
    "the package seedbed-postgresql; in a clone of Seedbed, run Scripts/install PREFIX "
    + "--with libpq instead."

  /// The path from which this process was started, under any name.
  private static var thisProgram: String {
    #if os(Linux)
      var bytes = [CChar](repeating: 0, count: 4096)
      let count = readlink("/proc/self/exe", &bytes, bytes.count - 1)
      if count > 0 {
        return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
      }
    #endif
    return ProgramArguments.all.first ?? ""
  }

  private static let callersVersion = "SEEDBED_CALLERS_VERSION"

  /// Throws in the sibling if it was run by a `migrate` of another version.
  static func refuseOtherVersion() throws {
    guard let caller = getenv(callersVersion).map({ String(cString: $0) }) else { return }
    // A backup's command may run another `migrate`.
    unsetenv(callersVersion)
    guard caller != Tool.version else { return }
    throw SeedbedError(
      .io,
      "'\(name)' is version \(Tool.version), and the command that runs it \(caller). Install "
        + "the same version of both: \(remedy)")
  }

  /// The folder of this program, and those of PATH.
  private static var folders: [String] {
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    return [Files.split(thisProgram).folder] + path.split(separator: ":").map(String.init)
  }

  private static var path: String? {
    folders.lazy.filter { !$0.isEmpty }.map { $0 + "/" + name }
      .first { Files.kind($0) == .file && access($0, X_OK) == 0 }
  }

  static var isThere: Bool { path != nil }

  /// The error for a database on a server that this program cannot reach.
  static func missing(beside program: String) -> SeedbedError {
    SeedbedError(
      .io,
      "A database on a PostgreSQL server needs '\(name)', which is neither beside '\(program)' nor "
        + "on PATH. Install \(remedy)")
  }

  /// Replaces this process. Returns only by throwing.
  static func run(_ arguments: [String], instead invocation: Invocation) throws -> Never {
    guard let path else { throw missing(beside: invocation.program) }
    setenv(callersVersion, Tool.version, 1)
    // So that its advice names the command as the user called it.
    var words: [UnsafeMutablePointer<CChar>?] =
      ([invocation.program] + arguments).map { strdup($0) }
    words.append(nil)
    #if os(macOS) || os(Linux)
      execv(path, &words)
    #endif
    throw SeedbedError(
      .io, "'\(path)' cannot be run (\(String(cString: strerror(errno)))). Build it again.")
  }
}
