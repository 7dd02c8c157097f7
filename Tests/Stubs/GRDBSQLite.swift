public func sqlite3_sourceid() -> UnsafePointer<CChar>! { nil }
