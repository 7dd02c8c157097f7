/// How an engine of its own reads the fields of one of its types.
package struct FieldCheck: Sendable, Equatable {
  package typealias Field = UnsafeMutableBufferPointer<UInt8>

  /// The type with all that it demands: checks of the same name are the same.
  let name: String
  /// What a field must look like, for the error, and the remedy.
  let expectation: String
  /// Whether the field fits. It stays text unless this makes another value of the cell.
  let read: @Sendable (inout Cell, Field) -> Bool

  package init(
    _ name: String, expectation: String, read: @escaping @Sendable (inout Cell, Field) -> Bool
  ) {
    (self.name, self.expectation, self.read) = (name, expectation, read)
  }

  package static func == (one: FieldCheck, other: FieldCheck) -> Bool { one.name == other.name }
}
