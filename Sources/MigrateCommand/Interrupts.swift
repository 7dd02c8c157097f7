#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif
internal import Seedbed

/// Turns SIGINT and SIGTERM into a rollback.
///
/// The signals are blocked in the calling thread, and so in all that it starts from then on; one
/// thread waits for them. No code runs inside a signal handler. Verbs that change nothing do
/// not watch, but for those that look at many databases: a signal ends them at once, as it ends any
/// program.
enum Interrupts {
  /// What is said of the first signal, and of those after it.
  struct Words: Sendable {
    let first: String
    /// nil if a second one ends the process.
    let again: String?

    static let ofRun = Words(
      first: "Interrupted. Rolling back.",
      again: "Still rolling back: this signal changes nothing.")
    /// The report says what was seen so far. A second signal does not wait for what cannot be
    /// stopped: SQLite rolls that back by itself.
    static let ofLook = Words(first: "Interrupted. Stopping.", again: nil)
    /// Nothing is rolled back: what is tried is a copy.
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

  /// A closed stdout becomes an error of `write`, and does not end a run half-way.
  static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }

  /// What the parent switched off, as a shell does for a job in the background, stays off.
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

    /// The first signal asks to stop; those after it find that under way.
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
      { context in
        // Optional on one system and not on the other.
        let context: UnsafeMutableRawPointer? = context
        if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, body)
    // Without the thread the signals would be lost: let them end the process instead.
    if failure != 0 {
      Unmanaged<Body>.fromOpaque(body).release()
      var signals = sigset_t()
      sigemptyset(&signals)
      pthread_sigmask(SIG_SETMASK, &signals, nil)
    }
  }
}
