import CSeedbedSQLite
import Seedbed

/// The state of a file that SQLite opened in an observed folder.
final class ObservedFile {
  let path: String
  let methods: UnsafePointer<sqlite3_io_methods>
  let observer: any DiskObserver
  /// True until its first fsync.
  var syncsFolder: Bool

  init(
    path: String, methods: UnsafePointer<sqlite3_io_methods>, observer: any DiskObserver,
    syncsFolder: Bool
  ) {
    self.path = path
    self.methods = methods
    self.observer = observer
    self.syncsFolder = syncsFolder
  }

  /// The address of the reference to our object, after SQLite's own data about a file.
  static func place(
    of file: UnsafeMutablePointer<sqlite3_file>, after size: Int32
  ) -> UnsafeMutablePointer<Unmanaged<ObservedFile>> {
    // Sound: szOsFile was increased by one pointer, and the original size is a multiple of a
    // pointer's.
    UnsafeMutableRawPointer(file).advanced(by: Int(size))
      .assumingMemoryBound(to: Unmanaged<ObservedFile>.self)
  }

  private static func of(_ file: UnsafeMutablePointer<sqlite3_file>?) -> ObservedFile {
    // Sound: only files that got a reference in `DiskLayer.open` have these methods.
    place(of: file!, after: sizeOfOriginal.withLock { $0 }).pointee.takeUnretainedValue()
  }

  private static let sizeOfOriginal = Guarded<Int32>(0)

  /// Our methods by the addresses of SQLite's: databases have different ones from journals, which
  /// are never locked. Never freed, since SQLite keeps their addresses.
  private static let known = Guarded<[UInt: UInt]>([:])

  static func methods(
    like original: UnsafePointer<sqlite3_io_methods>, after size: Int32
  ) -> UnsafePointer<sqlite3_io_methods>? {
    sizeOfOriginal.withLock { $0 = size }
    let address = known.withLock { known in
      let key = UInt(bitPattern: original)
      if let address = known[key] { return address }
      let address = UInt(bitPattern: observing(original))
      known[key] = address
      return address
    }
    return UnsafePointer(bitPattern: address)
  }

  private static func observing(
    _ original: UnsafePointer<sqlite3_io_methods>
  ) -> UnsafeMutablePointer<sqlite3_io_methods> {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    methods.initialize(to: original.pointee)
    methods.pointee.xRead = { pointer, bytes, count, offset in
      let file = ObservedFile.of(pointer)
      return DiskLayer.perform(file.observer, .read(file.path)) {
        file.methods.pointee.xRead(pointer, bytes, count, offset)
      }
    }
    methods.pointee.xWrite = { pointer, bytes, count, offset in
      ObservedFile.of(pointer).write(pointer, bytes, count, offset)
    }
    methods.pointee.xTruncate = { pointer, size in
      let file = ObservedFile.of(pointer)
      return DiskLayer.perform(file.observer, .truncate(file.path)) {
        file.noting(.truncated(file.path, size: size)) {
          file.methods.pointee.xTruncate(pointer, size)
        }
      }
    }
    methods.pointee.xSync = { pointer, flags in ObservedFile.of(pointer).sync(pointer, flags) }
    methods.pointee.xLock = { pointer, level in
      let file = ObservedFile.of(pointer)
      return DiskLayer.perform(file.observer, .lock(file.path)) {
        file.methods.pointee.xLock(pointer, level)
      }
    }
    if original.pointee.iVersion > 1, original.pointee.xShmLock != nil {
      methods.pointee.xShmLock = { pointer, offset, count, flags in
        ObservedFile.of(pointer).lockWAL(pointer, offset, count, flags)
      }
    }
    methods.pointee.xClose = { pointer in
      let place = ObservedFile.place(
        of: pointer!, after: ObservedFile.sizeOfOriginal.withLock { $0 })
      let file = place.pointee.takeRetainedValue()
      return file.methods.pointee.xClose(pointer)
    }
    return methods
  }

  private func noting(_ change: @autoclosure () -> DiskChange, _ body: () -> Int32) -> Int32 {
    let code = body()
    if code == SQLITE_OK { observer.changed(change()) }
    return code
  }

  private func write(
    _ pointer: UnsafeMutablePointer<sqlite3_file>?, _ bytes: UnsafeRawPointer?, _ count: Int32,
    _ offset: Int64
  ) -> Int32 {
    func write(_ count: Int32) -> Int32 {
      let change = {
        DiskChange.written(
          self.path, offset: offset,
          bytes: Array(UnsafeRawBufferPointer(start: bytes, count: Int(count))))
      }
      return noting(change()) { methods.pointee.xWrite(pointer, bytes, count, offset) }
    }
    switch observer.answer(to: .write(path)) {
    case .pass: return write(count)
    case .fail(let code): return code
    case .failAfterwards(let code):
      let real = write(count)
      return real == SQLITE_OK ? code : real
    case .cutShort:
      // > unixWrite: a write that is shorter than asked for is SQLITE_FULL.
      let real = write(count / 2)
      return real == SQLITE_OK ? SQLITE_FULL : real
    }
  }

  private func sync(_ pointer: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32) -> Int32 {
    DiskLayer.perform(observer, .sync(path)) {
      let code = noting(.synced(path)) { methods.pointee.xSync(pointer, flags) }
      if code == SQLITE_OK, syncsFolder {
        syncsFolder = false
        observer.changed(.syncedFolder(DiskLayer.folder(of: path)))
      }
      return code
    }
  }

  private func lockWAL(
    _ pointer: UnsafeMutablePointer<sqlite3_file>?, _ offset: Int32, _ count: Int32,
    _ flags: Int32
  ) -> Int32 {
    guard let lock = methods.pointee.xShmLock else { return SQLITE_IOERR }
    // Releasing a lock always succeeds.
    guard flags & SQLITE_SHM_LOCK != 0 else { return lock(pointer, offset, count, flags) }
    return DiskLayer.perform(observer, .lock(path)) { lock(pointer, offset, count, flags) }
  }
}
