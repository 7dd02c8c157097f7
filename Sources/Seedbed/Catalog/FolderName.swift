/// The name of a folder in the catalog: `0003_iupac_2016`.
package enum FolderName: Equatable {
  /// Not the engine's: nothing that begins with a digit.
  case other
  case migration(Version, words: String)
  /// `0120_weights_2031.snapshot`: a name that readers which know no snapshots refuse.
  case snapshot(Version, words: String)
  /// More digits than an Int64 holds.
  case tooLarge
  /// 0 means "no migration".
  case zero
  /// A number, but not `<number>_<words>`; `nearest` is what was probably meant.
  case malformed(nearest: String)

  package init(_ name: String) {
    guard name.utf8.first?.isDigit == true else {
      self = .other
      return
    }
    let digits = name.utf8.prefix { $0.isDigit }
    let isSnapshot = name.utf8.hasSuffix(Self.snapshotSuffix)
    let rest = name.utf8[digits.endIndex...].dropLast(
      isSnapshot ? Self.snapshotSuffix.utf8.count : 0)
    guard rest.first == UInt8(ascii: "_"), rest.count > 1, rest.allSatisfy(\.isWordCharacter) else {
      self = .malformed(nearest: Self.nearest(String(digits) ?? "", String(rest) ?? ""))
      return
    }
    guard let version = Self.version(digits) else {
      self = .tooLarge
      return
    }
    let words = String(rest.dropFirst()) ?? ""
    self =
      version == 0
      ? .zero : isSnapshot ? .snapshot(version, words: words) : .migration(version, words: words)
  }

  /// Of a migration or a snapshot; nil for any other.
  var parts: (version: Version, words: String)? {
    switch self {
    case .migration(let version, let words), .snapshot(let version, let words): (version, words)
    default: nil
    }
  }

  package static let snapshotSuffix = ".snapshot"

  /// The number that the digits write; nil if it is more than an Int64 holds.
  static func version(_ digits: some Sequence<UInt8>) -> Version? {
    var version: Version = 0
    for digit in digits {
      let (product, isTooLarge) = version.multipliedReportingOverflow(by: 10)
      let (sum, isOver) = product.addingReportingOverflow(Version(digit) - 48)
      if isTooLarge || isOver { return nil }
      version = sum
    }
    return version
  }

  /// Runs of invalid characters become one `_`.
  private static func nearest(_ digits: String, _ rest: String) -> String {
    let words = rest.split { character in
      character.utf8.count > 1 || character.utf8.contains { !$0.isWordCharacter || $0 == 0x5F }
    }
    // `0001-elements`: the hyphen would stay a legal character of the words.
    let text = words.joined(separator: "_").drop { $0 == "-" }
    return digits + "_" + (text.isEmpty ? "name" : text)
  }
}

extension UInt8 {
  var isDigit: Bool { self >= 0x30 && self <= 0x39 }

  /// What the words of a folder's name are made of: `[A-Za-z0-9_-]`.
  var isWordCharacter: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D: true
    default: false
    }
  }
}
