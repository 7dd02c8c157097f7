// Swift 5, as headers in Objective-C count.

public struct UIBackgroundTaskIdentifier: Hashable, Sendable, RawRepresentable {
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
}

@MainActor
public class UIApplication {
  public static let shared = UIApplication()

  /// As if the system gave no time.
  public func beginBackgroundTask(
    withName taskName: String?,
    expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier { .invalid }

  public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
}
