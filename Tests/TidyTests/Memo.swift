import Foundation

/// Keeps what was computed for a text.
final class Memo<Value>: @unchecked Sendable {
  // Sound: `values` is read and written under `lock` alone.
  private let lock = NSLock()
  private var values: [String: Value] = [:]
  private let make: @Sendable (String) -> Value

  init(_ make: @escaping @Sendable (String) -> Value) { self.make = make }

  subscript(text: String) -> Value {
    if let known = lock.withLock({ values[text] }) { return known }
    let value = make(text)
    lock.withLock { values[text] = value }
    return value
  }
}
