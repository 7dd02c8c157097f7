import Foundation

/// What apps must declare to Apple of what the library calls, each in `PrivacyInfo.xcprivacy`.
enum Privacy {
  /// Apple's *Describing use of required reason API*: functions and properties by category.
  static let listed = [
    "NSPrivacyAccessedAPICategoryFileTimestamp": [
      "stat", "fstat", "fstatat", "lstat", "getattrlist", "fgetattrlist", "getattrlistat",
      "getattrlistbulk", "attributesOfItem", "creationDate", "modificationDate",
      "fileModificationDate", "contentModificationDateKey", "creationDateKey",
    ],
    "NSPrivacyAccessedAPICategoryDiskSpace": [
      "statfs", "statvfs", "fstatfs", "fstatvfs", "systemFreeSize", "systemSize",
      "volumeAvailableCapacityKey", "volumeAvailableCapacityForImportantUsageKey",
      "volumeAvailableCapacityForOpportunisticUsageKey", "volumeTotalCapacityKey",
    ],
    "NSPrivacyAccessedAPICategorySystemBootTime": ["systemUptime", "mach_absolute_time"],
    "NSPrivacyAccessedAPICategoryUserDefaults": ["UserDefaults"],
    "NSPrivacyAccessedAPICategoryActiveKeyboards": ["activeInputModes"],
  ]

  struct Manifest: Decodable {
    let accessed: [Access]
    let collected: [String]
    let isTracking: Bool
    let trackingDomains: [String]

    struct Access: Decodable {
      let category: String
      let reasons: [String]

      enum CodingKeys: String, CodingKey {
        case category = "NSPrivacyAccessedAPIType"
        case reasons = "NSPrivacyAccessedAPITypeReasons"
      }
    }

    enum CodingKeys: String, CodingKey {
      case accessed = "NSPrivacyAccessedAPITypes"
      case collected = "NSPrivacyCollectedDataTypes"
      case isTracking = "NSPrivacyTracking"
      case trackingDomains = "NSPrivacyTrackingDomains"
    }
  }

  /// What is called and not declared, and what is declared and not called any more.
  static func violations(in files: [SourceFile], declared: [String]) -> [Violation] {
    let used = files.flatMap { file in
      listed.compactMap { category, names in
        Token.all(in: file.text).first { names.contains($0.text) }.map { (category, file, $0) }
      }
    }
    let missing = used.filter { !declared.contains($0.0) }.map { category, file, token in
      Violation(
        path: file.path, line: token.line, found: "'\(token.text)' needs a declaration",
        remedy: "Add \(category) to PrivacyInfo.xcprivacy with its reason, or do without.")
    }
    let idle = declared.filter { category in !used.contains { $0.0 == category } }.map {
      Violation(
        path: path, found: "\($0) is declared and not used",
        remedy: "Remove it: each declaration is one that apps answer for.")
    }
    return missing + idle
  }

  static let path = "Sources/Seedbed/PrivacyInfo.xcprivacy"
}
