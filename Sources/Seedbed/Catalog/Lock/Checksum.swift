/// The digests in a ledger. Documentation/CatalogFormat.md describes their exact bytes.
package enum Checksum {
  /// The digest of one migration, computed from the sorted list of the files that change data, each
  /// line as `sha256sum` prints it. `digest` is the SHA-256 of a file's decompressed content.
  package static func of(_ files: [(name: String, digest: String)]) -> String {
    let files = files.map { (name, digest) in
      (name: name.utf8.hasSuffix(".gz") ? String(name.dropLast(3)) : name, digest: digest)
    }
    let sorted = files.ordered { ExactText($0.name) }
    return "sha256:" + Digest.of(sorted.map { "\($0.digest)  \($0.name)\n" }.joined())
  }

  package static func digest(of content: [UInt8]) -> String { Digest.of(content) }

  /// The digest of a catalog up to one version; `previous` is nil for the first.
  package static func chain(
    after previous: String?, version: Version, checksum: String
  ) -> String {
    "sha256:" + Digest.of("\(previous ?? "")\n\(version)\n\(checksum)\n")
  }
}

extension Migration {
  /// Computes the checksum, and the chain up to this migration, from the digests of its files.
  package mutating func sum(after previous: String?) {
    let sum = Checksum.of(files.filter(\.changesData).map { ($0.name, $0.locked?.digest ?? "") })
    checksum = sum
    chain = Checksum.chain(after: previous, version: version, checksum: sum)
  }

  /// - Throws: `catalog` if the other engine's SQL changes data, but this engine has none. A
  ///   withdrawn migration runs nothing.
  func refuseMissingTwins() throws {
    for file in other?.sql ?? []
    where file.changesData && !isWithdrawn && self.file(file.kind) == nil {
      throw SeedbedError.inCatalog(
        "PostgreSQL does not run this file, and there is no '\(FileName.twin(of: file.name))' for "
          + "it. Write that one; if there is nothing to do on PostgreSQL, with only the line "
          + "'-- none'.", folder + "/" + file.name)
    }
  }
}

extension MigrationFile {
  /// Whether a change of the file's content is drift.
  package var changesData: Bool { isRows || kind == .up || kind == .after }

  /// Whether the file holds rows.
  package var isRows: Bool { kind.rows != nil }

  /// Whether the file is for one engine.
  package var isSQL: Bool { !isRows && kind != .options }
}
