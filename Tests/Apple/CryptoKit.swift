// As much of Apple's CryptoKit as Sources use.

public struct SHA256 {
  public init() {}
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
  public func finalize() -> SHA256Digest { SHA256Digest() }
}

public struct SHA256Digest: Sequence {
  public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}
