public struct Logger: Sendable {
  public struct Message: ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) {}
  }

  public enum MetadataValue: ExpressibleByStringInterpolation {
    case string(String)
    public init(stringLiteral value: String) { self = .string(value) }
  }

  public typealias Metadata = [String: MetadataValue]

  public func info(
    _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil
  ) {}
}
