import Seedbed

/// The text of `seedbed.lock`, which `LockReader` reads; see Documentation/CatalogFormat.md.
enum LockText {
  /// `migrations` are in version order, each with its digests. `options` are the facts about
  /// catalog.json; nil if there is none.
  ///
  /// `snapshots` have the chain up to their versions. Without snapshots, a base, a first database,
  /// a second engine and a pack, the lock has the first format, which every reader knows.
  static func text(
    of migrations: [Migration], snapshots: [Migration] = [], base: Migration? = nil,
    first: FirstDatabase? = nil, options: LockedFile?, pack: Pack?
  ) -> [UInt8] {
    var lines: [String] = []
    if let options { lines.append(line(Lock.optionsName, options)) }
    if let first { lines.append(first.line) }
    if let base { lines.append("base " + base.lockLine) }
    // A snapshot comes after the migration with its version.
    let all = (migrations + snapshots).enumerated().sorted {
      ($0.element.version, $0.offset) < ($1.element.version, $1.offset)
    }
    for (_, migration) in all {
      lines.append(migration.lockLine)
      for file in migration.allFiles {
        guard let locked = file.locked else { continue }
        lines.append(line("\(migration.folder)/\(file.name)", locked))
      }
    }
    let body = lines.map { $0 + "\n" }.joined()
    let other = migrations.last.map(\.other) ?? base?.other
    let isFirst =
      snapshots.isEmpty && base == nil && first == nil && other == nil
      && pack == nil
    let chain = migrations.last?.chain ?? base?.chain ?? ""
    let otherChain = other.map { " \(EngineName.postgresql.rawValue) \($0.chain ?? "")" } ?? ""
    let ofPack = pack.map { " \(Pack.word) \($0.name) \($0.needs)" } ?? ""
    let head = """
      \(Lock.fileName) \(isFirst ? 1 : Lock.format): written by 'migrate lock'; never edit it, \
      and run that again after a merge
      head \(migrations.last?.version ?? base?.version ?? 0) \(chain)\(otherChain)\(ofPack)
      body \(lines.count) crc32:\(Lock.check(of: body))

      """
    return Array((head + body).utf8)
  }

  private static func line(_ path: String, _ file: LockedFile) -> String {
    let rows = file.rows.map(String.init) ?? "-"
    return "\(path) \(file.size) \(file.contentSize) \(rows) \(file.digest)"
  }
}

extension Migration {
  var lockLine: String {
    let sums = "\(folder)/ \(checksum ?? "") \(chain ?? "")"
    let others = other.map {
      " \(EngineName.postgresql.rawValue) \($0.checksum ?? "") \($0.chain ?? "")"
    }
    return sums + (others ?? "") + (isWithdrawn ? " withdrawn" : "")
  }
}

extension FirstDatabase {
  var line: String { "\(Self.name) \(size) \(version) \(chain) \(digest)" }
}
