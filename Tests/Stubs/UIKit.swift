public struct UIBackgroundTaskIdentifier: Hashable, Sendable, RawRepresentable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
}

@MainActor
public class UIApplication {
  public static let shared = UIApplication()

  public func beginBackgroundTask(
    withName taskName: String?,
    expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier { UIBackgroundTaskIdentifier(rawValue: 0) }

  public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
}
