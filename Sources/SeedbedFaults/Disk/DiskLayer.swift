import CSeedbedSQLite
package import Seedbed

/// SQLite's own file layer with an observer in front: every operation on a file in a watched folder
/// is reported to that folder's observer, which may fail it.
///
/// It becomes the process's default file layer at the first call. Operations on other files pass
/// through.
package enum DiskLayer {
  /// While `body` runs, `observer` sees SQLite's operations in the folder, given by its absolute
  /// path.
  package static func observing<Result>(
    _ folder: String, with observer: any DiskObserver, _ body: () throws -> Result
  ) throws -> Result {
    guard isInstalled else { throw Trouble("SQLite refused the observing file layer.") }
    observers.withLock { $0.append((folder + "/", observer)) }
    defer { observers.withLock { all in all.removeAll { $0.observer === observer } } }
    return try body()
  }

  private static let observers = Guarded<[(folder: String, observer: any DiskObserver)]>([])

  private static func observer(of path: String) -> (any DiskObserver)? {
    observers.withLock { all in all.last { path.hasPrefix($0.folder) }?.observer }
  }

  // Sound: written once, when `isInstalled` is made, and only read afterwards.
  private nonisolated(unsafe) static var original: UnsafeMutablePointer<sqlite3_vfs>?

  private static let isInstalled: Bool = {
    original = sqlite3_vfs_find(nil)
    guard let original else { return false }
    // Never freed: SQLite keeps its address.
    let layer = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    layer.initialize(to: original.pointee)
    layer.pointee.pNext = nil
    layer.pointee.szOsFile += Int32(MemoryLayout<UnsafeRawPointer>.size)
    layer.pointee.xOpen = { _, name, file, flags, found in
      DiskLayer.open(name, file, flags, found)
    }
    layer.pointee.xDelete = { _, name, isSynced in DiskLayer.delete(name, isSynced) }
    // Last, so that a refusal leaves the process as it was.
    return sqlite3_vfs_register(layer, 1) == SQLITE_OK
  }()

  /// Call it for each new connection: Apple's SQLite calls no function for all that are opened.
  static func opened(_ handle: OpaquePointer?) {
    guard let handle, let name = sqlite3_db_filename(handle, "main") else { return }
    observer(of: String(cString: name))?.opened(handle)
  }

  // MARK: names

  private static func open(
    _ name: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ found: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let original, let open = original.pointee.xOpen, let file else { return SQLITE_ERROR }
    guard let name, let observer = observer(of: String(cString: name)) else {
      return open(original, name, file, flags, found)
    }
    let path = String(cString: name)
    let isNew = flags & SQLITE_OPEN_CREATE != 0 && !exists(name)
    // > xOpen: pMethods must be set, or be NULL where xClose is not to be called.
    file.pointee.pMethods = nil
    let code = perform(observer, .open(path)) {
      open(original, name, file, flags, found)
    }
    guard let methods = file.pointee.pMethods else { return code }
    if code == SQLITE_OK, isNew { observer.changed(.created(path)) }
    // As in unixOpen, the first fsync of a journal also covers the folder.
    let journals = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL
    let opened = ObservedFile(
      path: path, methods: methods, observer: observer.observer(of: path),
      syncsFolder: flags & journals != 0 && flags & SQLITE_OPEN_CREATE != 0)
    ObservedFile.place(of: file, after: original.pointee.szOsFile).pointee =
      Unmanaged.passRetained(opened)
    file.pointee.pMethods = ObservedFile.methods(like: methods, after: original.pointee.szOsFile)
    return code
  }

  private static func exists(_ name: UnsafePointer<CChar>) -> Bool {
    var answer: Int32 = 0
    _ = original?.pointee.xAccess?(original, name, SQLITE_ACCESS_EXISTS, &answer)
    return answer != 0
  }

  private static func delete(_ name: UnsafePointer<CChar>?, _ isSynced: Int32) -> Int32 {
    guard let original, let delete = original.pointee.xDelete else { return SQLITE_ERROR }
    guard let name, let observer = observer(of: String(cString: name)) else {
      return delete(original, name, isSynced)
    }
    let path = String(cString: name)
    return perform(observer, .delete(path)) {
      let code = delete(original, name, isSynced)
      guard code == SQLITE_OK else { return code }
      observer.changed(.removed(path))
      if isSynced != 0 { observer.changed(.syncedFolder(folder(of: path))) }
      return code
    }
  }

  static func folder(of path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }

  static func perform(
    _ observer: any DiskObserver, _ request: DiskRequest, _ body: () -> Int32
  ) -> Int32 {
    switch observer.answer(to: request) {
    case .pass: return body()
    case .fail(let code): return code
    case .failAfterwards(let code):
      let real = body()
      return real == SQLITE_OK ? code : real
    case .cutShort: return SQLITE_IOERR | (2 << 8)
    }
  }
}

/// Observes the operations in a folder, and decides which of them fail.
///
/// Its methods are called on the thread on which SQLite runs.
package protocol DiskObserver: AnyObject, Sendable {
  /// Called before each operation.
  func answer(to request: DiskRequest) -> DiskAnswer
  /// Called after each change took effect.
  func changed(_ change: DiskChange)
  /// Called with each new connection, before it is used.
  func opened(_ handle: OpaquePointer)
  /// The observer of the file that was opened, by this opening of it.
  func observer(of path: String) -> any DiskObserver
}

extension DiskObserver {
  package func answer(to request: DiskRequest) -> DiskAnswer { .pass }
  package func changed(_ change: DiskChange) {}
  package func opened(_ handle: OpaquePointer) {}
  package func observer(of path: String) -> any DiskObserver { self }
}

/// An operation that SQLite is about to perform.
package enum DiskRequest: Sendable {
  case open(String)
  case read(String)
  case write(String)
  case truncate(String)
  case sync(String)
  case delete(String)
  case lock(String)

  package var path: String {
    switch self {
    case .open(let path), .read(let path), .write(let path), .truncate(let path),
      .sync(let path), .delete(let path), .lock(let path):
      path
    }
  }
}

package enum DiskAnswer: Sendable {
  case pass
  /// Nothing happens, and SQLite gets this code.
  case fail(Int32)
  /// The operation takes effect, but is reported as failed, as on a disk that dies a moment later.
  case failAfterwards(Int32)
  /// Half of the bytes are written, and SQLite gets the error that the disk is full.
  case cutShort
}

package struct Trouble: Error, CustomStringConvertible {
  package var description: String
  package init(_ description: String) { self.description = description }
}
