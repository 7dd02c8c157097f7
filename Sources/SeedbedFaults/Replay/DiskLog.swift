package import Seedbed

/// Everything that happened to the files of one folder while something ran, in its order.
package final class DiskLog: DiskObserver {
  package struct Entry: Sendable {
    package var change: DiskChange
    /// How many steps had been reported to the caller before it.
    package var told: Int
  }

  private struct State {
    var entries: [Entry] = []
    var told = 0
    /// Set by a bug planted for the harness's own sake.
    var forgets: (@Sendable (DiskChange) -> Bool)?
  }

  private let state = Guarded(State())
  let writer = Writer()
  private let prefix: String
  private let journal: String?

  /// The path of the database whose run this is.
  package var database: String { prefix + Subject.database }

  /// - Parameters:
  ///   - folder: a path from the root, all links resolved.
  ///   - journal: a journal mode that each connection is set to.
  package init(folder: String, journal: String? = nil) {
    prefix = folder + "/"
    self.journal = journal
  }

  package func opened(_ handle: OpaquePointer) {
    JournalMode.set(journal, on: handle)
    writer.note(handle)
  }

  /// Runs SQL on the connection that writes, in the middle of what it does.
  package func interfere(_ sql: String) { writer.run(sql) }

  /// Has that connection write what it holds back until COMMIT.
  package func flush() { writer.flush() }

  package var entries: [Entry] { state.withLock { $0.entries } }

  /// How many steps had been reported to the caller in the end.
  package var told: Int { state.withLock { $0.told } }

  /// Notes that the caller now knows of one more step that is done.
  package func tell() { state.withLock { $0.told += 1 } }

  /// Changes that are never noted: a disk that ignores what it is asked.
  package func forget(_ forgets: @escaping @Sendable (DiskChange) -> Bool) {
    state.withLock { $0.forgets = forgets }
  }

  /// The fsync of a folder that comes right after this change is never noted.
  package func forgetFolderSyncs(after change: DiskChange) {
    let last = Guarded<DiskChange?>(nil)
    forget { next in
      last.withLock { last in
        defer { last = next }
        if case .syncedFolder = next { return last == change }
        return false
      }
    }
  }

  package func changed(_ change: DiskChange) {
    guard let change = relative(change) else { return }
    state.withLock { state in
      if state.forgets?(change) == true { return }
      state.entries.append(Entry(change: change, told: state.told))
    }
  }

  /// nil for what lies outside the folder.
  private func relative(_ change: DiskChange) -> DiskChange? {
    func name(_ path: String) -> String? {
      if path.hasPrefix(prefix) { return String(path.dropFirst(prefix.count)) }
      return path + "/" == prefix ? "" : nil
    }
    switch change {
    case .created(let path): return name(path).map { .created($0) }
    case .written(let path, let offset, let bytes):
      return name(path).map { .written($0, offset: offset, bytes: bytes) }
    case .truncated(let path, let size): return name(path).map { .truncated($0, size: size) }
    case .synced(let path): return name(path).map { .synced($0) }
    case .linked(let from, let to):
      guard let from = name(from), let to = name(to) else { return nil }
      return .linked(from: from, to: to)
    case .renamed(let from, let to):
      guard let from = name(from), let to = name(to) else { return nil }
      return .renamed(from: from, to: to)
    case .removed(let path): return name(path).map { .removed($0) }
    case .madeFolder(let path): return name(path).map { .madeFolder($0) }
    case .syncedFolder(let path): return name(path).map { .syncedFolder($0) }
    }
  }
}
