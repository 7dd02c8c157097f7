#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A thread of our own, to be joined: work that blocks stays off the cooperative pool.
final class Thread {
  private let handle: pthread_t
  private var isJoined = false

  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  init(_ run: @escaping @Sendable () -> Void) throws {
    let body = Unmanaged.passRetained(Body(run))
    #if canImport(Darwin)
      var created: pthread_t?
      let number = pthread_create(&created, nil, { Thread.start($0) }, body.toOpaque())
    #else
      var created = pthread_t()
      let number = pthread_create(&created, nil, { Thread.start($0!) }, body.toOpaque())
    #endif
    guard number == 0 else {
      body.release()
      throw SeedbedError(.io, "Cannot start a thread: \(String(cString: strerror(number))).")
    }
    #if canImport(Darwin)
      handle = created!
    #else
      handle = created
    #endif
  }

  deinit { join() }

  func join() {
    if isJoined { return }
    isJoined = true
    pthread_join(handle, nil)
  }

  private static func start(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
    return nil
  }
}
