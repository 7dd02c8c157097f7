#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Apps use URLs, such as `Bundle.main.url(forResource: "Migrations")`, and dates.

extension Catalog {
  /// Reads and checks the folder at a file URL: for tools and tests.
  public init(
    directory url: URL, allowsSQL: Bool = true, expecting chain: String? = nil
  ) throws(SeedbedError) {
    try self.init(directory: url.filePath(), allowsSQL: allowsSQL, expecting: chain)
  }

  /// Trusts the `seedbed.lock` of the folder at a file URL: for apps at their start.
  public init(
    locked url: URL, allowsSQL: Bool = true, expecting chain: String? = nil
  ) throws(SeedbedError) {
    try self.init(locked: url.filePath(), allowsSQL: allowsSQL, expecting: chain)
  }
}

extension Migrator {
  /// For a database file that Seedbed opens itself. `up` creates it, or copies the ready-made one
  /// that it begins with.
  ///
  /// - Throws: `usage` for a URL that is not that of a file.
  public init(
    catalog: Catalog, at url: URL, options: Options = Options(), hooks: Hooks = Hooks(),
    beginningWith first: URL? = nil
  ) throws(SeedbedError) {
    self.init(
      catalog: catalog, at: try url.filePath(), options: options, hooks: hooks,
      beginningWith: try first?.filePath())
  }
}

extension Migrator.Timestamp {
  /// The same instant; nil if the ledger has none.
  public var date: Date? {
    try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}

extension URL {
  /// The path of another kind of URL would be that of another file: `https://a.b/c` has `/c`.
  package func filePath() throws(SeedbedError) -> String {
    guard isFileURL else {
      throw SeedbedError(
        .usage,
        "'\(absoluteString)' is not a file URL. Make one from a path with URL(fileURLWithPath:).")
    }
    return path
  }
}
