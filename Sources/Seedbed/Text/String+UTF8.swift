extension String {
  /// nil if the bytes are not UTF-8. `String(validating:as:)` needs macOS 15.
  package init?(utf8 bytes: some Collection<UInt8>) {
    self.init(decoding: bytes, as: UTF8.self)
    // Bytes that are not UTF-8 were replaced.
    guard utf8.elementsEqual(bytes) else { return nil }
  }
}
