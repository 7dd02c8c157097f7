/// The name of a folder in the catalog: `0003_iupac_2016`.
package enum FolderName: Equatable {
  /// A name that is not Seedbed's: it does not begin with a digit.
  case other
  case migration(Version, words: String)
  /// `0120_weights_2031.snapshot`: a name that readers without snapshots refuse.
  case snapshot(Version, words: String)
  /// The number has more digits than an Int64 holds.
  case tooLarge
  /// 0 means "no migration".
  case zero
  /// A number, but not `<number>_<words>`; `nearest` is the name that was probably meant.
  case malformed(nearest: String)

  package init(_ name: String) {
    guard name.utf8.first?.isDigit == true else {
      self = .other
      return
    }
    let digits = name.utf8.prefix(while: \.isDigit)
    let isSnapshot = name.utf8.hasSuffix(Self.snapshotSuffix)
    let ending = isSnapshot ? Self.snapshotSuffix.utf8.count : 0
    let rest = name.utf8[digits.endIndex...].dropLast(ending)
    guard rest.first == UInt8(ascii: "_"), rest.count > 1, rest.allSatisfy(\.isWordCharacter) else {
      self = .malformed(nearest: Self.nearest(String(digits) ?? "", String(rest) ?? ""))
      return
    }
    let words = String(rest.dropFirst()) ?? ""
    self =
      switch digits.decimal {
      case nil: .tooLarge
      case 0?: .zero
      case let version?:
        isSnapshot ? .snapshot(version, words: words) : .migration(version, words: words)
      }
  }

  /// The number and words of a migration or snapshot; nil for any other name.
  var parts: (version: Version, words: String)? {
    switch self {
    case .migration(let version, let words), .snapshot(let version, let words): (version, words)
    default: nil
    }
  }

  package static let snapshotSuffix = ".snapshot"

  /// The name with each run of invalid characters replaced by one `_`.
  private static func nearest(_ digits: String, _ rest: String) -> String {
    let words = rest.split { character in
      character.utf8.count > 1 || character.utf8.contains { !$0.isWordCharacter || $0 == 0x5F }
    }
    // In `0001-elements`, the hyphen would be a valid character of the words.
    let text = words.joined(separator: "_").drop { $0 == "-" }
    return digits + "_" + (text.isEmpty ? "name" : text)
  }
}

extension UInt8 {
  var isDigit: Bool { self >= 0x30 && self <= 0x39 }

  /// Whether it is allowed in the words of a folder's name: `[A-Za-z0-9_-]`.
  var isWordCharacter: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D: true
    default: false
    }
  }
}
