import Foundation

public struct Logger: Sendable {
  public init() {}
  public func error(_ message: OSLogMessage) {}
}

public struct OSLogPrivacy: Sendable {
  public static let `public` = OSLogPrivacy()
}

public struct OSLogMessage: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) {}
  public init(stringInterpolation: Interpolation) {}

  public struct Interpolation: StringInterpolationProtocol {
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) {}
    public mutating func appendInterpolation(
      _ text: @autoclosure @escaping () -> String, privacy: OSLogPrivacy
    ) {}
  }
}

public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  private final class Cell {
    let lock = NSLock()
    var state: State
    init(_ state: State) { self.state = state }
  }

  private let cell: Cell

  public init(initialState: State) where State: Sendable { cell = Cell(initialState) }

  public func withLock<R: Sendable>(
    _ body: @Sendable (inout State) throws -> R
  ) rethrows -> R {
    cell.lock.lock()
    defer { cell.lock.unlock() }
    return try body(&cell.state)
  }
}
