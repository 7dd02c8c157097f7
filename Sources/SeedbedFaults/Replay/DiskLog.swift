package import Seedbed

/// All changes to the files of one folder during a run, in order.
package final class DiskLog: DiskObserver {
  package struct Entry: Sendable {
    package var change: DiskChange
    /// The number of steps that had been reported to the caller before it.
    package var told: Int
  }

  private struct State {
    var entries: [Entry] = []
    var told = 0
    /// Set by a bug that is planted to test the harness.
    var forgets: (@Sendable (DiskChange) -> Bool)?
  }

  private let state = Guarded(State())
  let writer = Writer()
  private let prefix: String
  private let journal: String?

  /// The path of the database in this run.
  package var database: String { prefix + Subject.database }

  /// - Parameters:
  ///   - folder: an absolute path without symbolic links.
  ///   - journal: a journal mode to set on each connection.
  package init(folder: String, journal: String? = nil) {
    prefix = folder + "/"
    self.journal = journal
  }

  package func opened(_ handle: OpaquePointer) {
    JournalMode.set(journal, on: handle)
    writer.note(handle)
  }

  /// Runs SQL on the writing connection in the middle of its work.
  package func interfere(_ sql: String) { writer.run(sql) }

  /// Makes that connection write the pages that it holds back until COMMIT.
  package func flush() { writer.flush() }

  package var entries: [Entry] { state.withLock { $0.entries } }

  /// The number of steps reported to the caller at the end.
  package var told: Int { state.withLock { $0.told } }

  /// Records that one more step was reported to the caller as done.
  package func tell() { state.withLock { $0.told += 1 } }

  /// Leaves such changes out of the log: a disk that ignores requests.
  package func forget(_ forgets: @escaping @Sendable (DiskChange) -> Bool) {
    state.withLock { $0.forgets = forgets }
  }

  /// Leaves out the fsync of a folder that comes right after this change.
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

  /// The change with paths in the folder; nil if it is outside.
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
