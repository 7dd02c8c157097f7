import Foundation
import Seedbed
import SeedbedAuthoring
import SeedbedPostgres
import TestSupport
import Testing

/// Each verb and option of the command's own reference is run on a server, as a process.
@Suite(.enabled(if: Cluster.isInstalled)) struct `Verbs on a server` {
  /// A line of the command, its exit code, and words of what it prints.
  struct Step: Sendable {
    let line: String
    let code: Int32
    let says: String
    /// What an editor does before, and what an author writes.
    var sql = ""
    var files: [String: String] = [:]

    init(
      _ line: String, _ says: String, code: Int32 = 0, sql: String = "",
      files: [String: String] = [:]
    ) {
      (self.line, self.says, self.code, self.sql, self.files) = (line, says, code, sql, files)
    }

    /// `_` stands for a blank.
    var words: [String] {
      line.split(separator: " ").map { String($0.replacing("_", with: " ")) }
    }
    var verb: String { words[0] }
    var options: Set<String> { Set(words.filter { $0.hasPrefix("--") }) }
  }

  private static let catalog = [
    "catalog.json": """
    {"engines": ["sqlite", "postgresql"], "tables": {"words": {"source": "data/words.csv"}}}
    """,
    "0001_words/up.sql": "CREATE TABLE words (term TEXT NOT NULL PRIMARY KEY, freq INTEGER);\n",
    "0001_words/up.postgresql.sql": "CREATE TABLE words (term TEXT PRIMARY KEY, freq INT);\n",
    "0001_words/down.sql": "DROP TABLE words;\n",
    "0001_words/down.postgresql.sql": "DROP TABLE words;\n",
    "0001_words/words.csv": "term,freq\ncat,1\ndog,2\n",
  ]

  // MARK: what is run, in this order

  private static let authors = [
    Step("lint", "No problems found"),
    Step(
      "make june --check", "The catalog does not match its sources", code: 3,
      files: ["data/words.csv": "term,freq\ncat,1\nowl,2\n"]),
    Step(
      "make june --renamed data/renamed.csv --accept --description In_June", "~1 changed  (term)",
      files: ["data/renamed.csv": "was:term,term\ndog,owl\n"]),
    Step(
      "make --amend --allow-deletes", "+1 added, ~1 changed, -1 retired",
      files: ["data/words.csv": "term,freq\ncat,5\nowl,2\n"]),
    Step("snapshot --of 1", "the same as from 1 migration.\n"),
    Step("verify --snapshots", "makes the same tables as all migrations.\n"),
    Step("snapshot --of 2 --drop-before 2", "No folder was dropped, because", code: 64),
    Step(
      "make tags tags=data/tags.csv --create", "PostgreSQL was not tried: 0003_tags/up.sql: ",
      files: ["data/tags.csv": "name\nnoun\n"]),
    Step(
      "lint", "No problems found",
      files: [
        "0003_tags/up.postgresql.sql": "CREATE TABLE tags (name TEXT PRIMARY KEY);\n",
        "0003_tags/down.postgresql.sql": "DROP TABLE tags;\n",
      ]),
    Step("make tags --schema-from no.sqlite", "There is no database at 'no.sqlite'.", code: 2),
    Step(
      "make more --up-sql data/up.sql --schema data/app.sql --timestamp", "_more",
      files: [
        "data/up.sql": "CREATE TABLE q (a TEXT);\n", "data/app.sql": "CREATE TABLE app (b TEXT);\n",
      ]),
  ]

  private static let operators = [
    Step(
      "status --downloaded none.seedbed --allow-sql --signed-by "
        + "ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
      "was passed over: there is no such file"),
    Step("verify --engine-check", "Nothing is missing."),
    Step("status --exit-code", "1 pending", code: 1),
    Step("plan --to 1 --json", #""outcome":"planned""#),
    Step("up --to 1 --must-exist --progress plain", "Applied 1 migration. Database is at 1."),
    Step(
      "plan --must-exist --no-backup --allow-out-of-order --on-edited preferSeed",
      "1 edited by the user",
      sql: "UPDATE words SET freq = 7 WHERE term = 'cat'",
      files: [
        "0002_june/words.update.csv": "term,freq,was:freq\ncat,10,1\ndog,20,2\n",
        "0002_june/words.csv": "term,freq\nfox,3\n",
      ]),
    Step("up", "MIGRATE_BACKUP_COMMAND names no command", code: 6),
    Step(
      "up --no-backup --allow-out-of-order --on-taken keepUser --lock-timeout 3",
      "Database is at 2.  1 conflict"),
    Step("status --quiet --exit-code", ""),
    Step("conflicts", "edited: words term=\"cat\""),
    Step("verify", "Nothing is wrong"),
    Step("backups --backups nowhere --keep 3", "No backups."),
    Step(
      "reseed words dog --no-backup", "~1 changed",
      sql: "UPDATE words SET freq = 8 WHERE term = 'dog'"),
    Step("resolve --all --where words.freq --seed", "Settled 1 conflict."),
    Step("resolve --all --mine", "Settled 0 conflicts."),
    Step("origin words cat", "words cat: the seed's, as it was shipped."),
    Step("pin words cat --json", #""pinned":[{"table":"words","key":{"term":"cat"}}]"#),
    Step("pin", "words term=\"cat\""),
    Step("unpin words cat", "Unpinned words term=\"cat\"."),
    Step("export words", "term,freq\ncat,10\ndog,20\nfox,3\n"),
    Step(
      "export words --mine", "term,freq\nemu,4\nfox,9\n",
      sql: "INSERT INTO words VALUES ('emu', 4); UPDATE words SET freq = 9 WHERE term = 'fox'"),
    Step(
      "export words --suggestions --deletions --additions",
      #"addition,words,"{""term"":""emu""}",,,"{""term"":""emu"",""freq"":4}",2"# + "\n"
        + #"edit,words,"{""term"":""fox""}",freq,3,9,2"# + "\n"),
    Step("export --suggestions --out mine.jsonl", "Wrote mine.jsonl: 1 suggestion."),
    Step(
      "suggestions mine.jsonl --min 1 --where words --html review.html", "Wrote review.html",
      files: ["data/words.csv": "term,freq\ncat,10\ndog,20\nfox,3\n"]),
    Step("suggestions mine.jsonl --take 0 --accept --allow-deletes", "has the ID '0'", code: 64),
    Step(
      "export words --mine --json", #""rows":1,"file":null,"csv":"term,freq\nemu,4\n"#,
      sql: "UPDATE words SET freq = 3 WHERE term = 'fox'"),
    Step(
      "export words --mine --out mine.csv", "Wrote mine.csv: 0 rows of words.",
      sql: "DELETE FROM words WHERE term = 'emu'"),
    Step("report report.html --plan", "Wrote report.html"),
    Step("conflicts --open", "conflict"),
    Step("status --json --counts", "\"conflicts\":[{\"version\":2,\"table\":\"words\""),
    Step("conflicts --prune", "Forgot 1 conflict."),
    Step("reseed --tables words --no-backup --json", "\"table\":\"words\""),
    Step("reseed --all --no-backup --json", "\"table\":\"words\""),
    Step("absent words --json", "\"absent\":["),
    Step("reseed --missing --no-backup --json", "\"table\":\"words\""),
    Step("down --to 1 --no-backup", "Database is at 1."),
    Step(
      "down --to 0 --no-backup", "This DROP TABLE would delete users' rows", code: 2,
      sql: "INSERT INTO words VALUES ('mine', 1)"),
    Step("down --to 0 --no-backup --discard-user-rows", "Database is at 0."),
    Step(
      "baseline 1 --check --absent missing", "Nothing was changed.", code: 3,
      sql: "CREATE TABLE words (term TEXT PRIMARY KEY, freq INT)"),
    Step("baseline 1 --ledger own", "Adopted the database at 1."),
    Step("plan --adopt 1 --ledger other", "Database would be at"),
    Step("up --adopt 1 --ledger other --no-backup", "Database is at"),
    Step("status --help", "migrate status [options]"),
    Step("status --version", "migrate "),
  ]

  private static let some = "--each URL --schemas t? --except t3 --jobs 1"

  /// Many databases are the schemas of one. `URL` stands for its URL.
  private static let each = [
    Step(
      "status \(some) --exit-code", "2 databases: 2 pending", code: 1,
      sql: "CREATE SCHEMA t1; CREATE SCHEMA t2; CREATE SCHEMA t3"),
    Step("plan \(some)", "2 databases: 2 would change"),
    Step("up \(some) --canary 1 --keep-going --expect 1", "2 databases: 2 brought up to date"),
    Step("status \(some) --expect 2", "2 databases: 2 below version 2", code: 3),
    Step(
      "export --suggestions \(some) --out inbox",
      "2 databases: 1 with suggestions, 1 without suggestions",
      sql: "UPDATE t1.words SET freq = 5 WHERE term = 'cat'"),
    Step(
      "verify \(some)", "2 databases: 2 without findings",
      sql: "UPDATE t1.words SET freq = 1 WHERE term = 'cat'"),
    Step("conflicts \(some)", "2 databases: 2 without conflicts"),
    Step("conflicts --prune \(some)", "2 databases: 2 without conflicts"),
    Step("backups \(some)", "2 databases: 2 without backups"),
    Step(
      "down --to 0 \(some) --canary 1 --keep-going --no-backup", "2 databases: 2 taken back"),
    Step("restore --to 0 --each URL", "Seedbed makes no backups of databases on servers", code: 64),
    Step("up --each URL", "Name its schemas with '--schemas PATTERN'", code: 64),
  ]

  private static let eachOfFiles = [
    Step(
      "restore --to 0 --each tenants/ --except x.sqlite --jobs 1 --canary 1 --keep-going",
      "Name all databases with '--each', or", code: 64)
  ]

  private static let ofFiles =
    [
      Step(
        "rehearse --points 1",
        "'rehearse' works on SQLite databases only; to try a release for a server, run 'up' on a",
        code: 64),
      Step("restore", "such as pg_restore", code: 64),
      Step("rehearse --each URL", "'rehearse' works on SQLite databases only", code: 64),
      Step("rehearse --each tenants/", "Name all databases with '--each', or", code: 64),
    ]

  /// Whatever database is named, they look at none.
  private static let ofCatalogs = [
    Step("show", "0001_words"), Step("lock --check", "is up to date"),
    Step("build x.sqlite", "Wrote x.sqlite"), Step("bundle out", "Wrote out"),
    Step("sign --new-key author.pem", "Wrote author.pem"),
    Step("sign --key author.pem", "Wrote seedbed.lock.sig"),
    Step("revert 1 --rows-only", "0002_revert_words"), Step("new next", "0003_next"),
  ]

  private static let stories = [
    "for authors": authors, "for operators": operators, "of many": each, "of owners": owners,
    "of packs": packs,
    "of files": eachOfFiles + ofFiles,
    "of catalogs": ofCatalogs,
  ]

  @Test(arguments: stories.keys.sorted()) func `do what they say:`(_ story: String) throws {
    try withServer(Self.catalog) { server in
      _ = try CatalogLock.write(directory: server.path)
      for step in try #require(Self.stories[story]) {
        if !step.sql.isEmpty { try server.session.executeAll(step.sql) }
        try server.add(step.files)
        if step.files.keys.contains(where: { $0.hasPrefix("0") }) {
          _ = try CatalogLock.write(directory: server.path)
        }
        let (code, output) = try Child.run(
          [Child.built("migrate-postgresql")]
            + step.words.map { $0 == "URL" ? server.uri : $0 }
            + (step.words.contains("--migrations") ? [] : ["--migrations", "."])
            + (step.words.contains("URL") ? [] : ["--database", server.uri]),
          in: server.path)
        let isSaid = step.says.isEmpty ? output.isEmpty : output.contains(step.says)
        #expect(code == step.code && isSaid, "\(step.line)\n\(output)")
      }
    }
  }

  /// By an author, to a server whose app ships the first release.
  private static let download = """
    set -e
    author() { "$0" "$@" --migrations . >/dev/null; }
    "$0" sign --new-key author.pem | sed -n /^ed25519:/p >key
    author lock
    author sign --key author.pem
    mkdir app
    cp -R catalog.json seedbed.lock 0001_words app
    mkdir 0002_june
    printf 'term,freq\\nowl,3\\n' >0002_june/words.csv
    author lock
    author sign --key author.pem
    author bundle june.seedbed --since 1
    set -- --migrations app --database "$1" --signed-by "$(cat key)" --downloaded june.seedbed
    "$0" up "$@"
    "$0" status "$@"
    head -c 3000 june.seedbed >part
    mv part june.seedbed
    "$0" up "$@"
    """

  @Test func `a signed download comes to a server`() throws {
    try withServer(Self.catalog) { server in
      let (code, output) = try Child.run(
        ["/bin/sh", "-c", Self.download, Child.built("migrate-postgresql"), server.uri],
        in: server.path)
      #expect(code == 0, "\(output)")
      for words in [
        "Database is at 2.", "Downloaded: releases up to 2, signed ", "it is damaged",
      ] { #expect(output.contains(words), "\(words)\n\(output)") }
      let rows = try server.session.rows("SELECT term FROM words ORDER BY term")
      #expect(rows.map { $0[0].text } == ["cat", "dog", "owl"])
    }
  }

  // MARK: the reference

  @Test func `are those of the reference, with all their options`() throws {
    let page = try Child.run([Child.built("migrate-postgresql"), "help", "--markdown"]).output
    let parts = page.components(separatedBy: "\n## Options of every verb")
    let verbs = parts[0].components(separatedBy: "## migrate ").dropFirst()
    let onServers =
      Self.authors + Self.operators + Self.owners + Self.packs + Self.each
      + Self.eachOfFiles
    for verb in verbs {
      let name = String(verb.prefix { $0 != "\n" })
      let run = onServers.filter { $0.verb == name }
      if run.isEmpty {
        let isKnown = (Self.ofFiles + Self.ofCatalogs).contains { $0.verb == name }
        #expect(isKnown || name == "help", "Run '\(name)' on a server, or say that it knows none.")
        continue
      }
      let missing = options(in: verb).subtracting(run.flatMap(\.options))
      #expect(missing == [], "Run '\(name)' with them on a server.")
    }
    #expect(verbs.count > 20)
    // The others are in each step.
    let common = options(in: parts[1]).subtracting(["--database", "--migrations"])
    #expect(common.count > 10)
    #expect(common.subtracting(onServers.flatMap(\.options)) == [])
  }

  private func options(in page: String) -> Set<String> {
    Set(page.matches(of: #/(?m)^  (--[a-z-]+)/#).map { String($0.1) })
  }
}
