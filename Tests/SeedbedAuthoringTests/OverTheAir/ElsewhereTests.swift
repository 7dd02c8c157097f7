import Seedbed
import SeedbedAuthoring
import SeedbedOverTheAir
import Testing

/// Signatures by a key that is elsewhere.
struct ElsewhereTests {
  private func add(
    _ signature: [UInt8], of message: [UInt8], to folder: AuthorFolder
  ) throws -> SigningSummary {
    try CatalogSigning.add(
      signature, by: folder.key.publicKey, of: message, named: "lock.msg",
      directory: folder.catalog)
  }

  @Test func `what is signed elsewhere is as good`() throws {
    let folder = try AuthorFolder()
    let message = try CatalogSigning.message(directory: folder.catalog)
    #expect(try !folder.check().isThere)
    let summary = try add(folder.key.sign(message), of: message, to: folder)
    #expect(summary.keys == folder.keys && summary.isChanged)
    #expect(try folder.check().keys == folder.keys)
    #expect(try folder.signature().signedBytes == message)
    // The message of a signed lock is the one that was signed.
    #expect(try CatalogSigning.message(directory: folder.catalog) == message)
    #expect(try !folder.sign().isChanged)
  }

  @Test func `a message of an earlier lock is refused`() throws {
    let folder = try AuthorFolder()
    let message = try CatalogSigning.message(directory: folder.catalog)
    try folder.write(["0004_more/elements.csv": "number,name\n4,Boron\n"])
    try folder.lock()
    let error = #expect(throws: SeedbedError.self) {
      try add(folder.key.sign(message), of: message, to: folder)
    }
    #expect(
      error?.message == "'lock.msg' is the message of another lock: the catalog has changed since. "
        + "Write the message again, and sign that.")
  }

  @Test func `a message of another time is refused`() throws {
    let folder = try AuthorFolder()
    let message = try CatalogSigning.message(directory: folder.catalog)
    try folder.sign()
    try folder.forge(time: "2020-01-01T00:00:00Z", by: [folder.other])
    let error = #expect(throws: SeedbedError.self) {
      try add(folder.key.sign(message), of: message, to: folder)
    }
    #expect(error?.message.contains("the lock was signed at 2020-01-01T00:00:00Z") == true)
    #expect(try folder.check().keys == [folder.other.publicKey])
  }

  @Test func `a signature by another key is refused`() throws {
    let folder = try AuthorFolder()
    let message = try CatalogSigning.message(directory: folder.catalog)
    let error = #expect(throws: SeedbedError.self) {
      try add(folder.other.sign(message), of: message, to: folder)
    }
    #expect(error?.code == .usage)
    #expect(try !folder.check().isThere)
  }

  @Test(arguments: ["", "seedbed-lock-2\0", "seedbed.lock.sig 1\n", "seedbed-lock-1\0catalog"])
  func `what is no message is refused`(_ text: String) throws {
    let folder = try AuthorFolder()
    let error = #expect(throws: SeedbedError.self) {
      try add([], of: Array(text.utf8), to: folder)
    }
    #expect(error?.code == .catalog)
  }

  @Test func `a message has no signatures`() throws {
    let folder = try AuthorFolder()
    try folder.sign()
    let bytes = Array("seedbed-lock-1\0".utf8) + (try folder.signature().bytes)
    #expect(throws: SeedbedError.self) { try LockSignature(message: bytes, named: "lock.msg") }
  }

  @Test func `a signature is read as it is, and in base64`() throws {
    let bytes = SigningKey().sign([1, 2, 3])
    let text = String.base64(bytes)
    let lines = "\(text.prefix(64))\r\n\(text.dropFirst(64))\n"
    for file in [bytes, Array(text.utf8), Array(lines.utf8)] {
      #expect(try LockSignature.signature(in: file, named: "s") == bytes)
    }
    for file in [[], Array(bytes.dropLast()), bytes + [0], Array(text.dropLast().utf8)] {
      let error = #expect(throws: SeedbedError.self) {
        try LockSignature.signature(in: file, named: "s")
      }
      #expect(error?.message.hasPrefix("'s' has \(file.count) bytes, and is no signature") == true)
    }
  }
}
