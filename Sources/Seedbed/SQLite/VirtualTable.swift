package import CSeedbedSQLite

/// A table of functions: it exists under its module's name and nowhere else, and views and triggers
/// cannot read it.
package struct VirtualTable {
  private var base = sqlite3_vtab()
  private let owner: UnsafeMutableRawPointer

  package typealias Reference = UnsafeMutablePointer<sqlite3_vtab>
  package typealias Cursor = UnsafeMutablePointer<sqlite3_vtab_cursor>

  /// A module whose `xConnect` is to call `connect`. It is never freed: SQLite keeps its address as
  /// long as any connection has it registered.
  package static func module(
    _ setCallbacks: (UnsafeMutablePointer<sqlite3_module>) -> Void
  ) -> UnsafeMutablePointer<sqlite3_module> {
    let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    module.initialize(to: sqlite3_module())
    module.pointee.xDisconnect = { table in
      UnsafeMutableRawPointer(table!).assumingMemoryBound(to: VirtualTable.self).deallocate()
      return SQLITE_OK
    }
    setCallbacks(module)
    return module
  }

  package static func connect(
    _ handle: OpaquePointer?, _ declaration: String, owner: UnsafeMutableRawPointer,
    _ table: UnsafeMutablePointer<Reference?>?
  ) -> Int32 {
    let code = sqlite3_declare_vtab(handle, declaration)
    guard code == SQLITE_OK else { return code }
    // > SQLITE_VTAB_DIRECTONLY prohibits that virtual table from being used from within
    // > triggers and views.
    seedbed_vtab_direct_only(handle)
    let new = UnsafeMutablePointer<VirtualTable>.allocate(capacity: 1)
    new.initialize(to: VirtualTable(owner: owner))
    table!.pointee = UnsafeMutableRawPointer(new).assumingMemoryBound(to: sqlite3_vtab.self)
    return SQLITE_OK
  }

  /// Sound: SQLite hands back the tables that `connect` gave it.
  package static func owner(of table: Reference?) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(table!).assumingMemoryBound(to: VirtualTable.self).pointee.owner
  }

  /// Gives SQLite a cursor whose first member is an `sqlite3_vtab_cursor`. `xClose` deallocates it.
  package static func open<Value>(
    _ value: Value, _ cursor: UnsafeMutablePointer<Cursor?>?
  ) -> Int32 {
    let new = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    new.initialize(to: value)
    cursor!.pointee = UnsafeMutableRawPointer(new).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
    return SQLITE_OK
  }

  /// Stores the message where SQLite looks for it.
  package static func fail(_ table: Reference?, _ message: String) -> Int32 {
    // SQLite frees the text with sqlite3_free, so its own allocator must have made it.
    let text = sqlite3_str_new(nil)
    sqlite3_str_appendall(text, message)
    sqlite3_free(table?.pointee.zErrMsg)
    table?.pointee.zErrMsg = sqlite3_str_finish(text)
    return SQLITE_ERROR
  }
}
