/// An engine's own check for the fields of one of its types.
package struct FieldCheck: Sendable, Equatable {
  package typealias Field = UnsafeMutableBufferPointer<UInt8>

  /// The type with its conditions. Checks with the same name are the same.
  let name: String
  /// What a field must look like, and the remedy, for the error.
  let expectation: String
  /// Whether the field fits. The value stays text unless this sets another one in the cell.
  let read: @Sendable (inout Cell, Field) -> Bool

  package init(
    _ name: String, expectation: String, read: @escaping @Sendable (inout Cell, Field) -> Bool
  ) {
    (self.name, self.expectation, self.read) = (name, expectation, read)
  }

  package static func == (one: FieldCheck, other: FieldCheck) -> Bool { one.name == other.name }
}
