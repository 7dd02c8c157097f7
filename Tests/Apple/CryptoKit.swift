// As much of Apple's CryptoKit as Sources use.

public struct SHA256 {
  public init() {}
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
  public func finalize() -> SHA256Digest { SHA256Digest() }
}

public struct SHA256Digest: Sequence {
  public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}

public struct Data: Sequence {
  public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}

public enum Curve25519 {
  public enum Signing {
    public struct PrivateKey {
      public init(rawRepresentation: some Collection<UInt8>) throws {}
      public var publicKey: PublicKey { PublicKey() }
      public func signature(for data: some Collection<UInt8>) throws -> Data { Data() }
    }
    public struct PublicKey {
      init() {}
      public init(rawRepresentation: some Collection<UInt8>) throws {}
      public var rawRepresentation: Data { Data() }
      public func isValidSignature(
        _ signature: some Collection<UInt8>, for data: some Collection<UInt8>
      ) -> Bool { false }
    }
  }
}
