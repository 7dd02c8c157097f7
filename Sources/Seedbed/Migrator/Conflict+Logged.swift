extension Migrator.Conflict {
  /// The log of conflicts, as a statement on the app's own handle sees it. It only reads, in the
  /// handle's transaction if there is one.
  package static func logged(
    on handle: OpaquePointer, ledger prefix: String
  ) throws -> [Migrator.Conflict] {
    let connection = try Connection(lent: handle, setup: ConnectionSetup(), lockTimeoutSeconds: 0)
    let ledger = try Ledger(prefix: prefix, dialect: connection.dialect)
    return try ledger.exists(on: connection) ? ledger.conflicts(on: connection) : []
  }
}
