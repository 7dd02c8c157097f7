import Foundation
import Seedbed
import Testing

@testable import SeedbedOverTheAir

struct LockSignatureTests {
  static let unsigned = LockSignature(
    catalog: "4f3c0000000000000000000000000a1b", head: 12,
    lock: "sha256:" + String(repeating: "9a", count: 32), time: "2026-11-26T10:00:00Z")

  private static let keys = RFC8032.vectors.map { SigningKey(seed: $0.seed) }
  private static let one = keys[0].publicKey
  private static let remedy = "Copy the file again, or sign the lock again."

  private func signed(by keys: [SigningKey] = [keys[0]]) throws -> LockSignature {
    var signature = Self.unsigned
    for key in keys { try signature.sign(by: key) }
    return signature
  }

  private func read(_ text: String) throws -> LockSignature {
    try LockSignature(Array(text.utf8), named: "june.seedbed/seedbed.lock.sig")
  }

  @Test func `the whole text`() throws {
    let signature = try signed()
    let line = String.base64(signature.signatures[0].bytes)
    let head = """
      seedbed.lock.sig 1
      catalog 4f3c0000000000000000000000000a1b
      head 12
      lock sha256:9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a
      time 2026-11-26T10:00:00Z

      """
    #expect(
      signature.text
        == head + "ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo= \(line)\n")
    #expect(signature.signedBytes == Array("seedbed-lock-1".utf8) + [0] + Array(head.utf8))
    #expect(try read(signature.text) == signature)
    #expect(try read(head) == Self.unsigned)
  }

  @Test(arguments: [0, 1, 9, Version.max]) func `any version is a head`(_ head: Version) throws {
    let signature = LockSignature(
      catalog: Self.unsigned.catalog, head: head, lock: Self.unsigned.lock,
      time: Self.unsigned.time)
    #expect(try read(signature.text) == signature)
  }

  // MARK: signing

  @Test func `several keys sign in any order, and one that has signed changes nothing`() throws {
    let signature = try signed(by: Self.keys)
    var other = try signed(by: Self.keys.reversed())
    #expect(other.signatures.map(\.key) == signature.signatures.map(\.key))
    #expect(signature.signatures.map(\.key) == Self.keys.map(\.publicKey).sorted())
    let before = other
    for key in Self.keys { try other.sign(by: key) }
    #expect(other == before)
    #expect(try read(other.text) == other)
  }

  @Test func `each pinned key is answered for itself`() throws {
    let valid = try signed(by: [Self.keys[0], Self.keys[1]])
    let lines = valid.text.split(separator: "\n", omittingEmptySubsequences: false)
    // The first signer's line with the signature of the second.
    let words = lines[5...6].map { $0.split(separator: " ") }
    let text = (lines[..<5] + ["\(words[0][0]) \(words[1][1])", lines[6], ""])
      .joined(separator: "\n")
    let (first, second) = (valid.signatures[0].key, valid.signatures[1].key)
    let found = try read(text).signers(among: [second, first, Self.keys[2].publicKey])
    #expect(found.valid == [second] && found.invalid == [first])
    #expect(valid.signers(among: []).valid == [])
    #expect(Self.unsigned.signers(among: [first]).invalid == [])
  }

  @Test func `a wrong signature is replaced`() throws {
    let valid = try signed()
    var changed = try read(valid.text.replacing("head 12", with: "head 13"))
    #expect(changed.signers(among: [Self.one]).invalid == [Self.one])
    try changed.sign(by: Self.keys[0])
    #expect(changed.signers(among: [Self.one]).valid == [Self.one])
    #expect(changed.signatures.count == 1)
  }

  @Test func `a signature of something else is not added`() throws {
    var signature = Self.unsigned
    let other = try read(try signed().text.replacing("head 12", with: "head 13"))
    for (bytes, key) in [
      (Self.keys[0].sign(other.signedBytes), Self.one), ([], Self.one),
      (Self.keys[1].sign(signature.signedBytes), Self.one),
    ] {
      let error = #expect(throws: SeedbedError.self) { try signature.add(bytes, by: key) }
      #expect(error?.code == .usage)
      #expect(
        error?.message == "This is no signature of the lock by the key \(Self.one). Sign the lock "
          + "as it is now with the private key of this one.")
    }
    #expect(signature == Self.unsigned)
  }

  @Test func `sixteen keys fit`() throws {
    var signature = try signed(by: (0..<16).map { _ in SigningKey() })
    #expect(try read(signature.text).signatures.count == 16)
    let error = #expect(throws: SeedbedError.self) { try signature.sign(by: SigningKey()) }
    #expect(error?.code == .usage)
    #expect(
      error?.message == "The lock has signatures of 16 keys, and no more fit. Remove the line of a "
        + "key that is no longer used from seedbed.lock.sig.")
    #expect(signature.signatures.count == 16)
    let extra = "\(Self.top) \(Data(repeating: 0, count: 64).base64EncodedString())\n"
    #expect(
      refusal(of: signature.text + extra)
        == "june.seedbed/seedbed.lock.sig:22: The file has more than 16 signatures. Sign the lock "
        + "again with the keys that apps still use.")
  }

  /// Sorted after all that are drawn.
  private static let top = "ed25519:zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzw="

  // MARK: refusals

  private func refusal(of text: String) -> String? {
    let error = #expect(throws: SeedbedError.self) { try read(text) }
    #expect(error?.code == .catalog)
    return error?.description
  }

  /// What is replaced by what, the line that is named, and how what was found begins.
  private static let spellings: [(old: String, new: String, line: Int, found: String)] = [
    ("seedbed.lock.sig 1\n", "seedbed.lock.sig 01\n", 1, "seedbed.lock.sig 01"),
    ("seedbed.lock.sig 1\n", "seedbed.lock.sig 1 \n", 1, "seedbed.lock.sig 1 "),
    ("seedbed.lock.sig 1\n", "seedbed.lock 2\n", 1, "seedbed.lock 2"),
    ("seedbed.lock.sig 1\n", "", 1, "catalog 4f3c0000000000000000000000000a1b"),
    ("catalog 4f3c", "catalog 4F3C", 2, "catalog 4F3C0000000000000000000000000a1b"),
    ("catalog 4f3c", "catalog f3c", 2, "catalog f3c0000000000000000000000000a1b"),
    ("catalog ", "catalog  ", 2, "catalog  4f3c0000000000000000000000000a1b"),
    ("head 12", "head +12", 3, "head +12"), ("head 12", "head 012", 3, "head 012"),
    ("head 12", "head -1", 3, "head -1"), ("head 12", "head ", 3, "head "),
    ("head 12", "head 9223372036854775808", 3, "head 9223372036854775808"),
    ("head 12", "head\t12", 3, "head\u{FFFD}12"), ("head 12", "Head 12", 3, "Head 12"),
    ("head 12\n", "", 3, "lock sha256:9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a"),
    ("lock sha256:9a9a", "lock sha512:9a9a", 4, "lock sha512:9a9a9a9a9a9a9a9a9a9a9a9a9a9a9a"),
    ("lock sha256:9a9a", "lock sha256:9a9", 4, "lock sha256:9a99a9a9a9a9a9a9a9a9a9a9a9a9a9"),
    ("T10:00:00Z", " 10:00:00Z", 5, "time 2026-11-26 10:00:00Z"),
    ("00Z", "00.000Z", 5, "time 2026-11-26T10:00:00.000Z"),
    ("00Z\n", "00Z\r\n", 5, "time 2026-11-26T10:00:00Z "),
    ("00Z\n", "00Z\n\n", 6, ""), ("ed25519:11qY", "ed25519: 11qY", 6, "ed25519:"),
    ("URo= ", "URp= ", 6, "ed25519:"), ("URo= ", "URo=  ", 6, "ed25519:"),
    ("==\n", "\n", 6, "ed25519:"),
    ("==\n", "== \n", 6, "ed25519:"), ("==\n", "==\n\n", 7, ""), ("==\n", "==\nnote\n", 7, "note"),
  ]

  @Test func `another spelling is refused`() throws {
    let expected = [
      "'seedbed.lock.sig 1'", "'catalog <32 hexadecimal digits>'", "'head <version>'",
      "'lock sha256:<64 hexadecimal digits>'", "'time <like 2026-11-26T10:00:00Z>'",
      "'ed25519:<public key> <signature>', both in base64",
    ]
    let text = try signed().text
    for (old, new, line, found) in Self.spellings {
      let changed = text.replacing(old, with: new)
      #expect(changed != text, "\(old)")
      let message = refusal(of: changed) ?? ""
      #expect(message.hasPrefix("june.seedbed/seedbed.lock.sig:\(line): Found '\(found)"))
      #expect(message.hasSuffix("', expected \(expected[min(line, 6) - 1]). \(Self.remedy)"))
    }
  }

  @Test func `what is not the file of this format is named`() throws {
    let (place, text) = ("june.seedbed/seedbed.lock.sig", try signed().text)
    #expect(refusal(of: "") == "\(place): The file is empty. \(Self.remedy)")
    #expect(
      refusal(of: String(repeating: text, count: 400))
        == "\(place): The file has \(400 * text.utf8.count) bytes, but a signature file has at "
        + "most 65536. \(Self.remedy)")
    #expect(
      refusal(of: text.replacing("\n", with: "\r\n"))
        == "\(place):1: The lines end in CRLF; git does this on some systems. Put "
        + "'seedbed.lock.sig text eol=lf' into .gitattributes, and check the file out again.")
    for later in ["2", "2, of course", "9223372036854775807"] {
      #expect(
        refusal(of: text.replacing("sig 1\n", with: "sig \(later)\n"))
          == "\(place):1: The file has the format \(later.prefix { $0.isNumber }), which a newer "
          + "Seedbed wrote; this one reads format 1. Use the newer one.")
    }
    #expect(
      refusal(of: "seedbed.lock.sig 1\n")
        == "\(place): The file is truncated: the line 'catalog <32 hexadecimal digits>' is "
        + "missing. \(Self.remedy)")
    #expect(
      refusal(of: String(text.dropLast()))
        == "\(place):6: The file is truncated within this line. \(Self.remedy)")
  }

  @Test func `no key has two lines, and they are sorted`() throws {
    let text = try signed(by: [Self.keys[0], Self.keys[1]]).text
    let lines = text.split(separator: "\n").map { $0 + "\n" }
    let (head, first, second) = (lines[..<5].joined(), lines[5], lines[6])
    let place = "june.seedbed/seedbed.lock.sig:7"
    let keys = try signed(by: [Self.keys[0], Self.keys[1]]).signatures.map(\.key)
    for doubled in [first + first, first + first + second] {
      #expect(
        refusal(of: head + doubled)
          == "\(place): The key \(keys[0]) has a second line. \(Self.remedy)")
    }
    #expect(
      refusal(of: head + second + first)
        == "\(place): The key \(keys[0]) is not in order. \(Self.remedy)")
  }

  // MARK: every change

  /// Whether a pinned key trusts what these bytes say. Anything else is an error or no signature.
  private func isTrusted(_ bytes: [UInt8]) -> Bool {
    do {
      let read = try LockSignature(bytes, named: "seedbed.lock.sig")
      #expect(read.bytes == bytes)
      return !read.signers(among: [Self.one]).valid.isEmpty
    } catch {
      #expect(error.code == .catalog)
      return false
    }
  }

  @Test func `no file with one byte changed, added or missing is trusted`() throws {
    let bytes = try signed().bytes
    #expect(isTrusted(bytes))
    for place in bytes.indices {
      for byte in [
        0, 0x0A, 0x0D, 0x20, 0x30, 0x3D, 0x41, 0xFF, bytes[place] ^ 1, bytes[place] ^ 32,
      ]
      where byte != bytes[place] {
        var changed = bytes
        changed[place] = byte
        #expect(!isTrusted(changed), "byte \(place) is \(byte)")
      }
      for byte in [0, 0x0A, 0x20, bytes[place]] {
        var longer = bytes
        longer.insert(byte, at: place)
        #expect(!isTrusted(longer), "\(byte) before byte \(place)")
      }
      var shorter = bytes
      shorter.remove(at: place)
      #expect(!isTrusted(shorter), "no byte \(place)")
      #expect(!isTrusted(Array(bytes[..<place])), "\(place) bytes")
    }
    for byte in UInt8.min...UInt8.max { #expect(!isTrusted(bytes + [byte])) }
  }
}
