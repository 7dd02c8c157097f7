import Seedbed

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The numbers and names of new folders.
enum FolderNumber {
  /// The name of the next folder, with as many digits as the last one.
  static func next(
    after migrations: [Migration], words: String, timestamp: Date? = nil, offset: Int = 0
  ) throws -> String {
    try check(words)
    let last = migrations.last?.version ?? 0
    let width = migrations.last?.folder.prefix { $0.isASCII && $0.isNumber }.count ?? 4
    let (next, isOver) = last.addingReportingOverflow(Version(offset) + 1)
    if timestamp == nil, isOver { throw SeedbedError.noNumberLeft(after: last) }
    let version = timestamp.map { stamp($0) + Version(offset) } ?? next
    if version <= last { throw SeedbedError.numberNotNext(version, last: last) }
    let digits = String(version)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits + "_" + words
  }

  /// Throws unless the words are valid in a folder's name.
  private static func check(_ words: String) throws {
    if words.isEmpty { throw SeedbedError(.usage, "The name of the migration is empty.") }
    // `2026_edition` may be meant as a name.
    if words.hasPrefix("0"), case .migration(_, let rest) = FolderName(words) {
      throw SeedbedError(
        .usage, "Leave out the number, which Seedbed chooses: '\(rest)'.")
    }
    switch FolderName("1_" + words) {
    case .migration: return
    case .malformed(let nearest):
      throw SeedbedError(
        .usage,
        "A migration's name has letters, digits, '_' and '-', but '\(words.shortened(to: 40))' has "
          + "others. Did you mean '\(nearest.dropFirst(2))'?")
    default: throw SeedbedError(.usage, "'\(words)' cannot be the name of a migration.")
    }
  }

  /// The time in UTC to the second: `20261120081244`.
  private static func stamp(_ date: Date) -> Version {
    // Converts days to a date of the civil calendar. No formatter is needed for that.
    let seconds = Version(date.timeIntervalSince1970.rounded(.down))
    let (days, rest) = (seconds / 86_400, seconds % 86_400)
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let time = rest / 3600 * 10_000 + rest % 3600 / 60 * 100 + rest % 60
    return (year * 10_000 + month * 100 + day) * 1_000_000 + time
  }
}

extension SeedbedError {
  fileprivate static func noNumberLeft(after last: Version) -> SeedbedError {
    SeedbedError(.catalog, "The catalog's last number, \(last), is the largest there is.")
  }

  fileprivate static func numberNotNext(_ version: Version, last: Version) -> SeedbedError {
    SeedbedError(
      .catalog,
      "The next number would be \(version), which is not above the catalog's last, \(last). Rename "
        + "the folder to give it another number.")
  }
}
