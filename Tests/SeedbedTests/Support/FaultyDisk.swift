import CSQLite

@testable import Seedbed

/// SQLite's own file layer, in which a test can make operations on one database fail.
///
/// It is registered as the default, and lets everything through that no test asked for.
enum FaultyDisk {
  enum Operation: Sendable, Equatable { case write, truncate, sync, delete }

  enum Answer: Sendable {
    case pass
    case fail(Int32)
    /// It takes effect, and is reported as failed: what a disk does that dies a moment later.
    case doneButFail(Int32)
  }

  /// Asked before each operation on the database or its journals, by the file's suffix: ``,
  /// `-journal`, `-wal`.
  typealias Decision = @Sendable (_ operation: Operation, _ suffix: String) -> Answer

  static func with<Result>(
    _ database: String, _ decide: @escaping Decision, _ body: () throws -> Result
  ) rethrows -> Result {
    _ = isInstalled
    state.withLock { $0.decisions[database] = decide }
    defer { state.withLock { $0.decisions[database] = nil } }
    return try body()
  }

  private struct State {
    var decisions: [String: Decision] = [:]
    /// Open files by their addresses.
    var files: [UInt: File] = [:]
    /// Our methods by the addresses of SQLite's: databases have others than journals, which are
    /// never locked.
    var methods: [UInt: UnsafePointer<sqlite3_io_methods>] = [:]
  }

  private struct File {
    var name: String
    var original: UnsafePointer<sqlite3_io_methods>
  }

  private static let state = Guarded(State())

  private static func answer(_ operation: Operation, _ name: String?) -> Answer {
    guard let name else { return .pass }
    for suffix in ["", "-journal", "-wal"] where name.hasSuffix(suffix) {
      let database = String(name.dropLast(suffix.count))
      if let decide = state.withLock({ $0.decisions[database] }) {
        return decide(operation, suffix)
      }
    }
    return .pass
  }

  private static func perform(
    _ operation: Operation, _ name: String?, _ body: () -> Int32
  ) -> Int32 {
    switch answer(operation, name) {
    case .pass: return body()
    case .fail(let code): return code
    case .doneButFail(let code):
      _ = body()
      return code
    }
  }

  private static func file(_ file: UnsafeMutablePointer<sqlite3_file>?) -> File? {
    state.withLock { $0.files[UInt(bitPattern: file)] }
  }

  // MARK: what SQLite calls

  // Sound: written once, when `isInstalled` is made, and only read afterwards.
  private nonisolated(unsafe) static var original: UnsafeMutablePointer<sqlite3_vfs>?

  private static let isInstalled: Bool = {
    original = sqlite3_vfs_find(nil)
    guard let original else { return false }
    let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    vfs.initialize(to: original.pointee)
    vfs.pointee.pNext = nil
    vfs.pointee.xOpen = { _, name, file, flags, found in
      let original = FaultyDisk.original
      let code = original?.pointee.xOpen?(original, name, file, flags, found) ?? SQLITE_ERROR
      if code == SQLITE_OK, let name, let file {
        FaultyDisk.watch(file, String(cString: name))
      }
      return code
    }
    vfs.pointee.xDelete = { _, name, isSynced in
      let original = FaultyDisk.original
      return FaultyDisk.perform(.delete, name.map { String(cString: $0) }) {
        original?.pointee.xDelete?(original, name, isSynced) ?? SQLITE_ERROR
      }
    }
    return sqlite3_vfs_register(vfs, 1) == SQLITE_OK
  }()

  private static func watch(_ file: UnsafeMutablePointer<sqlite3_file>, _ name: String) {
    guard let original = file.pointee.pMethods else { return }
    state.withLock { state in
      state.files[UInt(bitPattern: file)] = File(name: name, original: original)
      let known = state.methods[UInt(bitPattern: original)]
      let ours = known ?? UnsafePointer(faulty(original))
      state.methods[UInt(bitPattern: original)] = ours
      file.pointee.pMethods = ours
    }
  }

  /// Never freed: SQLite keeps its address.
  private static func faulty(
    _ original: UnsafePointer<sqlite3_io_methods>
  ) -> UnsafeMutablePointer<sqlite3_io_methods> {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    methods.initialize(to: original.pointee)
    methods.pointee.xWrite = { pointer, bytes, count, offset in
      let file = FaultyDisk.file(pointer)
      return FaultyDisk.perform(.write, file?.name) {
        file?.original.pointee.xWrite(pointer, bytes, count, offset) ?? SQLITE_ERROR
      }
    }
    methods.pointee.xTruncate = { pointer, size in
      let file = FaultyDisk.file(pointer)
      return FaultyDisk.perform(.truncate, file?.name) {
        file?.original.pointee.xTruncate(pointer, size) ?? SQLITE_ERROR
      }
    }
    methods.pointee.xSync = { pointer, flags in
      let file = FaultyDisk.file(pointer)
      return FaultyDisk.perform(.sync, file?.name) {
        file?.original.pointee.xSync(pointer, flags) ?? SQLITE_ERROR
      }
    }
    methods.pointee.xClose = { pointer in
      let file = FaultyDisk.file(pointer)
      FaultyDisk.state.withLock { $0.files[UInt(bitPattern: pointer)] = nil }
      return file?.original.pointee.xClose(pointer) ?? SQLITE_ERROR
    }
    return methods
  }
}
