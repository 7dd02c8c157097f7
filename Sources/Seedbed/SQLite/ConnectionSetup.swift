/// The setup that an app or a program runs on every connection that Seedbed opens for it: it gives
/// the key, or registers the functions, collations and tokenizers that its databases need.
package typealias ConnectionSetup = @Sendable (_ handle: OpaquePointer) throws -> Void

extension Connection {
  /// Call it right after a connection is opened.
  @inline(never) func setUp() throws {
    guard let setup else { return }
    do {
      try setup(handle)
    } catch {
      throw SeedbedError(.io, "The app's own setup of a connection failed: \(error).")
    }
  }
}
