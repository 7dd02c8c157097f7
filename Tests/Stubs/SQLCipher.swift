public let SQLITE_OK: Int32 = 0

public func sqlite3_key(_ db: OpaquePointer!, _ key: UnsafeRawPointer!, _ count: Int32) -> Int32 {
  SQLITE_OK
}
