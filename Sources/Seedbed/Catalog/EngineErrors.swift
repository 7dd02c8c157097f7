// Errors of catalogs for two engines.

extension SeedbedError {
  private static let option = #""engines": ["sqlite", "postgresql"]"#

  static func twinRefused(_ path: String) -> SeedbedError {
    inCatalog(
      "This is SQL for PostgreSQL, but the catalog is for SQLite alone. Add \(option) to "
        + "catalog.json, or remove the file.", path)
  }

  /// `path` is the catalog's.
  static func otherEngine(_ path: String) -> SeedbedError {
    SeedbedError(
      .catalog,
      "The catalog '\(path)' is for SQLite alone. Add \(option) to catalog.json, SQL for "
        + "PostgreSQL to the migrations, and write the lock again."
    ).remedied(by: .writeLock)
  }

  static func twinMissing(_ path: String, _ twin: String) -> SeedbedError {
    inCatalog(
      "PostgreSQL does not run this file, and there is no '\(twin)' for it. Write that one; if "
        + "there is nothing to do on PostgreSQL, with only the line '-- none'.", path)
  }

  static func baseOfOneEngine(_ folder: String) -> SeedbedError {
    inCatalog(
      "The folders up to this one were dropped while the catalog was for SQLite alone, so nobody "
        + "knows their chain on PostgreSQL. Put them back, or remove \"engines\" from "
        + "catalog.json.",
      folder)
  }
}
