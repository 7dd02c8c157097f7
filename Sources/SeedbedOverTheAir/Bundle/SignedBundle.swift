package import Seedbed

/// A bundle whose lock is what a trusted key has signed.
package struct SignedBundle {
  package let lock: Lock
  package let signature: LockSignature
  /// The trusted keys that signed it.
  package let keys: [PublicKey]
  let folder: BundleFolder

  /// Why a bundle is not read.
  struct Refusal: Error {
    let reason: Migrator.PassedOver.Reason

    init(_ reason: Migrator.PassedOver.Reason) { self.reason = reason }
  }

  /// Reads the first two files, and checks the signature before it parses anything else.
  ///
  /// - Throws: `Refusal`, or the error of a file that cannot be read.
  init(at path: String, trusting trusted: [PublicKey], host: Host = .real) throws {
    let (place, name) = Paths.split(path)
    let file = try Folder(place.isEmpty ? "." : place, host: host).open(name)
    guard let first = Ustar.file(try file.next(Ustar.blockSize)) else {
      throw Refusal(.damaged("It does not begin like a bundle."))
    }
    guard first.path == LockSignature.fileName else { throw Refusal(.unsigned) }
    let signed = try Self.content(of: first, limit: LockSignature.sizeLimit, file)
    signature = try LockSignature(signed, named: LockSignature.fileName)
    keys = try Self.keys(signature, among: trusted)

    guard let second = Ustar.file(try file.next(Ustar.blockSize)), second.path == Lock.fileName
    else { throw Refusal(.damaged("After its signature there is no seedbed.lock.")) }
    let locked = try Self.content(of: second, limit: Lock.sizeLimit, file)
    guard signature.lock == "sha256:" + Checksum.digest(of: locked) else {
      throw Refusal(.damaged("Its seedbed.lock is not the one that was signed."))
    }
    lock = try LockReader.read(locked)
    guard lock.head.version == signature.head else {
      throw Refusal(.damaged("Its signature and its lock name different last releases."))
    }
    let start = BundleLayout.start(signed.count, locked.count)
    let layout = BundleLayout(lock, since: try Self.since(lock, start, file), start: start)
    guard try file.size() == layout.size else {
      throw Refusal(
        .damaged("It has \(try file.size()) bytes, but its lock calls for \(layout.size)."))
    }
    folder = BundleFolder(bundle: path, host: host, layout: layout)
  }

  private static func content(
    of file: (path: String, size: Int64), limit: Int, _ archive: OpenFile
  ) throws -> [UInt8] {
    guard file.size <= limit, try archive.size() > file.size else {
      throw Refusal(.damaged("Its \(file.path) is longer than it can be."))
    }
    let bytes = try archive.next(Int(Ustar.padded(file.size)))
    let content = Array(bytes.prefix(Int(file.size)))
    guard content.count == file.size else {
      throw Refusal(.damaged("It ends within its \(file.path)."))
    }
    return content
  }

  /// The last version that it leaves out: its first folder says where it begins.
  private static func since(
    _ lock: Lock, _ start: Int64, _ archive: OpenFile
  ) throws -> Migrator.Version {
    let first = start + (lock.options.map { Int64(Ustar.blockSize) + Ustar.padded($0.size) } ?? 0)
    try archive.seek(to: first)
    let header = Ustar.file(try archive.next(Ustar.blockSize))
    let index = lock.migrations.firstIndex { migration in
      migration.allFiles.first.map { migration.place(of: $0) == header?.path } == true
    }
    guard let index else { throw Refusal(.damaged("It has none of the releases in its lock.")) }
    if index > 0 { return lock.migrations[index - 1].version }
    return lock.base?.version ?? 0
  }
}
