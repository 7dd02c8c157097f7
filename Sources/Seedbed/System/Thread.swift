#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A thread of our own: work that blocks stays off the cooperative pool.
package final class Thread {
  private let handle: pthread_t
  private var isJoined = false

  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread that is joined later.
  package init(_ run: @escaping @Sendable () -> Void) throws { handle = try Self.create(run) }

  deinit { join() }

  package func join() {
    if isJoined { return }
    isJoined = true
    pthread_join(handle, nil)
  }

  /// Starts a thread that is never joined: `run` itself reports the end.
  static func detach(_ run: @escaping @Sendable () -> Void) throws {
    pthread_detach(try create(run))
  }

  private static func create(_ run: @escaping @Sendable () -> Void) throws -> pthread_t {
    let body = Unmanaged.passRetained(Body(run))
    #if canImport(Darwin)
      // By default only a process's first thread gets more than 512 KiB there, and SQLite's
      // recursion is as deep as the nesting of the app's SQL.
      var attributes = pthread_attr_t()
      pthread_attr_init(&attributes)
      pthread_attr_setstacksize(&attributes, 8 << 20)
      // A user may be watching: the work is as urgent as the caller's.
      pthread_attr_set_qos_class_np(&attributes, qos_class_self(), 0)
      defer { pthread_attr_destroy(&attributes) }
      var created: pthread_t?
      let number = pthread_create(&created, &attributes, { Thread.start($0) }, body.toOpaque())
    #else
      var created = pthread_t()
      let number = pthread_create(&created, nil, { Thread.start($0!) }, body.toOpaque())
    #endif
    guard number == 0 else {
      body.release()
      throw SeedbedError(.io, "Cannot start a thread: \(String(cString: strerror(number))).")
    }
    #if canImport(Darwin)
      return created!
    #else
      return created
    #endif
  }

  private static func start(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
    return nil
  }
}
