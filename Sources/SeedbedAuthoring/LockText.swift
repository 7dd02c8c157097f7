import Seedbed

/// The text of `seedbed.lock`, which `LockReader` reads; see Documentation/CatalogFormat.md.
enum LockText {
  /// `migrations` are in version order, each with its digests; `options` is what is to be said of
  /// catalog.json, nil if there is none.
  ///
  /// `snapshots` have the chain up to their versions. Without them, a base and a first database it
  /// is the first format, which every reader knows.
  static func text(
    of migrations: [Migration], snapshots: [Migration] = [], base: CatalogBase? = nil,
    first: FirstDatabase? = nil, options: LockedFile?
  ) -> [UInt8] {
    var lines: [String] = []
    if let options { lines.append(line(Lock.optionsName, options)) }
    if let first { lines.append(first.line) }
    if let base { lines.append(base.line) }
    // After the migration of its version.
    let all = (migrations + snapshots).enumerated().sorted {
      ($0.element.version, $0.offset) < ($1.element.version, $1.offset)
    }
    for (_, migration) in all {
      let withdrawn = migration.isWithdrawn ? " withdrawn" : ""
      let digests = "\(migration.checksum ?? "") \(migration.chain ?? "")"
      lines.append("\(migration.folder)/ \(digests)\(withdrawn)")
      for file in migration.files {
        guard let locked = file.locked else { continue }
        lines.append(line("\(migration.folder)/\(file.name)", locked))
      }
    }
    let body = lines.map { $0 + "\n" }.joined()
    let format = snapshots.isEmpty && base == nil && first == nil ? 1 : Lock.format
    let head = """
      \(Lock.fileName) \(format): written by 'migrate lock'; never edit it, and run that \
      again after a merge
      head \(migrations.last?.version ?? base?.version ?? 0) \
      \(migrations.last?.chain ?? base?.chain ?? "")
      body \(lines.count) crc32:\(Lock.check(of: body))

      """
    return Array((head + body).utf8)
  }

  private static func line(_ path: String, _ file: LockedFile) -> String {
    let rows = file.rows.map(String.init) ?? "-"
    return "\(path) \(file.size) \(file.contentSize) \(rows) \(file.digest)"
  }
}
