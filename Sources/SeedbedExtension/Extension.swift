internal import CSeedbedExtension
internal import CSeedbedSQLite
internal import Seedbed

/// SQLite calls it as it loads the extension, on each connection that does.
@_cdecl("sqlite3_seedbed_init")
public func initialize(
  _ connection: OpaquePointer?, _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ api: OpaquePointer?
) -> Int32 {
  guard let connection, seedbed_use_host(api, LibraryVersion.oldest, message) == SQLITE_OK else {
    return SQLITE_ERROR
  }
  var code = SQLFunction.register(on: connection)
  if code == SQLITE_OK { code = ConflictsTable.register(on: connection) }
  // > SQLITE_OK_LOAD_PERMANENTLY: the extension is not unloaded when the connection closes.
  // The runtime of Swift cannot be unloaded. (Swift does not import the macro.)
  return code == SQLITE_OK ? SQLITE_OK | 1 << 8 : code
}
