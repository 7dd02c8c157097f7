internal import Seedbed
internal import SeedbedAuthoring
internal import SeedbedOptions

// The options of verbs for authors, and of 'help'.

extension VerbOption {
  // MARK: suggestions, export

  static let suggestionsLeast = VerbOption(
    "min", .number("N"), of: [.suggestions], "only what at least N devices suggest", default: "1")
  static let suggestionsWhere = VerbOption(
    "where",
    .text("TABLE[.COLUMN]", is: "a table, or a table and a column with a dot between them"),
    of: [.suggestions], "only those about a table, or about a column")
  static let suggestionsPage = VerbOption(
    "html", .path("OUT"), of: [.suggestions], "write a page for a browser instead of the list")
  static let take = VerbOption(
    "take", .text("ID[,ID]", is: "IDs that 'suggestions' lists, with commas between them"),
    of: [.suggestions],
    "write these into the source, or print the SQL for a database; the beginning of an ID is "
      + "enough")
  static let out = VerbOption(
    "out", .path("FILE"), of: [.export],
    "write to this file instead of stdout; with --each, a new or empty folder")
  static let exportMine = VerbOption(
    "mine", .flag, of: [.export], "the rows of the database that its user made or changed")
  static let exportSuggestions = VerbOption(
    "suggestions", .flag, of: [.export],
    "the values that the user changed in the seed's rows; JSON lines if FILE ends in .jsonl")
  static let deletions = VerbOption(
    "deletions", .flag, of: [.export],
    "with --suggestions: also the seed's rows that the user deleted")
  static let additions = VerbOption(
    "additions", .flag, of: [.export], "with --suggestions: also the user's own rows")

  // MARK: make, new, revert

  static let makeCheck = VerbOption(
    "check", .flag, of: [.make], "write nothing; exit 3 if catalog and sources differ")
  static let upSQL = VerbOption(
    "up-sql", .path("FILE"), of: [.make],
    "SQL that runs first; becomes the migration's up.sql, or up.postgresql.sql in a catalog for "
      + "PostgreSQL alone")
  static let schema = VerbOption(
    "schema", .path("FILE").given(.several), of: [.make],
    "the app's changes to its own schema since the last one, also as sqlmigrate, .schema and "
      + "pg_dump -s print them; becomes schema.sql, which no device runs. If its name ends with "
      + ".postgresql.sql, it becomes schema.postgresql.sql")
  static let schemaFrom = VerbOption(
    "schema-from", .path("DATABASE").given(.several), of: [.make],
    "read these changes from a database of the app's: a file, or the URL of a server; once for "
      + "each engine")
  static let create = VerbOption(
    "create", .flag, of: [.make], "make tables that do not exist yet")
  static let amend = VerbOption(
    "amend", .flag, of: [.make],
    "make NAME, or the last migration, again; after a merge of branches with the next number")
  static let renamed = VerbOption(
    "renamed", .path("[TABLE=]FILE").given(.several), of: [.make],
    "a CSV with the columns was:KEY and KEY: rows whose key changed; once for each table. If there "
      + "is no FILE, it is written, with the added rows that are as retired ones were")
  static let allowDeletes = VerbOption(
    "allow-deletes", .flag, of: [.make, .suggestions],
    "allow more than 5 % of a table's rows to be retired")
  static let accept = VerbOption(
    "accept", .flag, of: [.make, .suggestions],
    "accept values that look as if a spreadsheet had changed or sorted them")
  static let description = VerbOption(
    "description", .text("TEXT", is: "text"), of: [.make],
    "what the migration is for, in its migration.json")
  static let timestamp = VerbOption(
    "timestamp", .flag, of: [.make, .new], "use the time as its number")
  static let revertRowsOnly = VerbOption(
    "rows-only", .flag, of: [.revert],
    "if N runs SQL: keep what that did, and revert only the rows of its files")
  static let revertWithDown = VerbOption(
    "with-down", .flag, of: [.revert],
    "if N runs SQL: run its down.sql and after.down.sql on every device; users' rows in what they "
      + "drop are lost")

  // MARK: show, lock

  /// The value of what compares with a commit, which `ReleasedLock` reads.
  private static let ref = Kind.text("REF", is: "a commit, a branch or a tag").given(.oneOrNone)
  private static let lastRelease = "the last tag, or the main branch"

  static let showSince = VerbOption(
    "since", ref, of: [.show], "show all migrations that the lock at REF does not have",
    default: lastRelease)
  static let showTable = VerbOption(
    "table", .text("TABLE", is: "a name"), of: [.show], "show only this table")
  static let limit = VerbOption(
    "limit", .number("K"), of: [.show],
    "show at most K added, K changed and K retired rows of each table; 0 shows all", default: "10")
  static let showMarkdown = VerbOption(
    "markdown", .flag, of: [.show], "print Markdown, for a pull request")
  static let showPage = VerbOption(
    "html", .path("OUT").given(.oneOrNone), of: [.show],
    "write one page for a browser with all rows: to OUT, or to stdout")
  static let file = VerbOption(
    "file", .path("FILE"), of: [.show],
    "show one row file from any folder, one line for each row")
  static let lockCheck = VerbOption(
    "check", .flag, of: [.lock], "write nothing; exit 3 if the lock is stale")
  static let against = VerbOption(
    "against", ref, of: [.lock], "refuse changed data in migrations that the lock at REF has",
    default: lastRelease)
  static let allowRewrite = VerbOption(
    "allow-rewrite", .flag, of: [.lock],
    "let released migrations change; devices that have them do not get the change")

  // MARK: snapshot, build, sign, bundle

  private static let layout = FirstDatabase.Layout()

  static let snapshotOf = VerbOption(
    "of", .number("N"), of: [.snapshot], "the last migration that it includes",
    default: "the catalog's last")
  static let dropBefore = VerbOption(
    "drop-before", .number("M"), of: [.snapshot], "remove the folders of all migrations below M")
  static let buildTo = VerbOption(
    "to", .number("N"), of: [.build], "the last migration that it has",
    default: "the catalog's last")
  static let pageSize = VerbOption(
    "page-size", .number("BYTES"), of: [.build], "the size of its pages",
    default: String(layout.pageSize))
  static let journalMode = VerbOption(
    "journal-mode", .choice("MODE", of: FirstDatabase.Layout.JournalMode.self), of: [.build],
    "the mode in which it opens", default: layout.journalMode.rawValue)
  static let newKey = VerbOption(
    "new-key", .path("FILE"), of: [.sign], "write a new private key, which only you can read")
  static let signingKey = VerbOption(
    "key", .path("FILE"), of: [.sign],
    "the private key, as this verb and OpenSSL write it; - for stdin")
  static let message = VerbOption(
    "message", .path("FILE"), of: [.sign],
    "write what is to be signed, or with --signature read what was")
  static let signature = VerbOption(
    "signature", .path("FILE"), of: [.sign], "add this signature of the message, made elsewhere")
  static let publicKey = VerbOption(
    "public-key", .text("KEY", is: "a public key, such as 'ed25519:…'"), of: [.sign],
    "with --signature: the public key of the one that made it")
  static let bundleWithDown = VerbOption(
    "with-down", .flag, of: [.bundle], "keep down.sql and after.down.sql")
  static let bundleSince = VerbOption(
    "since", .number("N"), of: [.bundle], "in a file, leave out the folders up to version N",
    default: "0")
  static let asErrors = VerbOption(
    "as-errors", .flag, of: [.bundle],
    "print errors as a compiler does, so that Xcode shows them at the file")

  static let ofAuthors = [
    suggestionsLeast, suggestionsWhere, suggestionsPage, take, out, exportMine, exportSuggestions,
    deletions, additions, makeCheck, upSQL, schema, schemaFrom, create, amend, renamed,
    allowDeletes, accept, description, timestamp, revertRowsOnly, revertWithDown, showSince,
    showTable, limit, showMarkdown, showPage, file, lockCheck, against, allowRewrite, snapshotOf,
    dropBefore, buildTo, pageSize, journalMode, newKey, signingKey, message, signature, publicKey,
    bundleWithDown, bundleSince, asErrors,
  ]

  // MARK: help

  static let man = VerbOption(
    "man", .flag, of: [.help], "print the man page, or that of VERB")
  static let helpMarkdown = VerbOption(
    "markdown", .flag, of: [.help], "print all pages as Markdown")
  static let completions = VerbOption(
    "completions", .choice("SHELL", of: Completions.Shell.self), of: [.help],
    "print completions for a shell")

  static let ofHelp = [man, helpMarkdown, completions]
}
