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

  /// A thread to be joined.
  package init(_ run: @escaping @Sendable () -> Void) throws { handle = try Self.create(run) }

  deinit { join() }

  package func join() {
    if isJoined { return }
    isJoined = true
    pthread_join(handle, nil)
  }

  /// A thread that nobody joins: `run` says itself when it is done.
  static func detach(_ run: @escaping @Sendable () -> Void) throws {
    pthread_detach(try create(run))
  }

  @inline(never)
  private static func create(_ run: @escaping @Sendable () -> Void) throws -> pthread_t {
    let body = Unmanaged.passRetained(Body(run))
    #if canImport(Darwin)
      // Other threads than the first get 512 KiB there, and SQLite goes as deep as the SQL of an
      // app is nested.
      var attributes = pthread_attr_t()
      pthread_attr_init(&attributes)
      pthread_attr_setstacksize(&attributes, 8 << 20)
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
