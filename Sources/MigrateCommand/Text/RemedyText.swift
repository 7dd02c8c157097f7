internal import Seedbed
internal import SeedbedAuthoring
internal import SeedbedOptions

extension SeedbedError.Remedy {
  /// The text to type.
  ///
  /// - Parameters:
  ///   - verb: the verb of the call. A remedy must not use an option that it lacks.
  ///   - database: the database in question, if there are many.
  ///   - isServer: its own tools restore a server.
  func typed(
    _ program: String, for verb: Verb?, _ database: String?, isServer: Bool = false
  ) -> String? {
    let has = { (option: VerbOption) in
      verb?.allOptions.contains { $0.name == option.name } ?? true
    }
    let there = database.map { " --database " + [$0].shellOperands } ?? ""
    return switch self {
    case .apply: "\(program) up\(there)"
    case .lookAtStatus: "\(program) status\(there)"
    case .down(let version): "\(program) down --to \(version)\(there)"
    case .reseed(let table, let key):
      "\(program) reseed \(([table] + (key.map { [$0] } ?? [])).shellOperands)\(there)"
    case .unpin(let table, let key): "\(program) unpin \([table, key].shellOperands)\(there)"
    case .markBaseline(let version):
      "\(program) baseline \(version.map(String.init) ?? "N")\(there)"
    case .checkBaseline: "\(program) baseline N --check\(there)"
    case .restoreBackup: isServer ? nil : "\(program) restore\(there)"
    case .restoreEarlierBackup: isServer ? nil : "\(program) restore FILE\(there)"
    case .listBackups: "\(program) backups\(there) lists them"
    case .nameDatabase: "--database PATH"
    case .nameBase: "--beside DIR"
    case .nameServer: "--database postgres://HOST/DATABASE"
    // Many databases cannot share a folder of backups.
    case .moveBackups: database == nil ? "--backups DIR" : nil
    case .leaveBackupOut: has(.noBackup) ? "--no-backup" : nil
    case .waitLonger: "--lock-timeout SECONDS"
    case .allowOutOfOrder:
      (has(.allowOutOfOrder) ? "" : "\(program) up ") + "--allow-out-of-order"
    case .discardUserRows: "--discard-user-rows"
    case .writeLock: "\(program) lock"
    case .startMigration: "\(program) new NAME"
    case .makeMigration: "\(program) make NAME"
    case .amendMigration: "\(program) make NAME --amend"
    case .makeSnapshot: "\(program) snapshot"
    case .buildFirstDatabase: "\(program) build"
    }
  }
}

extension SeedbedError {
  /// The message with the command after its last sentence: `Write it again: migrate lock.`
  func completed(
    _ program: String, for verb: Verb? = nil, on database: String? = nil, isServer: Bool = false
  ) -> SeedbedError {
    let typed = remedies.compactMap { $0.typed(program, for: verb, database, isServer: isServer) }
    let text = message.naming(program).completed(by: typed)
    return with { ($0.message, $0.remedies) = (text, []) }
  }
}

extension LintFinding {
  func completed(_ program: String) -> LintFinding {
    var finding = self
    finding.message = message.naming(program).completed(
      by: remedies.compactMap { $0.typed(program, for: nil, nil) })
    return finding
  }
}

extension String {
  /// The library's sentences call the program by its usual name, which may not be installed.
  func naming(_ program: String) -> String {
    if program == "migrate" { return self }
    return ["lock", "sign"].reduce(self) {
      $0.replacing("migrate \($1)", with: "\(program) \($1)")
    }
  }

  fileprivate func completed(by remedies: [String]) -> String {
    if remedies.isEmpty { return self }
    let sentence = hasSuffix(".") ? String(dropLast()) : self
    return sentence + ": " + list(remedies, "or") + "."
  }
}
