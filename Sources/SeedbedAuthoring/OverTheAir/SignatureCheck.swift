package import Seedbed
package import SeedbedOverTheAir

/// What the signature file of a catalog says, compared with its lock. Reads no other file.
package struct SignatureCheck: Sendable {
  /// nil if there is no such file, or if it cannot be read.
  package private(set) var signature: LockSignature?
  /// The keys whose signature of this lock is valid.
  package private(set) var keys: [PublicKey] = []
  /// The errors; empty if there is no such file, or nothing wrong with it.
  package private(set) var findings: [SeedbedError] = []
  /// The version up to which a lock is signed that only grew since; nil if that is not what is
  /// wrong.
  package private(set) var signedUpTo: Version?
  /// The findings that are wrong whoever has the key: a lock that only grew is to be signed before
  /// it is bundled, and a job that makes a release may not have the key.
  package var mistakes: [SeedbedError] { signedUpTo == nil ? findings : [] }
  /// Whether there is a signature file.
  package let isThere: Bool

  /// - Throws: if the catalog's folder cannot be read.
  package init(directory: String) throws {
    let root = try Folder(Paths.absolute(directory))
    isThere = try root.kind(of: LockSignature.fileName) != nil
    if !isThere { return }
    do {
      let bytes = try root.open(LockSignature.fileName).content(limit: LockSignature.sizeLimit + 1)
      let signature = try LockSignature(bytes, named: LockSignature.fileName)
      self.signature = signature
      // A lock that cannot be read is reported by the check of the lock.
      guard let lock = try? SignedLock(of: directory) else { return }
      check(signature, of: lock)
    } catch {
      findings.append(Self.finding(SeedbedError.from(error)))
    }
  }

  private mutating func check(_ signature: LockSignature, of lock: SignedLock) {
    // A new signature would be no remedy.
    guard signature.catalog == lock.catalog else {
      findings.append(.otherID(signed: signature.catalog, lock.catalog))
      return
    }
    guard lock.isNamed(by: signature) else {
      let signers = signature.signers(among: signature.signatures.map(\.key))
      if !signers.valid.isEmpty, signers.invalid.isEmpty, lock.hasOnlyGrown(since: signature) {
        signedUpTo = signature.head
      }
      return refuse("The signature is of another lock: the lock has changed since.")
    }
    if signature.signatures.isEmpty { refuse("The file has no signature.") }
    let signers = signature.signers(among: signature.signatures.map(\.key))
    keys = signers.valid
    for key in signers.invalid { refuse("The signature by \(key) is not one of this lock.") }
  }

  private mutating func refuse(_ found: String) {
    findings.append(
      SeedbedError(
        .catalog, "\(found) Sign it again: migrate sign --key FILE.",
        at: SeedbedError.Place(LockSignature.fileName)))
  }

  /// An error of reading has no place, and may have another code.
  private static func finding(_ error: SeedbedError) -> SeedbedError {
    if error.code == .catalog, error.place != nil { return error }
    return SeedbedError(
      .catalog, error.message, at: SeedbedError.Place(LockSignature.fileName))
  }
}

extension SeedbedError {
  /// - Parameters:
  ///   - signed: the id in the signature file.
  ///   - found: the id in catalog.json; nil for none.
  static func otherID(signed: String, _ found: String?) -> SeedbedError {
    let found = found.map { "another \"id\", \($0)" } ?? "no \"id\" any more"
    return SeedbedError(
      .catalog,
      "The signature is of the catalog \(signed), and catalog.json has \(found). An app that knows "
        + "the one takes no release of the other. Put the id back. If this is to be a catalog of "
        + "its own, remove \(LockSignature.fileName).",
      at: SeedbedError.Place(LockSignature.fileName))
  }
}
