/// The folder of all migrations, in order.
public struct Catalog: Sendable {
  /// Its absolute path.
  public let path: String

  /// Reads and checks the folder: for tools and tests, and where there is no lock.
  public init(directory: String) throws {
    path = directory
  }

  /// Trusts `seedbed.lock`: for apps at their start.
  public init(locked directory: String) throws {
    path = directory
  }
}
