#if canImport(Darwin)
  // Sound: nothing here changes the environment.
  @preconcurrency internal import Darwin
#else
  @preconcurrency internal import Glibc
#endif
internal import Seedbed
internal import SeedbedOptions

/// Asks git about the repository of a folder, without a shell.
struct Git {
  let folder: String
  /// The option for which git is asked, for errors: `--against`.
  let option: String

  /// The content of a file in the folder at a commit.
  func content(of file: String, at ref: String) throws -> [UInt8] {
    try requireRepository()
    // git would read it as an option of its own.
    if ref.hasPrefix("-") || ref.isEmpty || ref.contains(":") { throw GitError.noRef(ref) }
    guard try ask(["rev-parse", "--verify", "--quiet", ref + "^{commit}"]).code == 0 else {
      throw GitError.noRef(ref)
    }
    // With `./`, git starts from this folder, not from the repository's root.
    let answer = try ask(["show", "\(ref):./\(file)"])
    guard answer.code == 0 else { throw GitError.noFile(file, ref) }
    return answer.output
  }

  /// The last tag before the current commit, or else the main branch.
  func lastRelease() throws -> String {
    try requireRepository()
    let tag = try ask(["describe", "--tags", "--abbrev=0"])
    if tag.code == 0 { return tag.line }
    for name in ["origin/HEAD", "origin/main", "origin/master", "main", "master"]
    where try ask(["rev-parse", "--verify", "--quiet", name + "^{commit}"]).code == 0 {
      return name
    }
    throw GitError.noRelease(option)
  }

  private func requireRepository() throws {
    let answer = try ask(["rev-parse", "--is-inside-work-tree"])
    guard answer.code == 0, answer.line == "true" else {
      throw GitError.noRepository(
        folder, option, String(decoding: answer.errors, as: UTF8.self))
    }
  }

  // MARK: the process

  private struct Answer {
    var code: Int32
    var output: [UInt8]
    var errors: [UInt8]

    /// The first line of its output.
    var line: String {
      String(decoding: output.prefix { $0 != 0x0A }, as: UTF8.self)
    }
  }

  private func ask(_ words: [String]) throws -> Answer {
    var (out, err): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard pipe(&out) == 0 else { throw GitError.noStart(errno, option) }
    defer { close(out[0]) }
    guard pipe(&err) == 0 else {
      close(out[1])
      throw GitError.noStart(errno, option)
    }
    defer { close(err[0]) }
    let started = Result { try start(["git", "-C", folder] + words, out, err) }
    close(out[1])
    close(err[1])
    let process = try started.get()
    let (output, errors) = Self.read(out[0], err[0])
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
    let isExit = status & 0x7F == 0
    return Answer(code: isExit ? status >> 8 & 0xFF : -1, output: output, errors: errors)
  }

  private func start(_ words: [String], _ out: [Int32], _ err: [Int32]) throws -> pid_t {
    #if os(macOS) || os(Linux)
      #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
      #else
        var actions = posix_spawn_file_actions_t()
      #endif
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, out[1], 1)
      posix_spawn_file_actions_adddup2(&actions, err[1], 2)
      for descriptor in out + err { posix_spawn_file_actions_addclose(&actions, descriptor) }
      let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
      defer { for pointer in arguments { free(pointer) } }
      var process = pid_t()
      let failure = posix_spawnp(&process, words[0], &actions, nil, arguments, environ)
      guard failure == 0 else { throw GitError.noStart(failure, option) }
      return process
    #else
      // No other system of Apple lets a program start another.
      throw GitError.noStart(ENOSYS, option)
    #endif
  }

  /// Reads both to their ends in turns, so that neither pipe fills up while the other is read.
  private static func read(_ out: Int32, _ err: Int32) -> ([UInt8], [UInt8]) {
    var texts: [[UInt8]] = [[], []]
    var open = [out, err]
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while open.contains(where: { $0 >= 0 }) {
      // poll ignores descriptors below 0.
      var waiting = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      if poll(&waiting, 2, -1) < 0 { continue }
      for index in 0..<2 where waiting[index].revents != 0 {
        let count = buffer.withUnsafeMutableBytes {
          #if canImport(Darwin)
            Darwin.read(open[index], $0.baseAddress, $0.count)
          #else
            Glibc.read(open[index], $0.baseAddress, $0.count)
          #endif
        }
        if count > 0 {
          texts[index] += buffer[..<count]
        } else if count == 0 || errno != EINTR {
          open[index] = -1
        }
      }
    }
    return (texts[0], texts[1])
  }
}

/// The lock at the commit that an option names, or at that of the last release.
struct ReleasedLock {
  let ref: String
  let bytes: [UInt8]

  /// nil if the option is not given.
  init?(_ option: VerbOption, _ context: CommandContext) throws {
    let given = try context.arguments.text(option)
    guard given != nil || context.arguments.has(option) else { return nil }
    let git = Git(folder: context.settings.migrations, option: option.spelling)
    ref = try given ?? git.lastRelease()
    bytes = try git.content(of: Lock.fileName, at: ref)
  }

  /// Its name in errors.
  var place: String { "\(ref):\(Lock.fileName)" }
}

enum GitError {
  static func noStart(_ number: Int32, _ option: String) -> SeedbedError {
    SeedbedError(
      .io,
      number == ENOENT
        ? "'git' was not found. Install it or add it to PATH: '\(option)' gets an earlier lock "
          + "from it."
        : "git cannot be started: \(String(cString: strerror(number))).")
  }

  static func noRepository(
    _ folder: String, _ option: String, _ words: String
  ) -> SeedbedError {
    let reason = words.split(whereSeparator: \.isNewline).first.map { " git says: \($0)." } ?? ""
    return SeedbedError(
      .io,
      "'\(folder.printable)' is not in a git repository, and '\(option)' compares with a commit."
        + reason.printable)
  }

  static func noRef(_ ref: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "git knows no commit, branch or tag '\(ref.printable)'. Name an existing one; in continuous "
        + "integration, fetch it first: git fetch --tags --unshallow.")
  }

  static func noRelease(_ option: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "There is no tag and no main branch to compare with. Name a commit: \(option) REF; in "
        + "continuous integration, fetch tags first: git fetch --tags --unshallow.")
  }

  static func noFile(_ file: String, _ ref: String) -> SeedbedError {
    SeedbedError(
      .io,
      "At '\(ref.printable)' the catalog has no \(file), so it is unknown what was released. "
        + "Name a commit that has one.")
  }
}
