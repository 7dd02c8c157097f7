import Seedbed

/// The text of `seedbed.lock`. Migrations/README.md has the format; `LockReader` reads it.
enum LockText {
  /// `migrations` are in version order, each with its digests; `options` is what is to be said of
  /// catalog.json, nil where there is none.
  static func text(of migrations: [Migration], options: LockedFile?) -> [UInt8] {
    var lines: [String] = []
    if let options { lines.append(line(Lock.optionsName, options)) }
    for migration in migrations {
      let withdrawn = migration.isWithdrawn ? " withdrawn" : ""
      let digests = "\(migration.checksum ?? "") \(migration.chain ?? "")"
      lines.append("\(migration.folder)/ \(digests)\(withdrawn)")
      for file in migration.files {
        guard let locked = file.locked else { continue }
        lines.append(line("\(migration.folder)/\(file.name)", locked))
      }
    }
    let body = lines.map { $0 + "\n" }.joined()
    let last = migrations.last
    let head = """
      \(Lock.fileName) \(Lock.format): written by 'migrate lock'; never edit it, and run that \
      again after a merge
      head \(last?.version ?? 0) \(last?.chain ?? "")
      body \(lines.count) crc32:\(Lock.check(of: body))

      """
    return Array((head + body).utf8)
  }

  private static func line(_ path: String, _ file: LockedFile) -> String {
    let rows = file.rows.map(String.init) ?? "-"
    return "\(path) \(file.size) \(file.contentSize) \(rows) \(file.digest)"
  }
}
