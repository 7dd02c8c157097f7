/// What a program of its own does to every connection that Seedbed opens in it: it registers the
/// functions, collations and tokenizers that its databases need.
package enum ConnectionSetup {
  package typealias Body = @Sendable (OpaquePointer) throws -> Void

  /// Not the function alone: each look at one inside of a generic type wraps it once more, and
  /// after so many connections calling it would be too deep for any stack.
  private struct Setup {
    var body: Body
  }

  private static let setup = Guarded<Setup?>(nil)

  /// For the rest of the process.
  package static func install(_ new: @escaping Body) { setup.withLock { $0 = Setup(body: new) } }

  static func run(on handle: OpaquePointer) throws {
    guard let setup = setup.withLock({ $0 }) else { return }
    do {
      try setup.body(handle)
    } catch {
      throw SeedbedError(.io, "The program's own setup of a connection failed: \(error).")
    }
  }
}
