package import Seedbed

/// The server on which a snapshot's SQL for PostgreSQL is made and compared.
package enum ServerAtHand: Sendable {
  case there(any Engine, Migrator.Options, Migrator.Cancellation? = nil)
  /// Why there is none, in a sentence.
  case missing(String)

  /// Applies all migrations there.
  ///
  /// - Throws: why there is none.
  func snapshot(of catalog: Catalog, to version: Version) throws -> ServerSnapshot {
    switch self {
    case .missing(let reason): throw SeedbedError(.usage, reason)
    case .there(let engine, let options, let cancellation):
      return try ServerSnapshot(
        catalog, to: version, ledger: options.ledger
      ) { try engine.empty(options, cancellation) }
    }
  }
}

/// What a snapshot has for PostgreSQL.
struct SnapshotTwins {
  var files: [NewFile] = []
  var mark: SnapshotMark.OtherMark?
  var state: SnapshotSummary.OnServer?
}

extension SnapshotMaker {
  /// Makes the SQL for PostgreSQL, or takes the author's own, and compares it on the server.
  ///
  /// - Parameters:
  ///   - tables: those whose rows are in files.
  ///   - files: what the folder holds for SQLite, with a mark for PostgreSQL.
  /// - Throws: if the author's own SQL makes something else. What cannot be made is left out: a
  ///   database on a server then begins with the migrations.
  func twins(
    replacing old: Migration?, filling tables: [String],
    _ files: (SnapshotMark.OtherMark?) throws -> [NewFile]
  ) throws -> SnapshotTwins {
    guard try catalog.generalOptions().engines.contains(.postgresql) else { return SnapshotTwins() }
    let before = try oldTwins(old)
    let isAuthors = before.contains { !$0.isGenerated }
    let made: ServerSnapshot
    let chain: String
    do {
      let catalog = try catalog.forPostgreSQL()
      chain = try Self.chain(of: catalog, to: last.version)
      made = try server.snapshot(of: catalog, to: last.version)
    } catch {
      let reason = SeedbedError.from(error)
      if reason.code == .cancelled { throw reason }
      return try uncompared(reason.description, old, before, isAuthors: isAuthors, files)
    }
    let mark = SnapshotMark.OtherMark(chain: chain, creates: try made.creates())
    func difference(_ twins: [NewFile]) throws -> String? {
      try staged(try files(mark) + twins) { try made.difference($0) }
    }
    if isAuthors {
      if let difference = try difference(before) {
        throw SeedbedError.snapshotDiffersThere(difference, folder)
      }
      return SnapshotTwins(files: before, mark: mark, state: .compared)
    }
    do {
      var first: String?
      for twins in try made.candidates(filling: tables) {
        guard let difference = try difference(twins) else {
          return SnapshotTwins(files: twins, mark: mark, state: .compared)
        }
        first = first ?? difference
      }
      return SnapshotTwins(state: .needsAuthor(first ?? ""))
    } catch {
      let error = SeedbedError.from(error)
      if [.cancelled, .io, .busy].contains(error.code) { throw error }
      return SnapshotTwins(state: .needsAuthor(error.description))
    }
  }

  /// Without a server: what was compared before stays, if it is of the same migrations.
  private func uncompared(
    _ reason: String, _ old: Migration?, _ before: [NewFile], isAuthors: Bool,
    _ files: (SnapshotMark.OtherMark?) throws -> [NewFile]
  ) throws -> SnapshotTwins {
    guard let old, !before.isEmpty else { return SnapshotTwins(state: .left(reason)) }
    let mark = try catalog.options(of: old).snapshot?.other
    // A catalog that is not whole on PostgreSQL has no chain there.
    let chain = try? Self.chain(of: catalog.forPostgreSQL(), to: last.version)
    if let mark, mark.chain == chain, try isSame(files(mark) + before, as: old) {
      return SnapshotTwins(files: before, mark: mark, state: .kept(reason))
    }
    if isAuthors { throw SeedbedError.snapshotNeedsServer(old.folder, reason) }
    return SnapshotTwins(state: .left(reason))
  }

  private func oldTwins(_ old: Migration?) throws -> [NewFile] {
    guard let old else { return [] }
    return try (old.other?.sql ?? []).map {
      NewFile($0.name, try catalog.bytes(of: $0.name, in: old.folder))
    }
  }

  /// With the folder as it is about to be, for PostgreSQL.
  private func staged<Result>(
    _ files: [NewFile], _ body: (Catalog) throws -> Result
  ) throws -> Result {
    let content = ReleaseWriter.FolderContent(name: folder, files: files)
    return try ReleaseWriter(directory: catalog.path).staged([content], options: options()) {
      try body(try Catalog([catalog, $0]).forPostgreSQL())
    }
  }
}

extension NewFile {
  /// Whether a snapshot's SQL is not the author's own.
  fileprivate var isGenerated: Bool {
    guard case .bytes(let bytes) = content else { return false }
    return bytes.starts(with: ServerSnapshot.remark.utf8)
  }
}

extension SeedbedError {
  fileprivate static func snapshotDiffersThere(
    _ difference: String, _ folder: String
  ) -> SeedbedError {
    SeedbedError(
      .verify,
      "The SQL for PostgreSQL that you wrote for this snapshot makes something else than all "
        + "migrations: \(difference). Nothing was written. Fix it, or remove it.",
      at: Place(folder))
  }

  fileprivate static func snapshotNeedsServer(_ folder: String, _ reason: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "This snapshot has SQL for PostgreSQL that you wrote, which has to be compared on a server: "
        + "\(reason) Name one, or remove that SQL.", at: Place(folder))
  }
}
