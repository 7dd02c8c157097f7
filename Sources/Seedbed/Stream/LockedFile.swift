/// What the lock says of one file.
package struct LockedFile: Sendable, Equatable {
  /// In bytes, as it is on disk.
  package var size: Int64
  /// In bytes, decompressed; the same as `size` for a file that is not compressed.
  package var contentSize: Int64
  /// The records of a CSV file, its header not counted; nil for other files.
  package var rows: Int?
  /// SHA-256 of the decompressed content, 64 hexadecimal digits.
  package var digest: String
}
