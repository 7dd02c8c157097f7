public let SQLITE_OK: Int32 = 0

public func sqlite3_key(_ db: OpaquePointer!, _ key: UnsafeRawPointer!, _ count: Int32) -> Int32 {
  SQLITE_OK
}

public let SQLITE_ROW: Int32 = 100

@discardableResult
public func sqlite3_prepare_v2(
  _ db: OpaquePointer!, _ sql: UnsafePointer<CChar>!, _ count: Int32,
  _ statement: UnsafeMutablePointer<OpaquePointer?>!,
  _ rest: UnsafeMutablePointer<UnsafePointer<CChar>?>!
) -> Int32 { SQLITE_OK }

public func sqlite3_step(_ statement: OpaquePointer!) -> Int32 { SQLITE_ROW }

@discardableResult
public func sqlite3_finalize(_ statement: OpaquePointer!) -> Int32 { SQLITE_OK }
