public struct FilePath: Sendable, ExpressibleByStringLiteral {
  public init(stringLiteral: String) {}
}
