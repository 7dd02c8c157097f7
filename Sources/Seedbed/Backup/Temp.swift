struct BackupStore { var databasePath: String; var folder: String?; var host: Host
 func list() throws -> [BackupFile] { [] }
 func take(from path: String, version: Version, cancellation: Cancellation?, progress: (Double) -> Void) throws -> BackupFile { BackupFile(path: "none", version: version, takenAt: "", bytes: 0, isVerified: true) }
 func prune(keep: Int, protecting: String?) throws {}
}
extension Migrator { public func restore(_ path: String? = nil, cancellation: Cancellation? = nil) throws -> RestoreReport { throw SeedbedError(.usage, "later") } }
