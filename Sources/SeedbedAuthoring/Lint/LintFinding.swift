package import Seedbed

/// A problem that `lint` found.
package struct LintFinding: Sendable, Equatable {
  /// Its kind.
  package var code: LintCode
  /// Its place.
  package var place: SeedbedError.Place
  /// One or more sentences.
  package var message: String
  /// The migration that it is about; nil for the whole catalog.
  package var version: Migrator.Version?
  /// Whether devices would refuse the catalog. Such a finding cannot be allowed.
  package var isRefusal = false
  /// The remedies in the last sentence of `message`.
  package var remedies: [SeedbedError.Remedy] = []

  /// The remedy, one sentence for each kind.
  package var remedy: String { code.remedy }
}

extension LintFinding: CustomStringConvertible {
  /// `0002_notes/up.sql:3: destructive: …`
  package var description: String { "\(place): \(code.rawValue): \(message)" }
}

extension LintFinding {
  /// A finding from an error of the engine.
  init(_ error: SeedbedError, _ code: LintCode? = nil, in migration: Migration?) {
    self.code = code ?? LintCode(error)
    place = error.place ?? SeedbedError.Place(migration?.folder ?? Lock.fileName)
    message = error.message
    version = migration?.version ?? error.version
    isRefusal = true
    remedies = error.remedies
  }
}

extension LintCode {
  init(_ error: SeedbedError) {
    switch error.cause {
    case .missingBase: self = .missingBase
    case .noKey: self = .noKey
    case .duplicate: self = .duplicate
    case .limit: self = .split
    case .noTable, .noColumn, .rowRefused, .otherNames, .laterSeedbed, .leftOut, nil:
      switch error.code {
      case .csv: self = .csv
      case .gzip: self = .gzip
      case .sql, .needsConnection: self = .sql
      case .constraint: self = .constraint
      case .foreignKey: self = .foreignKey
      case .verify: self = .verify
      case .drift: self = .rewritten
      default: self = .catalog
      }
    }
  }
}

/// The findings so far.
final class LintFindings {
  private(set) var all: [LintFinding] = []

  func add(_ finding: LintFinding) {
    if !all.contains(finding) { all.append(finding) }
  }

  func add(
    _ code: LintCode, _ place: SeedbedError.Place, _ message: String, _ migration: Migration? = nil
  ) {
    // Devices refuse a catalog that does not match its lock.
    let isRefusal = code == .rewritten || code == .unlocked && place.file != Lock.fileName
    add(
      LintFinding(
        code: code, place: place, message: message, version: migration?.version,
        isRefusal: isRefusal))
  }

  /// Adds an error of the engine. A cancellation is thrown again.
  func add(_ error: any Error, in migration: Migration? = nil) throws {
    let error = SeedbedError.from(error)
    if error.code == .cancelled { throw error }
    add(LintFinding(error, in: migration))
  }

  /// The findings in the order of versions, files and lines. Those about the whole catalog come
  /// first.
  var sorted: [LintFinding] {
    all.enumerated().sorted { first, second in
      func key(_ finding: LintFinding) -> (Version, String, Int) {
        (finding.version ?? 0, finding.place.file, finding.place.line ?? 0)
      }
      return (key(first.element), first.offset) < (key(second.element), second.offset)
    }.map(\.element)
  }
}

private func < (
  first: ((Version, String, Int), Int), second: ((Version, String, Int), Int)
) -> Bool {
  first.0 == second.0 ? first.1 < second.1 : first.0 < second.0
}
