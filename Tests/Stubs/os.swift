public struct OSLogPrivacy: Sendable {
  public static var auto: OSLogPrivacy { OSLogPrivacy() }
  public static var `public`: OSLogPrivacy { OSLogPrivacy() }
}

public struct OSLogInterpolation: StringInterpolationProtocol {
  public init(literalCapacity: Int, interpolationCount: Int) {}
  public mutating func appendLiteral(_ literal: String) {}

  public mutating func appendInterpolation(
    _ text: @autoclosure @escaping () -> String, privacy: OSLogPrivacy = .auto
  ) {}

  public mutating func appendInterpolation<T: FixedWidthInteger>(
    _ number: @autoclosure @escaping () -> T, privacy: OSLogPrivacy = .auto
  ) {}
}

public struct OSLogMessage: ExpressibleByStringInterpolation {
  public init(stringInterpolation: OSLogInterpolation) {}
  public init(stringLiteral value: String) {}
}

public struct SignpostMetadata: ExpressibleByStringInterpolation {
  public init(stringInterpolation: OSLogInterpolation) {}
  public init(stringLiteral value: String) {}
}

public struct Logger: Sendable {
  public init(subsystem: String, category: String) {}
  public func info(_ message: OSLogMessage) {}
  public func error(_ message: OSLogMessage) {}
}

public final class OSSignpostIntervalState {}

public struct OSSignposter: Sendable {
  public init(logger: Logger) {}
  public func beginInterval(_ name: StaticString) -> OSSignpostIntervalState {
    OSSignpostIntervalState()
  }
  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
  public func emitEvent(_ name: StaticString, _ message: SignpostMetadata) {}
}
