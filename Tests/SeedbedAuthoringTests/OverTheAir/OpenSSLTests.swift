import Seedbed
import SeedbedOverTheAir
import Testing
import TestSupport

@Suite(.enabled(if: OpenSSL.isHere)) struct OpenSSLTests {
  private static let message = Array("seedbed-lock-1\0and more".utf8)

  @Test func `we read its keys and signatures`() throws {
    let openssl = try OpenSSL()
    for _ in 0..<4 {
      try openssl("genpkey -algorithm ed25519 -out key.pem")
      let key = try SigningKey(pem: openssl.place.bytes("key.pem"), named: "key.pem")
      #expect(key.pem == (try openssl.place.bytes("key.pem")))
      try openssl("pkey -in key.pem -pubout -outform DER -out public.der")
      let bytes = try openssl.place.bytes("public.der").suffix(32)
      #expect(key.publicKey.text == "ed25519:" + String.base64(Array(bytes)))
      try openssl.place.write("message", Self.message)
      try openssl("pkeyutl -sign -rawin -inkey key.pem -in message -out signature")
      #expect(key.publicKey.isSignature(try openssl.place.bytes("signature"), of: Self.message))
    }
  }

  @Test func `it reads ours`() throws {
    let openssl = try OpenSSL()
    for _ in 0..<4 {
      let key = SigningKey()
      try openssl.place.write("key.pem", key.pem)
      try openssl("pkey -in key.pem -pubout -out public.pem")
      try openssl.place.write("message", Self.message)
      try openssl.place.write("signature", key.sign(Self.message))
      let said = try openssl(
        "pkeyutl -verify -rawin -pubin -inkey public.pem -in message -sigfile signature")
      #expect(said.contains("Signature Verified Successfully"))
    }
  }

  @Test func `it signs a lock, and checks what we signed`() throws {
    let openssl = try OpenSSL()
    let (ours, its) = (SigningKey(), SigningKey())
    var signature = LockSignatureTests.unsigned
    try openssl.place.write("message", signature.signedBytes)
    try openssl.place.write("key.pem", its.pem)
    try openssl("pkeyutl -sign -rawin -inkey key.pem -in message -out signature")
    try signature.add(openssl.place.bytes("signature"), by: its.publicKey)
    try signature.sign(by: ours)
    let keys = [its.publicKey, ours.publicKey]
    let read = try LockSignature(signature.bytes, named: "seedbed.lock.sig")
    #expect(read.signers(among: keys).valid == keys)
    let made = try #require(read.signatures.first { $0.key == ours.publicKey })
    try openssl.place.write("signature", made.bytes)
    try openssl.place.write("key.pem", ours.pem)
    try openssl("pkeyutl -verify -rawin -inkey key.pem -in message -sigfile signature")
  }

  private static let remedy =
    "which cannot sign a lock. Name a file with an Ed25519 private key, or make a new one."
  private static let curve = "holds a key of an elliptic curve other than Ed25519, \(remedy)"

  @Test(arguments: [
    ("genpkey -algorithm rsa -out key.pem", "holds an RSA key, \(remedy)"),
    ("genrsa -traditional -out key.pem", "holds an RSA key, \(remedy)"),
    ("genpkey -algorithm ec -pkeyopt ec_paramgen_curve:P-256 -out key.pem", curve),
    ("ecparam -name prime256v1 -genkey -out key.pem", curve),
    ("ecparam -name prime256v1 -genkey -noout -out key.pem", curve),
    ("genpkey -algorithm x25519 -out key.pem", "holds an X25519 key, \(remedy)"),
    ("genpkey -algorithm ed448 -out key.pem", "holds an Ed448 key, \(remedy)"),
    (
      "genpkey -algorithm ed25519 -outform DER -out key.pem",
      "holds no key: no line begins with '-----BEGIN '. Name a file with an Ed25519 private key, "
        + "or make a new one."
    ),
    (
      "genpkey -algorithm ed25519 -aes256 -pass pass:secret -out key.pem",
      "holds an encrypted private key, whose passphrase Seedbed does not ask for. Decrypt it, or "
        + "make a new one, and let no one else read its file."
    ),
    (
      "pkey -in author.pem -pubout -out key.pem",
      "holds a public key, which can check a signature but not make one. Name the file of its "
        + "private key."
    ),
  ])
  func `its other keys are named`(_ words: String, _ sentence: String) throws {
    let openssl = try OpenSSL()
    try openssl.place.write("author.pem", SigningKey().pem)
    try openssl(words)
    let error = #expect(throws: SeedbedError.self) {
      try SigningKey(pem: openssl.place.bytes("key.pem"), named: "key.pem")
    }
    #expect(error?.code == .usage && error?.description == "'key.pem' \(sentence)")
  }
}
