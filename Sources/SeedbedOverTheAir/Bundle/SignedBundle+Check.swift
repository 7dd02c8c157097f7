import Seedbed

extension SignedBundle {
  /// Those of the trusted keys that signed it, once each signature is checked.
  static func keys(_ signature: LockSignature, among trusted: [PublicKey]) throws -> [PublicKey] {
    let found = signature.signatures.filter { trusted.contains($0.key) }
    if found.isEmpty { throw Refusal(.wrongKey) }
    for each in found where !each.key.isSignature(each.bytes, of: signature.signedBytes) {
      throw Refusal(.damaged("The signature by \(each.key) is not valid."))
    }
    return found.map(\.key)
  }
}
