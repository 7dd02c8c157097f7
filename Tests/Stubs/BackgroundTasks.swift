public import Dispatch
public import Foundation

/// The SDK does not mark tasks and requests as Sendable.
public class BGTask {
  public var expirationHandler: (() -> Void)?
  public func setTaskCompleted(success: Bool) {}
}

public final class BGContinuedProcessingTask: BGTask {
  public let progress = Progress(totalUnitCount: 0)
}

public class BGTaskRequest {}

public final class BGProcessingTaskRequest: BGTaskRequest {
  public var requiresExternalPower = false
  public init(identifier: String) {}
}

public final class BGContinuedProcessingTaskRequest: BGTaskRequest {
  public enum SubmissionStrategy { case fail, queue }
  public var strategy = SubmissionStrategy.queue
  public init(identifier: String, title: String, subtitle: String) {}
}

public final class BGTaskScheduler: Sendable {
  public static let shared = BGTaskScheduler()

  @discardableResult
  public func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
    launchHandler: @escaping (BGTask) -> Void
  ) -> Bool { true }

  public func submit(_ taskRequest: BGTaskRequest) throws {}
}
