#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif
internal import Seedbed

/// Turns SIGINT and SIGTERM into a rollback.
///
/// The signals are blocked in the calling thread, and so in all threads that it starts afterwards.
/// One thread waits for the signals. No code runs inside a signal handler. Verbs that only read do
/// not watch for signals, unless they read many databases: a signal ends them at once, like any
/// other program.
enum Interrupts {
  /// The messages for the first signal, and for later ones.
  struct Words: Sendable {
    let first: String
    /// nil if a second signal ends the process.
    let again: String?

    static let ofRun = Words(
      first: "Interrupted. Rolling back.",
      again: "Still rolling back: this signal changes nothing.")
    /// The report has the results so far. A second signal does not wait for work that cannot be
    /// stopped. SQLite rolls that back by itself.
    static let ofLook = Words(first: "Interrupted. Stopping.", again: nil)
    /// Nothing is rolled back: the rehearsal works on a copy.
    static let ofRehearsal = Words(
      first: "Interrupted. Stopping after this point.",
      again: "Still finishing this point: this signal changes nothing.")
  }

  static func watch(
    _ cancellation: Migrator.Cancellation, _ words: Words, say: @escaping @Sendable (String) -> Void
  ) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM] where !isIgnored(signal) { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let watcher = Watcher(
      signals: signals, cancellation: cancellation, words: words, say: say)
    startThread { watcher.run() }
  }

  /// Makes a closed stdout an error of `write`, so that it does not end a run half-way.
  static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Whether the parent process ignores the signal. It stays ignored then, for example in a shell's
  /// background job.
  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    // SIG_IGN is the number 1 in the place of a function, which Swift cannot compare.
    return unsafeBitCast(handler, to: Int.self) == 1
  }

  struct Watcher: Sendable {
    let signals: sigset_t
    let cancellation: Migrator.Cancellation
    let words: Words
    let say: @Sendable (String) -> Void

    func run() {
      var signals = signals
      var received: Int32 = 0
      while true {
        guard sigwait(&signals, &received) == 0 else { continue }
        answer()
      }
    }

    /// The first signal requests a stop. Later ones find it under way.
    func answer() {
      if !cancellation.isCancelled {
        say(words.first)
        return cancellation.cancel()
      }
      guard let again = words.again else { _exit(ExitCode.interrupted.rawValue) }
      say(again)
    }
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private static func startThread(_ run: @escaping @Sendable () -> Void) {
    let body = Unmanaged.passRetained(Body(run)).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let failure = pthread_create(
      &thread, nil,
      { pointer in
        // Optional on one system and not on the other.
        let body: UnsafeMutableRawPointer? = pointer
        if let body { Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run() }
        return nil
      }, body)
    // Without the thread, signals would be lost. Let them end the process instead.
    if failure != 0 {
      Unmanaged<Body>.fromOpaque(body).release()
      var signals = sigset_t()
      sigemptyset(&signals)
      pthread_sigmask(SIG_SETMASK, &signals, nil)
    }
  }
}
