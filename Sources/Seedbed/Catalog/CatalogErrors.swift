// Errors of the catalog's folders and files, by their names alone.

extension SeedbedError {
  static func catalog(_ message: String, _ place: Place?) -> SeedbedError {
    SeedbedError(.catalog, message, at: place)
  }

  /// `path` is that of a folder or file in the catalog; nil for the catalog itself.
  static func inCatalog(_ message: String, _ path: String?) -> SeedbedError {
    SeedbedError(.catalog, message, at: path.map { Place($0) })
  }

  static func catalogMissing(_ path: String) -> SeedbedError {
    inCatalog("There is no catalog folder at '\(path)'. Name the folder of the migrations.", nil)
  }

  static func catalogNotFolder(_ path: String) -> SeedbedError {
    inCatalog("'\(path)' is not a folder. Name the folder of the migrations.", nil)
  }

  static func catalogEmpty(_ path: String) -> SeedbedError {
    inCatalog(
      "The catalog '\(path)' holds no migration: no folder with a name like '0001_elements'. Name "
        + "the right folder, or make the first one.", nil
    ).remedied(by: .startMigration)
  }

  static func noPathInCatalog(_ path: String) -> SeedbedError {
    inCatalog(
      "'\(path.shortened(to: 80))' is not a valid path in a catalog. Use a path such as "
        + "'catalog.json' or '0001_elements/up.sql'.", nil)
  }

  // MARK: numbered folders

  static func folderMalformed(_ name: String, nearest: String) -> SeedbedError {
    inCatalog(
      "The name of a migration's folder is <number>_<words>, the words of letters, digits, '_' and "
        + "'-'. Did you mean '\(nearest)'?", name)
  }

  static func folderTwice(_ version: Version, _ first: String, _ second: String) -> SeedbedError {
    inCatalog(
      "'\(first)' and '\(second)' have the same number, \(version). Rename the folder of the one "
        + "that was not released, or make it again with another number.", second
    ).remedied(by: .amendMigration)
  }

  // MARK: files

  static func fileUnknown(_ path: String, nearest: String?) -> SeedbedError {
    let advice =
      nearest.map { "Did you mean '\($0)'?" }
        ?? """
        It holds up.sql, <table>.csv or .csv.gz, after.sql, after.down.sql, down.sql, verify.sql, \
        schema.sql and migration.json; keep other files outside of it.
        """
    return inCatalog("A migration's folder cannot hold a file of this name. \(advice)", path)
  }

  static func fileTwice(_ first: String, _ second: String, table: String, folder: String)
    -> SeedbedError
  {
    inCatalog(
      "'\(first)' and '\(second)' both hold rows for the table '\(table)'. Keep one of them, or "
        + "give one a tag: <table>.<tag>~.csv.gz.",
      folder + "/" + second)
  }

  package static func unknownVersion(_ wanted: Version, first: Version?, last: Version)
    -> SeedbedError
  {
    SeedbedError(
      .usage,
      "There is no migration \(wanted) in this catalog, which goes from \(first ?? 0) to "
        + "\(last).")
  }
}

/// What is wrong with a name in the catalog.
enum NameWords {
  static let fileAndFolder = "This is the name of both a file and a folder. Rename one of them."
  static let sqlRefused =
    "This catalog may only contain rows, but this is an SQL file. Ship it with the app."
  static let folderNumberTooLarge = "The number is larger than \(Version.max), the largest version."
  static let folderNumberZero =
    "Versions begin at 1; 0 means no migration. Give it another number."
  static let folderIsFile =
    "The name begins with a number, as migrations do, but it is not a folder. Put the files of a "
    + "migration into a folder, or give it a name that does not begin with a number."
  static let folderIsLink =
    "This is a symbolic link or something else that is not a folder. Put the migration's folder "
    + "itself here."
  static let folderEmpty = "The folder holds no file of a migration. Fill it, or remove it."
  static let fileIsFolder = "This is a folder. A migration's folder holds files only."
  static let fileNotRegular =
    "This is a symbolic link or something else that is not a regular file. Put the file itself "
    + "here."
  static let fileNameEncoding =
    "The file's name holds a control character or is not UTF-8. Name it after its table."
  static let fileGone = "The file disappeared while the catalog was being read. Put it back."
}
