/// What an app or a program of its own does to every connection that Seedbed opens for it: it gives
/// the key, or registers the functions, collations and tokenizers that its databases need.
package enum ConnectionSetup {
  package typealias Closure = @Sendable (_ handle: OpaquePointer) throws -> Void

  // It holds for a call, on its thread, without being handed through every layer.
  @TaskLocal private static var current: Closure?

  /// - Parameter setup: nil for that of the caller.
  @inline(never) package static func with<Result>(
    _ setup: Closure?, _ body: () throws -> Result
  ) rethrows -> Result {
    guard let setup else { return try body() }
    return try $current.withValue(setup) { try body() }
  }

  static func run(on handle: OpaquePointer) throws {
    guard let current else { return }
    do {
      try current(handle)
    } catch {
      throw SeedbedError(.io, "The app's own setup of a connection failed: \(error).")
    }
  }
}
