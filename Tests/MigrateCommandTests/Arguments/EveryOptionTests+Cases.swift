extension EveryOptionTests {
  static let cases = authors + databases + excepting + ofServers + helps

  private static let source = "Migrations/data/elements.csv"
  private static let header = "number,name\n"
  private static let released = header + "1,Hydrogen\n2,Helion\n3,Lithium\n4,Boron\n"
  /// The source with one row more than the releases.
  private static let more = [source: released + "5,Carbon\n"]

  /// That of the suggestion in `mine.csv`: it depends on nothing else.
  private static let id = "bc3cdd06ac8d2378"

  private static let key = ["author.pem": Sandbox.privateKey]

  // MARK: make a release

  private static let authors =
    make + [
      Case(line: "new later --timestamp", says: "Migrations/20"),
      Case(line: "show 1 --table elements --limit 1", says: "2 more"),
      Case(line: "show 1 --markdown", says: "### "),
      Case(line: "show 1 --html page.html", says: "Wrote page.html"),
      Case(line: "show --html", says: "<!doctype html>"),
      Case(line: "show --since v1 --markdown", says: "0003_x", files: more, before: ["make x"]),
      Case(line: "show --since", says: "0003_x", files: more, before: ["make x"]),
      Case(
        line: "show --file Migrations/0002_more/elements.csv", says: #"+ number=4  name="Boron""#),
      Case(
        line: "lock --check", says: "seedbed.lock", code: 3,
        files: ["Migrations/0003_x/elements.csv": header + "5,Carbon\n"]),
      Case(line: "lock --check --against v1", says: "v1"),
      Case(
        line: "lock --against", says: "0001_elements", code: 3,
        files: ["Migrations/0001_elements/elements.csv": header + "1,Hydrogenium\n"]),
      Case(
        line: "lock --against v1 --allow-rewrite", says: "0001_elements",
        files: ["Migrations/0001_elements/elements.csv": header + "1,Hydrogenium\n"]),
      Case(line: "revert 2 --rows-only", says: "Wrote Migrations/0003_revert_more"),
      Case(line: "revert 2 --with-down", says: "Wrote Migrations/0003_revert_more"),
      Case(line: "export elements --out out.csv", says: "out.csv"),
      Case(line: "export elements --mine", says: "2,He"),
      Case(
        line: "export --suggestions --each *.sqlite --jobs 1 --out Migrations",
        says: "is not empty",
        code: 64),
      Case(line: "export --suggestions --deletions --additions", says: ",name,Helion,He,2"),
      Case(line: "suggestions mine.csv --min 1 --where elements.name", says: "1 device, open"),
      Case(line: "suggestions mine.csv --html page.html", says: "Wrote page.html"),
      Case(line: "suggestions mine.csv --take \(id) --accept --allow-deletes", says: "Wrote 1 "),
      Case(line: "snapshot --of 1", says: "0001_"),
      Case(
        line: "snapshot --drop-before 2", says: "0001_elements", before: ["snapshot", "lock"]),
      Case(
        line: "build out.sqlite --to 1 --page-size 8192 --journal-mode wal", says: "out.sqlite"),
      Case(line: "sign --new-key author.pem", says: "The public key, for the app:"),
      Case(line: "sign --key author.pem", says: "Signed by ed25519:11qY", files: key),
      Case(line: "sign --message lock.msg", says: "Wrote lock.msg."),
      Case(
        line: "sign --message lock.msg --signature lock.bin --public-key \(Sandbox.publicKey)",
        says: "'lock.bin' has SIZE, and is no signature", code: 64,
        files: ["lock.bin": "none"], before: ["sign --message lock.msg"]),
      Case(
        line: "bundle june.seedbed --since 1", says: "Releases after 1 up to 2.", files: key,
        before: ["sign --key author.pem"]),
      Case(line: "bundle OUT --with-down", says: "OUT"),
      Case(
        line: "bundle OUT --as-errors", says: "Migrations/0002_more/elements.csv:1:1: error: ",
        code: 3, files: ["Migrations/0002_more/elements.csv": header + "x,Boron\n"]),
    ]

  private static let make = [
    Case(line: "make --check", says: "+1 added", code: 3, files: more),
    Case(line: "make --check", says: "Nothing"),
    Case(
      line: "make notes --up-sql add.sql", says: "Wrote ",
      files: ["add.sql": "CREATE TABLE tags (id INTEGER PRIMARY KEY);\n"]),
    Case(
      line: "make words words=words.csv --schema app.sql", says: "Wrote ",
      files: [
        "app.sql": "CREATE TABLE words (word TEXT PRIMARY KEY);\n", "words.csv": "word\none\n",
      ]),
    Case(line: "make x --schema-from early.sqlite", says: "Wrote ", files: more),
    Case(
      line: "make words words=words.csv --create --description Words --timestamp",
      says: "Wrote Migrations/20", files: ["words.csv": "word\none\n"]),
    Case(line: "make --amend", says: "Wrote Migrations/0003_x", files: more, before: ["make x"]),
    Case(
      line: "make x --renamed keys.csv", says: "~1 changed",
      files: [
        source: released.replacing("4,", with: "5,"), "keys.csv": "was:number,number\n4,5\n",
      ]),
    Case(
      line: "make x --allow-deletes", says: "-1 retired",
      files: [source: released.replacing("4,Boron\n", with: "")]),
    Case(
      line: "make x --accept", says: "Wrote ",
      files: [source: released.replacing("Lithium", with: "2-Mar")]),
  ]

  // MARK: bring it to a database, and when things go wrong

  private static let early = "--database early.sqlite"

  private static let but = "--each *.sqlite --except app.sqlite"

  private static let excepting = [
    Case(line: "up \(but)", says: "1 database: 1 brought up to date"),
    Case(line: "status \(but)", says: "1 database: 1 pending"),
    Case(line: "plan \(but)", says: "1 database: 1 would change"),
    Case(line: "rehearse \(but) --points 2", says: "1 database: 1 recovered"),
    Case(line: "conflicts \(but)", says: "1 database: 1 without conflicts"),
    Case(line: "verify \(but)", says: "1 database: 1 without findings"),
    Case(line: "down --to 0 --discard-user-rows \(but)", says: "1 database: 1 taken back"),
    Case(line: "export --suggestions --out Migrations \(but)", says: "is not empty", code: 64),
    Case(line: "backups \(but)", says: "1 database: 1 without backups"),
    Case(line: "restore --to 9 \(but)", says: "1 database: 1 needed no restore"),
  ]

  /// `Verbs on a server` runs it where there is one.
  private static let ofServers = [
    "up", "down --to 0", "status", "plan", "conflicts", "verify", "backups",
    "export --suggestions --out Migrations",
  ].map {
    Case(
      line: "\($0) --each *.sqlite --schemas tenant_*", says: "'--schemas' is for a server: ",
      code: 64)
  }

  private static let databases = [
    Case(line: "up --to 1 --database new.sqlite", says: "Database is at 1."),
    Case(line: "up --must-exist --database new.sqlite", says: "There is no database", code: 2),
    Case(line: "up --no-backup \(early)", says: "Applied 1 migration."),
    Case(
      line: "up --allow-out-of-order", says: "Applied 1 migration.",
      files: ["Migrations/0003_x/elements.csv": header + "5,Carbon\n"],
      before: ["lock", "up", "new y", "lock"]),
    Case(
      line: "up --each *.sqlite --jobs 1 --canary 1 --keep-going",
      says: "2 databases: 1 brought up to date, 1 had nothing pending"),
    Case(line: "up --expect 3 \(early)", says: "Version 3 was expected", code: 3),
    Case(line: "status --expect 2 \(early)", says: "Version 2 was expected.", code: 3),
    Case(line: "status --json --counts", says: "\"lastRunDay\""),
    Case(line: "status --exit-code \(early)", says: "1 pending", code: 1),
    Case(
      line: "status --each . --jobs 1", says: "2 databases: 1 pending, 1 up to date"),
    Case(line: "plan --to 1 --database new.sqlite", says: "at 1"),
    Case(line: "plan --no-backup --allow-out-of-order \(early)", says: "edited"),
    Case(
      line: "plan --must-exist --database no.sqlite", says: "There is no database at 'no.sqlite'",
      code: 2),
    Case(line: "plan --each *.sqlite --jobs 2", says: "2 databases: 1 would change"),
    Case(
      line: "rehearse --points 5 --seconds 60 --seed 3 \(early)", says: "Points   5 of "),
    Case(line: "rehearse --each early.sqlite --points 2", says: "1 database: 1 recovered"),
    Case(line: "conflicts --open", says: "No conflicts.", before: ["resolve --all --seed"]),
    Case(line: "conflicts --prune", says: "Forgot 1 conflict."),
    Case(line: "conflicts --each *.sqlite --jobs 1", says: "elements.name: 1 edited (keepEdits)"),
    Case(line: "resolve 1 --mine", says: "Settled 1 conflict."),
    Case(line: "resolve --all --where elements.name --seed", says: "Settled 1 conflict."),
    Case(line: "report page.html --plan", says: "page.html"),
    Case(line: "baseline 2 --check --absent missing", says: "Nothing to do."),
    Case(line: "up --adopt 1 --database early.sqlite", says: "Database is at 2."),
    Case(line: "plan --adopt 1 --database early.sqlite", says: "Database would be at 2."),
    Case(line: "verify --snapshots", says: "makes the same tables", before: ["snapshot", "lock"]),
    Case(line: "verify --engine-check", says: "Nothing is missing."),
    Case(line: "verify --each *.sqlite --jobs 1", says: "2 databases: 2 without findings"),
    Case(
      line: "down --to 0 --discard-user-rows --no-backup", says: "Database is at 0.",
      before: ["unpin elements 3"]),
    Case(
      line: "down --to 1 --each *.sqlite --jobs 1 --canary 1 --keep-going",
      says: "2 databases: 1 taken back, 1 had nothing to take back"),
    Case(line: "backups --each *.sqlite --jobs 1", says: "app.sqlite  1 backup, of 1"),
    Case(line: "restore --to 1", says: "Database is at 1; it was at 2."),
    Case(
      line: "restore --to 1 --each *.sqlite --jobs 1 --canary 1 --keep-going",
      says: "2 databases: 1 restored, 1 needed no restore"),
    Case(line: "reseed elements 2 --no-backup", says: "elements: ~1 changed."),
    Case(line: "reseed --tables elements", says: "elements: ~1 changed, 3 unchanged."),
    Case(line: "reseed --all", says: "elements: ~1 changed, 3 unchanged."),
    Case(line: "reseed --missing", says: "Nothing is absent."),
  ]

  private static let helps = [
    Case(line: "help --man", says: ".TH MIGRATE 1"),
    Case(line: "help --markdown", says: "# The command\n"),
    Case(line: "help --completions fish", says: "complete -c migrate"),
  ]
}
