/// The kinds of findings that `lint` reports.
package enum LintCode: String, Sendable, CaseIterable {
  /// Errors that prevent a migration from being applied.
  case catalog, csv, gzip, sql, constraint, foreignKey, verify, duplicate, noKey, missingBase,
    split
  /// Rows that do not fit the state before the migration.
  case staleBase, rowTaken
  /// About releases.
  case unlocked, rewritten, signature, outOfOrder, irreversible, missingTwin, unknownTable
  /// Risks for users' data.
  case sharedIds, destructive, userRows, trigger, clockDefault, idleOption, emptyField
  /// Slow operations, and those that depend on the version of SQLite or on git.
  case unindexedChild, doubleQuoted, newerSQLite, mixedLineEndings, largeCSV
  /// About packs.
  case overlap, foreignTable
  /// About the allows themselves.
  case badAllow, unusedAllow

  /// The meaning, in one line.
  package var meaning: String {
    switch self {
    case .catalog: "a folder, a file, an option or the lock is invalid"
    case .csv: "a row file breaks the CSV dialect, or a value does not fit its column's type"
    case .gzip: "a compressed file is damaged or cut off"
    case .sql: "SQL that the database or Seedbed refuses"
    case .constraint: "a row or a statement breaks a constraint of its table"
    case .foreignKey: "a row or a declaration refers to something that does not exist"
    case .verify: "verify.sql finds a counter-example in the catalog's own rows"
    case .duplicate: "a key or a UNIQUE value appears twice in one migration"
    case .noKey: "a table without a usable key, so that its rows cannot be told apart"
    case .missingBase: "an update or delete file without the rows' old values ('was:')"
    case .split: "one migration holds rows that need two"
    case .staleBase: "old values are wrong: two branches changed the same rows"
    case .rowTaken: "a row to insert already exists, or its key or UNIQUE value is taken"
    case .unlocked: "seedbed.lock is missing, or does not list a file"
    case .rewritten: "a file differs from the lock: a release was changed or removed"
    case .signature: "seedbed.lock.sig is damaged, or not a signature of this lock"
    case .outOfOrder: "a new migration has a number below the lock's last, as after a branch merge"
    case .irreversible: "up.sql without down.sql, or after.sql without after.down.sql"
    case .missingTwin: "SQL for one engine that the catalog serves, without its twin for the other"
    case .unknownTable: "catalog.json names a table that no migration makes or fills"
    case .sharedIds: "seeds and users share the ids of an INTEGER PRIMARY KEY or a sequence"
    case .destructive: "SQL that drops a table or column, or deletes or changes all rows of one"
    case .userRows: "verify.sql, or a constraint that comes later, could fail on users' rows"
    case .trigger: "a trigger of a seeded table deletes or changes other rows with the release's"
    case .clockDefault: "a column that no file sets has a DEFAULT from the clock or from random()"
    case .idleOption: "an option of a column for which it means nothing"
    case .emptyField: "empty fields that are NULL, in a table with \"empty\": \"text\""
    case .unindexedChild: "the columns of a foreign key have no index"
    case .doubleQuoted: "a string in double quotes, which is a misspelt name to newer SQLite"
    case .newerSQLite: "SQL that the oldest SQLite, which \"sqlite\" in catalog.json names, lacks"
    case .mixedLineEndings: "a text file with both LF and CRLF"
    case .largeCSV: "a plain .csv above 1 MiB"
    case .overlap: "two catalogs of a database have a row with one key or UNIQUE value"
    case .foreignTable: "SQL of a pack about a table whose name does not begin with the pack's"
    case .badAllow: "an allow with an unknown code, or without a reason"
    case .unusedAllow: "an allow that silences nothing"
    }
  }

  /// The remedy.
  package var remedy: String {
    switch self {
    case .catalog: "Fix the named file, option or lock; until then nothing can be applied."
    case .csv: "Fix the file, or let 'migrate make' write it."
    case .gzip: "Compress the CSV again, or restore the file from a backup."
    case .sql: "Fix the statement."
    case .constraint: "Fix the row or the statement, or relax the constraint in up.sql."
    case .foreignKey: "Ship the row or table that is referred to, or remove the reference."
    case .verify: "Fix the rows that it shows, or the query."
    case .duplicate: "Remove one of the two."
    case .noKey:
      "Give the table a PRIMARY KEY, or name a UNIQUE column set: \"key\" in catalog.json."
    case .missingBase: "Let 'migrate make' write the file."
    case .split: "Ship it as several migrations; 'migrate make' splits it automatically."
    case .staleBase, .rowTaken:
      "Make the later migration again from the state before it: migrate make --amend."
    case .unlocked: "Write the lock, and commit it: migrate lock."
    case .rewritten: "Put the released file back; if it was never released: migrate lock."
    case .signature: "Sign the lock again; until then no device takes a bundle of it."
    case .outOfOrder: "Give it the next number: migrate make NAME --amend, or rename its folder."
    case .irreversible: "Write the file that undoes it."
    case .missingTwin: "Write the twin; with only '-- none' if there is nothing to do."
    case .unknownTable: "Write its name as in the schema, or remove the entry."
    case .sharedIds:
      "Reserve the lower ids for the seed, on SQLite with AUTOINCREMENT and, in catalog.json for "
        + "this table, \"reserve\": 1000000; or use a key that only the seed fills. If users never "
        + "add rows there: \"identity\": [\"id\"]."
    case .destructive:
      "Copy the rows first, add a WHERE, or retire the seed's rows in a delete file."
    case .userRows:
      "In verify.sql, select the seed's rows by their keys, or set \"verify\": \"warn\"; before a "
        + "constraint, change the rows that would break it."
    case .trigger:
      "Declare in catalog.json how these rows refer, so that the release keeps what users refer to "
        + "(\"references\"), or let the trigger pass while a release is applied: WHEN NOT EXISTS "
        + "(SELECT 1 FROM seedbed_applying)."
    case .clockDefault:
      "If users do not edit it, name the column in catalog.json for this table: \"ignore\"."
    case .idleOption: "Name a column that the files fill, besides the key, or remove it."
    case .emptyField:
      "Name the columns whose empty fields are empty texts, as in \"empty\": {\"note\": \"text\"}. "
        + "In all others they are NULL then."
    case .unindexedChild: "CREATE INDEX on these columns: each retired parent looks through them."
    case .doubleQuoted: "Write strings in single quotes."
    case .newerSQLite:
      "Write it without, or raise \"sqlite\" in catalog.json if no device needs the older one."
    case .mixedLineEndings:
      "Save the file with LF, and keep git from converting it (.gitattributes)."
    case .largeCSV: "Compress it: gzip -n -9."
    case .overlap: "Keep the row in one of them, or give one another key."
    case .foreignTable:
      "Let the base's SQL do it, or name the table after the pack, as 'de_notes' of 'de'."
    case .badAllow: "Write it as: -- seedbed:allow CODE reason"
    case .unusedAllow: "Remove it."
    }
  }
}
