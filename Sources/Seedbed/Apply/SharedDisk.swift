/// The free space of a disk that several runs write to at the same time. Otherwise each would count
/// all of it as its own.
final class SharedDisk: Sendable {
  /// The bytes that each run under way may write, by the path of its database.
  private let promised = Guarded<[String: Int64]>([:])
  /// More than any disk has, and so little that no sum overflows.
  private static let most: Int64 = 1 << 46

  /// Returns when there is room for a run in addition to the others, or when it is alone: then it
  /// finds out itself whether there is enough.
  ///
  /// - Parameter free: called again each time a run has ended; nil if the space is not known.
  func promise(_ asked: Int64, to path: String, free: () -> Int64?) {
    let bytes = min(asked, Self.most)
    func isRoom(_ promised: [String: Int64]) -> Bool {
      let others = promised.reduce(0) { $1.key == path ? $0 : $0 + $1.value }
      guard others > 0, let free = free() else { return true }
      return free - others >= bytes
    }
    promised.wait(until: isRoom) { $0[path] = bytes }
  }

  /// The run has ended. The space that it wrote is used now, and the rest is free again.
  func release(_ path: String) {
    promised.wait(until: { _ in true }) { $0[path] = nil }
  }
}
