import Seedbed

/// The findings that authors allow: `-- seedbed:allow CODE reason` in SQL, for its own line and the
/// next line of SQL, and `"allow": {"CODE": "reason"}` in migration.json, for the whole migration.
struct Allows {
  private struct Allow {
    var code: LintCode
    var reason: String
    var place: SeedbedError.Place
    var migration: Migration
    /// The lines; nil for the whole migration.
    var lines: Set<Int>?

    func covers(_ finding: LintFinding) -> Bool {
      guard finding.code == code, !finding.isRefusal else { return false }
      guard let lines else {
        return finding.place.file == migration.folder
          || finding.place.file.hasPrefix(migration.folder + "/")
      }
      return finding.place.file == place.file && finding.place.line.map(lines.contains) == true
    }
  }

  private var allows: [Allow] = []

  static let word = "seedbed:allow"

  /// The allowed findings about tables, for the snapshot that will replace these migrations.
  static func ofSchema(
    _ migrations: [Migration], of catalog: Catalog
  ) throws -> [LintCode: [String]] {
    var allows = Allows()
    try allows.read(migrations, of: catalog, LintFindings())
    var reasons: [LintCode: [String]] = [:]
    for allow in allows.allows where SchemaLint.codes.contains(allow.code) {
      if reasons[allow.code]?.contains(allow.reason) == true { continue }
      reasons[allow.code, default: []].append(allow.reason)
    }
    return reasons
  }

  mutating func read(
    _ migrations: [Migration], of catalog: Catalog, _ findings: LintFindings
  ) throws {
    for migration in migrations {
      for allowed in try catalog.options(of: migration).allowed {
        guard let code = LintCode(rawValue: allowed.code) else {
          refuse(allowed.code, allowed.place, migration, findings)
          continue
        }
        allows.append(
          Allow(
            code: code, reason: allowed.reason, place: allowed.place, migration: migration))
      }
      for file in migration.allFiles where file.isSQL {
        let bytes = try catalog.bytes(of: file.name, in: migration.folder)
        read(SQLText(bytes), migration.place(of: file), migration, findings)
      }
    }
  }

  private mutating func read(
    _ text: SQLText, _ path: String, _ migration: Migration, _ findings: LintFindings
  ) {
    for (index, token) in text.tokens.enumerated() where token.kind == .comment {
      var words = token.text.split { $0.isWhitespace || "*/-".contains($0) }
      guard let start = words.firstIndex(of: Self.word[...]) else { continue }
      words.removeFirst(start + 1)
      let line = text.line(at: token.range.lowerBound)
      let place = SeedbedError.Place(path, line: line)
      let name = words.first.map(String.init) ?? ""
      guard let code = LintCode(rawValue: name) else {
        refuse(name, place, migration, findings)
        continue
      }
      let reason = words.dropFirst().joined(separator: " ")
      guard reason.contains(where: \.isLetter) else {
        findings.add(
          .badAllow, place, "'\(name)' is allowed without a reason.", migration)
        continue
      }
      let next = text.tokens[(index + 1)...].first { $0.kind != .comment }
      let lines = Set([line] + (next.map { [text.line(at: $0.range.lowerBound)] } ?? []))
      allows.append(
        Allow(code: code, reason: reason, place: place, migration: migration, lines: lines))
    }
  }

  private func refuse(
    _ name: String, _ place: SeedbedError.Place, _ migration: Migration, _ findings: LintFindings
  ) {
    let guess = Nearest.question(about: name, among: LintCode.allCases.map(\.rawValue))
    findings.add(
      .badAllow, place,
      "'\(name.shortened(to: 40))' is not a lint code.\(guess) 'migrate lint --help' lists them.",
      migration)
  }

  /// The remaining findings, with one for each unused allow.
  ///
  /// - Parameter isWhole: false if something could not be checked.
  func silence(_ findings: LintFindings, isWhole: Bool = true) -> [LintFinding] {
    let left = LintFindings()
    var used: Set<Int> = []
    for finding in findings.all {
      let covering = allows.indices.filter { allows[$0].covers(finding) }
      used.formUnion(covering)
      if covering.isEmpty { left.add(finding) }
    }
    // A snapshot got its allows from its migrations, whatever happened to the table since.
    for (index, allow) in allows.enumerated()
    where isWhole && !used.contains(index) && !allow.migration.isSnapshot {
      left.add(
        .unusedAllow, allow.place,
        "There is no finding '\(allow.code.rawValue)' here to allow.", allow.migration)
    }
    return left.sorted
  }
}
