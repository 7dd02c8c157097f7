import TestSupport

@testable import Seedbed

extension Place {
  func catalog() throws -> Catalog { try Catalog(directory: path) }

  /// What a call throws, as the user reads it, with this folder as `CATALOG`.
  func failure(_ body: () throws -> Void) -> String? {
    failureText(body)?.replacing(path, with: "CATALOG")
  }
}

/// What a call throws, as the user reads it.
func failureText(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return "\(error)"
  }
}
