public import Seedbed

extension Catalog {
  /// The newest catalog that can be trusted: the one that the app ships, continued by a download if
  /// one is signed, belongs to it and goes further.
  ///
  ///     let catalog = try Catalog.newest(
  ///       bundled: migrations, downloaded: [june], signedBy: ["ed25519:Qm9…"])
  ///     let report = try Migrator(catalog: catalog, at: database).up()
  ///
  /// A download that cannot be trusted is passed over, and never keeps an app from starting:
  /// `passedOver` and `Migrator.Report.passedOver` say why. The database remembers the newest
  /// release by each key, so an older one is no news to it.
  ///
  /// Only the signature and the lock of a download are read here; its files are read in place, and
  /// compared with the lock, when they are applied.
  ///
  /// - Parameters:
  ///   - directory: the folder of the catalog that the app ships, with a lock.
  ///   - paths: bundles, as `migrate bundle` writes them; in any order.
  ///   - keys: the public keys that are trusted, as `migrate sign` prints them: today's, and
  ///     tomorrow's.
  ///   - allowsSQL: true trusts downloads as far as the app's own catalog: their SQL runs, and
  ///     their options may let releases overwrite or delete more of what users made.
  ///   - known: for each key, the version below which nothing is news, from
  ///     `Migrator.Status.signedHeads` of an earlier start; for apps that restore backups.
  /// - Throws: `usage` for a key that is none, `catalog` if the app's own catalog cannot be read.
  public static func newest(
    bundled directory: String, downloaded paths: [String], signedBy keys: [String],
    allowsSQL: Bool = false, known: [String: Migrator.Version] = [:]
  ) throws(SeedbedError) -> Catalog {
    let trusted = try keys.map { text throws(SeedbedError) in try PublicKey(text) }
    let bundled = try Catalog(locked: directory)
    return try SeedbedError.catching {
      try bundled.newest(paths, trusted, allowsSQL: allowsSQL, known)
    }
  }

  private func newest(
    _ paths: [String], _ trusted: [PublicKey], allowsSQL: Bool, _ known: [String: Migrator.Version]
  ) throws -> Catalog {
    var found: [Downloads.Candidate] = []
    var passedOver: [Migrator.PassedOver] = []
    let options = try paths.isEmpty ? nil : generalOptions()
    for path in paths.map({ Paths.absolute($0) }) {
      do throws(SignedBundle.Refusal) {
        let candidate = try continued(at: path, trusted, options, allowsSQL: allowsSQL)
        if candidate.download.heads.contains(where: { $0.version < known[$0.key] ?? 0 }) {
          throw SignedBundle.Refusal(.older)
        }
        found.append(candidate)
      } catch {
        passedOver.append(Migrator.PassedOver(path: path, reason: error.reason))
      }
    }
    // Where two are equal, the first one that was named.
    let best = found.enumerated().sorted {
      ($1.element.catalog.lastVersion, $0.offset) < ($0.element.catalog.lastVersion, $1.offset)
    }.map(\.element)
    return choosing(among: best, passedOver)
  }

  /// This catalog, continued by a download.
  private func continued(
    at path: String, _ trusted: [PublicKey], _ options: MigrationOptions?, allowsSQL: Bool
  ) throws(SignedBundle.Refusal) -> Downloads.Candidate {
    // From here on, bytes that are written to the file may be read.
    let state = Paths.state(path)
    let bundle: SignedBundle
    do {
      guard Paths.exists(path) else { throw SignedBundle.Refusal(.missing) }
      // It is no better later, as what cannot be read now may be.
      if let found = Paths.whatIsNoFile(path) {
        throw SignedBundle.Refusal(.damaged("It is \(found), not a file."))
      }
      bundle = try SignedBundle(at: path, trusting: trusted)
      try refuse(bundle, id: options?.id, allowsSQL: allowsSQL)
    } catch let refusal as SignedBundle.Refusal {
      throw refusal
    } catch {
      throw SignedBundle.Refusal(Migrator.PassedOver.Reason(SeedbedError.from(error)))
    }
    let (lock, layout) = (bundle.lock, bundle.folder.layout)
    let part = Catalog(download: bundle.folder, lock, since: layout.since)
    do {
      // The options are read when the catalog is opened, before there is another to go on with.
      try part.checkGeneralOptions()
      if options?.engines.contains(.sqlite) == true { try part.refuseOnSQLite() }
      try refuseOtherEngine(part)
    } catch {
      throw SignedBundle.Refusal(Migrator.PassedOver.Reason(SeedbedError.from(error)))
    }
    let heads = bundle.keys.map {
      Migrator.SignedHead(
        key: "\($0)", version: bundle.signature.head, lock: bundle.signature.lock)
    }
    return Downloads.Candidate(
      continued(by: part),
      Download(
        path: path, heads: heads, signedAt: Migrator.Timestamp(text: bundle.signature.time),
        since: layout.since, isTrusted: allowsSQL, state: state))
  }

  /// Throws unless a bundle continues this catalog.
  private func refuse(_ bundle: SignedBundle, id: String?, allowsSQL: Bool) throws {
    typealias Refusal = SignedBundle.Refusal
    let lock = bundle.lock
    if bundle.signature.catalog != id { throw Refusal(.otherCatalog) }
    if lock.head.version <= lastVersion { throw Refusal(.older) }
    if let base = lock.base, base.version > lastVersion { throw Refusal(.needsFrom(base.version)) }
    if lock.chain(of: lastVersion) != chain { throw Refusal(.forked) }
    let new = lock.migrations.filter { $0.version > lastVersion }
    if !allowsSQL, new.contains(where: { $0.allFiles.contains(where: \.isSQL) }) {
      throw Refusal(.holdsSQL)
    }
  }

  /// Throws unless a download serves PostgreSQL where this catalog does.
  private func refuseOtherEngine(_ part: Catalog) throws {
    if head?.otherChain != nil, part.head?.otherChain == nil {
      throw SeedbedError(
        .catalog, "It has no releases for PostgreSQL, which the app's catalog has.")
    }
  }

  /// The last version in the lock.
  private var lastVersion: Migrator.Version { head?.version ?? 0 }
}
