// Swift 5, as headers in Objective-C count: the compiler then lets a closure of the main actor
// check that it is there.
public import Dispatch
public import Foundation

/// The SDK does not mark tasks and requests as Sendable.
public class BGTask {
  public var expirationHandler: (() -> Void)?
  fileprivate let ended: (Bool) -> Void
  fileprivate init(_ ended: @escaping (Bool) -> Void) { self.ended = ended }
  public func setTaskCompleted(success: Bool) { ended(success) }
}

public final class BGContinuedProcessingTask: BGTask {
  public let progress = Progress(totalUnitCount: 0)
}

public class BGTaskRequest {
  fileprivate let identifier: String
  fileprivate init(_ identifier: String) { self.identifier = identifier }
}

public final class BGProcessingTaskRequest: BGTaskRequest {
  public var requiresExternalPower = false
  public init(identifier: String) { super.init(identifier) }
}

public final class BGContinuedProcessingTaskRequest: BGTaskRequest {
  public enum SubmissionStrategy { case fail, queue }
  public var strategy = SubmissionStrategy.queue
  public init(identifier: String, title: String, subtitle: String) { super.init(identifier) }
}

/// It begins a task at once, on a queue of its own. All its state is used on that queue only.
public final class BGTaskScheduler: @unchecked Sendable {
  public static let shared = BGTaskScheduler()
  private let queue = DispatchQueue(label: "scheduler")
  private var handlers: [String: (BGTask) -> Void] = [:]
  private var endings: [Bool] = []

  /// How tasks ended, which the SDK does not have.
  public var ended: [Bool] { queue.sync { endings } }

  @discardableResult
  public func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
    launchHandler: @escaping (BGTask) -> Void
  ) -> Bool {
    self.queue.sync { handlers[identifier] = launchHandler }
    return true
  }

  public func submit(_ taskRequest: BGTaskRequest) throws {
    let isContinued = taskRequest is BGContinuedProcessingTaskRequest
    let identifier = taskRequest.identifier
    queue.async {
      let ended: (Bool) -> Void = { success in self.queue.async { self.endings.append(success) } }
      let task = isContinued ? BGContinuedProcessingTask(ended) : BGTask(ended)
      self.handlers[identifier]?(task)
    }
  }
}
