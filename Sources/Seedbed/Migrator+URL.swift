#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// What an app has in its hands are URLs: `Bundle.main.url(forResource: "Migrations")`.

extension Catalog {
  /// Reads and checks the folder at a file URL: for tools and tests.
  public init(directory url: URL) throws {
    try self.init(directory: url.path)
  }

  /// Trusts the `seedbed.lock` of the folder at a file URL: for apps at their start.
  public init(locked url: URL) throws {
    try self.init(locked: url.path)
  }
}

extension Migrator.Database {
  /// A database file that Seedbed opens itself, by its file URL.
  public static func file(_ url: URL) -> Self { .file(url.path) }
}
