package import Seedbed
package import SeedbedOverTheAir

/// Writes a signed catalog as one file, for devices that download it.
///
///     let summary = try BundleWriter.write(directory: "Migrations", to: "june.seedbed", since: 8)
///
/// It is a tar archive of the signature, the lock, catalog.json and the folders of the migrations.
/// The layout is the one that a device computes from the lock, and nothing in the file comes from
/// the clock or the machine: the same catalog gives the same bytes.
package enum BundleWriter {
  /// An earlier file of that name is replaced when the new one is complete, and was read back.
  ///
  /// The database that new devices begin with and snapshots are not in it: what downloads a release
  /// has a database already.
  ///
  /// - Parameters:
  ///   - path: the file to write.
  ///   - since: the last version whose folder is left out; 0 for none.
  /// - Throws: `SeedbedError`; `catalog` if the lock does not match the files, or the signature not
  ///   the lock; `usage` if there is no such version.
  package static func write(
    directory: String, to path: String, since: Migrator.Version = 0
  ) throws -> BundleSummary {
    if let finding = try CatalogLock.check(directory: directory).first { throw finding }
    let check = try SignatureCheck(directory: directory)
    if let finding = check.findings.first { throw finding }
    guard let signature = check.signature, let lock = try SignedLock(of: directory) else {
      throw SeedbedError.notSigned(directory)
    }
    try refuse(since, of: lock.lock)
    let start = BundleLayout.start(signature.bytes.count, lock.bytes.count)
    let layout = BundleLayout(lock.lock, since: since, start: start)
    let (folder, name) = Paths.split(path)
    try refuseOther(path)
    try AtomicFile.write(to: name, in: folder.isEmpty ? "." : folder) { write in
      let archive = Archive(root: try Folder(Paths.absolute(directory)), write: write)
      try archive.add(LockSignature.fileName, signature.bytes)
      try archive.add(Lock.fileName, lock.bytes)
      try layout.walk { folder, name, _, size in
        try archive.add(name, in: folder, size: size)
      }
      try write([UInt8](repeating: 0, count: Int(Ustar.endSize)))
    } check: {
      try SignedBundle.check($0, trusting: check.keys)
    }
    return BundleSummary(
      path: Paths.absolute(path), bytes: layout.size, version: lock.lock.head.version,
      since: since, migrations: layout.migrations.count,
      files: layout.migrations.reduce(0) { $0 + $1.allFiles.count },
      rows: layout.migrations.reduce(0) { $0 + ($1.rows ?? 0) }, keys: check.keys)
  }

  /// Throws if a file is there that is no bundle, such as a key.
  private static func refuseOther(_ path: String) throws {
    guard Paths.exists(path) else { return }
    let (place, name) = Paths.split(Paths.absolute(path))
    let folder = try Folder(place)
    guard try folder.kind(of: name) == .file else { return }
    let start = try folder.open(name).start(Ustar.blockSize)
    if Ustar.file(start)?.path == LockSignature.fileName { return }
    throw SeedbedError(
      .usage, "'\(path)' exists, and is no bundle. Name another file, or remove it.")
  }

  /// Throws unless a bundle may begin after this version.
  private static func refuse(_ since: Migrator.Version, of lock: Lock) throws {
    let known = (lock.base.map { [$0.version] } ?? []) + lock.migrations.map(\.version)
    let allowed = known.filter { $0 < lock.head.version }
    if since == 0 || allowed.contains(since) { return }
    if since == lock.head.version {
      throw SeedbedError(
        .usage,
        "\(since) is the catalog's last version, so nothing would be left for a bundle. Name an "
          + "earlier one.")
    }
    // In a long catalog, the last ones are those that devices have.
    let last = allowed.suffix(10).map(String.init).joined(separator: ", ")
    throw SeedbedError(
      .usage,
      "The catalog has no version \(since). "
        + (last.isEmpty ? "Leave it out: there is only one version." : "Name one of \(last), or 0.")
    )
  }
}

/// The result of writing a bundle.
package struct BundleSummary: Sendable, Equatable {
  /// The file's path.
  package let path: String
  /// Its size.
  package let bytes: Int64
  /// The last version in it.
  package let version: Migrator.Version
  /// The last version whose folder is left out; 0 if it has all.
  package let since: Migrator.Version
  /// The number of migrations whose folders it has.
  package let migrations: Int
  /// The number of their files.
  package let files: Int
  /// The number of rows in these files.
  package let rows: Int
  /// The keys that signed it.
  package let keys: [PublicKey]
}

/// A tar archive that is being written, of files in a catalog.
private struct Archive {
  let root: Folder
  let write: ([UInt8]) throws -> Void

  func add(_ name: String, _ bytes: [UInt8]) throws {
    try write(header(name, size: Int64(bytes.count)))
    try write(bytes)
    try pad(Int64(bytes.count))
  }

  /// Copies a file in pieces, so that one of any size needs little memory. Its content is compared
  /// with the lock when the whole archive is read back.
  ///
  /// - Parameter size: what the lock says.
  func add(_ name: String, in folder: String?, size: Int64) throws {
    let place = folder.map { $0 + "/" + name } ?? name
    let file = try (folder.map { try root.folder($0) } ?? root).open(name)
    try write(header(place, size: size))
    var rest = size
    while rest > 0 {
      let piece = try next(of: file, Int(min(rest, 256 << 10)))
      if piece.isEmpty { break }
      try write(piece)
      rest -= Int64(piece.count)
    }
    guard rest == 0, try next(of: file, 1).isEmpty else {
      throw SeedbedError(
        .catalog, "The file was changed while it was copied. Try again.",
        at: SeedbedError.Place(place))
    }
    try pad(size)
  }

  private func next(of file: OpenFile, _ count: Int) throws -> [UInt8] {
    try Array(unsafeUninitializedCapacity: count) { bytes, filled in
      filled = try file.read(into: UnsafeMutableRawBufferPointer(bytes))
    }
  }

  private func header(_ place: String, size: Int64) throws -> [UInt8] {
    if let header = Ustar.header(place, size: size) { return header }
    let found =
      size < 1 << 33
      ? "The name of this file has \(place.utf8.count) bytes, which do not fit into a bundle: a "
        + "file's name may have 100, and that of its folder 155. Shorten the folder's name"
      : "This file has \(size) bytes, and one in a bundle may have less than 8 GiB. Split it"
    throw SeedbedError(
      .catalog, "\(found), or ship this release with the app and leave it out of the bundle.",
      at: SeedbedError.Place(place))
  }

  /// Zero bytes up to the next block.
  private func pad(_ size: Int64) throws {
    let count = Int(Ustar.padded(size) - size)
    if count > 0 { try write([UInt8](repeating: 0, count: count)) }
  }
}

extension SeedbedError {
  fileprivate static func notSigned(_ path: String) -> SeedbedError {
    SeedbedError(
      .catalog, "'\(path)' is not signed. Sign it first: migrate sign --key FILE.")
  }
}
