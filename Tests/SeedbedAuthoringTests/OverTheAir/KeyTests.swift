import Foundation
import Seedbed
import Testing

@testable import SeedbedOverTheAir

struct KeyTests {
  private static let remedy = "Name a file with an Ed25519 private key, or make a new one."
  /// That of TEST 1 in RFC 8032.
  private static let publicText = "ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
  private static let privateText =
    "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g"
  private static let begin = "-----BEGIN PRIVATE KEY-----\n"
  private static let end = "\n-----END PRIVATE KEY-----\n"
  private static let pem = begin + privateText + end

  private func key(_ text: String) throws -> SigningKey {
    try SigningKey(pem: Array(text.utf8), named: "author.pem")
  }

  private func refusal(of text: String) -> SeedbedError? {
    let error = #expect(throws: SeedbedError.self) { try key(text) }
    #expect(error?.code == .usage)
    return error
  }

  @Test(arguments: RFC8032.vectors) func `keys and signatures are those of RFC 8032`(
    _ vector: RFC8032
  ) throws {
    let key = SigningKey(seed: vector.seed)
    #expect(key.publicKey == PublicKey(bytes: vector.publicKey))
    #expect(key.publicKey.isSignature(vector.signature, of: vector.message))
    #expect(key.publicKey.isSignature(key.sign(vector.message), of: vector.message))
    #if !canImport(Darwin)
      // CryptoKit's differ each time.
      #expect(key.sign(vector.message) == vector.signature)
    #endif
  }

  @Test func `a signature that is not quite right is none`() throws {
    let vector = RFC8032.vectors[2]
    let key = PublicKey(bytes: vector.publicKey)
    func isValid(_ signature: some Sequence<UInt8>) -> Bool {
      key.isSignature(Array(signature), of: vector.message)
    }
    #expect(isValid(vector.signature))
    for bit in 0..<512 {
      var changed = vector.signature
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(!isValid(changed), "bit \(bit)")
    }
    for count in 0..<64 { #expect(!isValid(vector.signature.prefix(count)), "\(count) bytes") }
    #expect(!isValid(vector.signature + [0]) && !isValid(vector.signature + vector.signature))
    #expect(!isValid(vector.signature.reversed()) && !isValid(RFC8032.vectors[1].signature))
    #expect(!key.isSignature(vector.signature, of: []))
    #expect(!key.isSignature(vector.signature, of: vector.message + [0]))
  }

  /// S + L is the same scalar. A verifier that takes it lets anyone change a file that is signed.
  @Test func `a signature has one spelling`() throws {
    let vector = RFC8032.vectors[2]
    let order: [UInt8] =
      [
        0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE,
        0x14,
      ] + Array(repeating: 0, count: 15) + [0x10]
    var signature = vector.signature
    var carry = 0
    for (place, digit) in order.enumerated() {
      carry += Int(signature[32 + place]) + Int(digit)
      signature[32 + place] = UInt8(truncatingIfNeeded: carry)
      carry >>= 8
    }
    #expect(carry == 0 && signature != vector.signature)
    #expect(!PublicKey(bytes: vector.publicKey).isSignature(signature, of: vector.message))
  }

  // MARK: public keys

  @Test func `a public key is a text and back`() throws {
    let key = try PublicKey(Self.publicText)
    #expect(key == PublicKey(bytes: RFC8032.vectors[0].publicKey))
    #expect(key.text == Self.publicText && "\(key)" == Self.publicText)
    let keys = RFC8032.vectors.map { PublicKey(bytes: $0.publicKey) }
    #expect(keys.sorted().map(\.text) == keys.map(\.text).sorted())
    #expect(Set(keys + [key]).count == 5)
  }

  @Test(arguments: [
    "", "ed25519", "ed25519:", "ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    // The same bytes with a stray bit, in the alphabet of URLs, with blanks, and in capitals
    "ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURp=",
    "ed25519:11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
    " ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
    "ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n",
    "ed25519: 11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
    "Ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
    "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
    "ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo==",
    "ed25519:=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    // 31 and 33 bytes
    "ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHUQ==",
    "ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURoA", "ed25519:\u{212A}", "rsa:AAAA",
  ])
  func `what is not a public key is refused`(_ text: String) {
    let error = #expect(throws: SeedbedError.self) { try PublicKey(text) }
    #expect(error?.code == .usage)
    #expect(error?.message.hasPrefix("'") == true)
    #expect(
      error?.message.hasSuffix(
        "' is not a public key, which is 'ed25519:' and 44 characters of base64. Copy the whole "
          + "text that was printed for the key.") == true)
  }

  @Test func `a private key in the place of a public one is not shown`() {
    for text in [Self.pem, Self.privateText] {
      let error = #expect(throws: SeedbedError.self) { try PublicKey(text) }
      #expect(!shows(error?.description ?? ""))
    }
  }

  // MARK: private keys

  @Test func `a private key is a text and back`() throws {
    let key = SigningKey(seed: RFC8032.vectors[0].seed)
    #expect(key.pem == Array(Self.pem.utf8))
    #expect(try self.key(Self.pem).pem == key.pem)
    let new = SigningKey()
    #expect(try SigningKey(pem: new.pem, named: "new.pem").publicKey == new.publicKey)
    #expect(new.publicKey != SigningKey().publicKey)
  }

  @Test func `the lines may be those of any system`() throws {
    let text = Self.privateText
    let texts: [String] = [
      "A comment\n\n\(Self.pem)\nand another\n", Self.pem.replacing("\n", with: "\r\n"),
      Self.pem.replacing("\n", with: " \t\n"), String(Self.pem.dropLast()),
      "\(Self.begin)\(text.prefix(30))\n\(text.dropFirst(30))\(Self.end)",
    ]
    for text in texts { #expect(try key(text).publicKey.text == Self.publicText, "\(text)") }
  }

  /// Whether a text has eight characters of the key in a row.
  private func shows(_ text: String) -> Bool {
    // The first 21 characters are the same in every file.
    let secret = Array(Self.privateText).dropFirst(22)
    return secret.indices.dropLast(7).contains { text.contains(String(secret[$0..<$0 + 8])) }
  }

  @Test func `a private key shows nothing of itself`() throws {
    struct Holder { let key: SigningKey }
    let key = try key(Self.pem)
    var texts = ["\(key)", String(reflecting: key), "\([key])", "\(Holder(key: key))"]
    var dumped = ""
    dump(Holder(key: key), to: &dumped)
    texts.append(dumped)
    for text in texts {
      #expect(text.contains("the private key of \(Self.publicText)"))
      #expect(!shows(text) && !text.contains("157"), "\(text)")
    }
    #expect(Mirror(reflecting: key).children.isEmpty)
  }

  @Test func `no damaged file is a key, or is shown`() throws {
    let bytes = Array(Self.pem.utf8)
    let body = Self.begin.utf8.count + 21..<Self.begin.utf8.count + 64
    for place in bytes.indices {
      for byte in [0, 0x0A, 0x20, 0x2D, 0x41, bytes[place] ^ 1] where byte != bytes[place] {
        var changed = bytes
        changed[place] = byte
        do {
          let key = try SigningKey(pem: changed, named: "author.pem")
          // A digit of the key makes another one, and a blank at the end is none.
          #expect(key.publicKey.text != Self.publicText || byte == 0x0A || byte == 0x20)
          #expect(body.contains(place) || key.publicKey.text == Self.publicText)
        } catch { #expect(error.code == .usage && !shows(error.description)) }
      }
      // Without its last line feed it is whole.
      if place < bytes.count - 1 {
        let error = refusal(of: String(decoding: bytes[..<place], as: UTF8.self))
        #expect(!shows(error?.description ?? ""))
      }
    }
  }

  private struct Refused: Sendable, CustomStringConvertible {
    let text: String
    let description: String

    init(_ text: String, _ sentence: String) { (self.text, description) = (text, sentence) }
  }

  /// RFC 8410, section 10.3: with attributes and the public key, which OpenSSL 3.0 refuses, too.
  private static let secondVersion = """
    -----BEGIN PRIVATE KEY-----
    MHICAQEwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
    oB8wHQYKKoZIhvcNAQkJFDEPDA1DdXJkbGUgQ2hhaXJzgSEAGb9ECWmEzf6FQbrB
    Z9w7lshQhqowtrbLDFw4rXAxZuE=
    -----END PRIVATE KEY-----
    """

  private static let refused: [Refused] = [
    Refused("", "is empty. \(remedy)"),
    Refused(" \n\n", "is empty. \(remedy)"),
    Refused(publicText, "holds no key: no line begins with '-----BEGIN '. \(remedy)"),
    Refused(
      "-----BEGIN PRIVATE KEY-----\(privateText)-----END PRIVATE KEY-----",
      """
      has lost its line breaks: the key must begin in the line after '-----BEGIN PRIVATE \
      KEY-----'. Copy it again.
      """),
    Refused(
      "\(pem)\(pem)",
      """
      holds 2 keys or other blocks, so it is unclear which one signs. Name a file with one \
      Ed25519 private key and nothing else.
      """),
    Refused(
      "\(begin)\(privateText)",
      "is truncated: its key does not end with '-----END PRIVATE KEY-----'. Copy it again."),
    Refused(
      "\(begin)\(privateText.dropLast())\(end)",
      "is damaged: between its lines BEGIN and END is no base64. Copy it again."),
    Refused(
      "\(begin)\(end)",
      "holds a private key of another kind, which cannot sign a lock. \(remedy)"),
    Refused(
      secondVersion,
      "holds an Ed25519 key that is not in PKCS#8, version 1, which cannot sign a lock. \(remedy)"),
    Refused(
      "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz\n-----END OPENSSH PRIVATE KEY-----\n",
      "holds a key in the format of OpenSSH, which cannot sign a lock. \(remedy)"),
    Refused(
      "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
      "holds a certificate, which cannot sign a lock. \(remedy)"),
    Refused(
      "-----BEGIN PGP PRIVATE KEY BLOCK-----\n",
      "holds 'PGP PRIVATE KEY BLOCK', which cannot sign a lock. \(remedy)"),
  ]

  @Test func `what is not one private key is named`() {
    for refused in Self.refused {
      #expect(refusal(of: refused.text)?.description == "'author.pem' \(refused)")
    }
  }
}
