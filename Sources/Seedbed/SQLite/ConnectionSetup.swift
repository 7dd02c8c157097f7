/// What a program of its own does to every connection that Seedbed opens in it: it registers the
/// functions, collations and tokenizers that its databases need.
package enum ConnectionSetup {
  package typealias Body = @Sendable (OpaquePointer) throws -> Void

  private static let body = Guarded<Body?>(nil)

  /// For the rest of the process.
  package static func install(_ new: @escaping Body) { body.withLock { $0 = new } }

  static func run(on handle: OpaquePointer) throws {
    guard let run = body.withLock({ $0 }) else { return }
    do {
      try run(handle)
    } catch {
      throw SeedbedError(.io, "The program's own setup of a connection failed: \(error).")
    }
  }
}
