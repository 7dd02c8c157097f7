internal import Seedbed
internal import SeedbedAuthoring

extension SeedbedError.Remedy {
  /// What to type.
  func typed(_ program: String) -> String {
    switch self {
    case .apply: "\(program) up"
    case .lookAtStatus: "\(program) status"
    case .down(let version): "\(program) down --to \(version)"
    case .reseed(let table, let key):
      "\(program) reseed \(([table] + (key.map { [$0] } ?? [])).shellOperands)"
    case .markBaseline(let version): "\(program) baseline \(version.map(String.init) ?? "N")"
    case .checkBaseline: "\(program) baseline N --check"
    case .restoreBackup: "\(program) restore"
    case .listBackups: "\(program) backups lists them"
    case .nameDatabase: "--database PATH"
    case .moveBackups: "--backups DIR"
    case .leaveBackupOut: "--no-backup"
    case .waitLonger: "--lock-timeout SECONDS"
    case .allowOutOfOrder: "--allow-out-of-order"
    case .discardUserRows: "--discard-user-rows"
    case .writeLock: "\(program) lock"
    case .startMigration: "\(program) new NAME"
    case .makeMigration: "\(program) make NAME"
    case .amendMigration: "\(program) make NAME --amend"
    case .makeSnapshot: "\(program) snapshot"
    }
  }
}

extension SeedbedError {
  /// With what to type after its last sentence: `Write it again: migrate lock.`
  func completed(_ program: String) -> SeedbedError {
    SeedbedError(
      code, message.completed(by: remedies, program), at: place, version: version,
      applied: applied, isDatabaseUnchanged: isDatabaseUnchanged)
  }
}

extension LintFinding {
  func completed(_ program: String) -> LintFinding {
    var finding = self
    finding.message = message.completed(by: remedies, program)
    return finding
  }
}

extension String {
  fileprivate func completed(by remedies: [SeedbedError.Remedy], _ program: String) -> String {
    if remedies.isEmpty { return self }
    let sentence = hasSuffix(".") ? String(dropLast()) : self
    return sentence + ": " + list(remedies.map { $0.typed(program) }, "or") + "."
  }
}
