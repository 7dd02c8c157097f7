extension BadCase {
  /// All of them are refused by the names alone, before the database is opened.
  static let names = (folders + twins + files + kinds + links + roots).map(\.beforeTheRun)

  private static let sound = Bundle(["0001_case/items.csv": "id,name\n1,one\n"])

  private static func folder(_ name: String) -> BadCase {
    BadCase(
      name: "a folder called \(name.debugDescription)",
      bundle: sound.with("\(name)/items.csv", "id,name\n2,two\n"), expected: "catalog \(name)")
  }

  private static let folders = [
    "0002", "0002_", "0002-two", "0002 two", "0002two", "0002_two words", "0002_zw\u{F6}lf",
    "0002_two.old", "0002__two\u{301}", "2.1_two", "0002_two~", "0002_two,", "0000_zero", "0_zero",
    "9223372036854775808_large", "99999999999999999999999_large", "0002.two", "0002_two'; --",
    "0x02_two", "0002_two\t",
  ].map(folder)

  private static func twin(_ name: String, _ expected: String) -> BadCase {
    BadCase(
      name: "the number 1 again: \(name)",
      bundle: sound.with("\(name)/items.csv", "id,name\n2,two\n"), expected: "catalog \(expected)")
  }

  /// The place is the second one by name.
  private static let twins: [BadCase] = [
    twin("1_other", "1_other"), twin("0001_other", "0001_other"), twin("01_case", "01_case"),
    twin("00000000000000000000000001_case", "0001_case"),
  ]

  private static func file(_ name: String, _ text: String = "id,name\n1,one\n") -> BadCase {
    BadCase(
      name: "a file called \(name.debugDescription)", bundle: sound.with("0001_case/\(name)", text),
      expected: "catalog 0001_case/\(name)")
  }

  private static let files =
    [
      "readme.md", "items", "items.tsv", "items.txt", "items.CSV", "items.csv.GZ", "items.csv.zip",
      "items.csv.bz2", "items.csv.xz", "items.csv.zst", "items.csv.gz.gz", "items.csv.bak",
      "items.csv~", "#items.csv#", "items.csv.orig", "items.csv (1)", "items.json", "Up.sql",
      "up.SQL", "ups.sql", "up.sql.gz", "up.sql.bak", "upgrade.sql", "down_.sql", "after.up.sql",
      "afterdown.sql", "before.sql", "verify.csv.sql", "Migration.json", "migration.jsn",
      "migration.json.gz", "migrations.json", "options.json", "catalog.json", "seedbed.lock",
      "Thumbs.db", "desktop.ini", "app.sqlite", "items.updates.csv", "items.update.cvs",
      "items.updated.csv.gz", "items.insert.csv", "items.inserts.csv", "items.deletes.csv",
      "items.deleted.csv", "items.~.csv", "items~.csv", "items~.update.csv", "items.csv\u{7F}.x",
      "items\u{1}.csv", "it\u{1B}[31mems.csv", "items\t.csv", "items\u{FFFD}.csv",
    ].map { file($0) }

  private static func pair(_ first: String, _ second: String) -> BadCase {
    BadCase(
      name: "both \(first) and \(second)",
      bundle: Bundle([
        "0001_case/\(first)": "id,name\n1,one\n", "0001_case/\(second)": "id,name\n2,two\n",
      ]), expected: "catalog 0001_case/\(second)")
  }

  private static let kinds: [BadCase] = [
    pair("items.csv", "items.csv.gz"), pair("ITEMS.csv", "items.csv"),
    pair("Items.update.csv", "items.update.csv"), pair("items.delete.csv", "items.delete.csv.gz"),
    pair("items.A~.csv", "items.a~.csv"), pair("items.a~.csv", "items.a~.csv.gz"),
    BadCase(
      name: "a folder in a migration's folder", bundle: sound.with("0001_case/more/items.csv", ""),
      expected: "catalog 0001_case/more"),
    BadCase(
      name: "a folder called like rows", bundle: sound.with("0001_case/parts.csv/x", ""),
      expected: "catalog 0001_case/parts.csv"),
    BadCase(
      name: "a folder called up.sql", bundle: sound.with("0001_case/up.sql/x", ""),
      expected: "catalog 0001_case/up.sql"),
    BadCase(
      name: "a file with a number", bundle: sound.with("0002_two", ""), expected: "catalog 0002_two"
    ),
    BadCase(
      name: "a SQL file beside the folders", bundle: sound.with("0002_two.sql", ""),
      expected: "catalog 0002_two.sql"),
    BadCase(
      name: "a folder called catalog.json", bundle: sound.with("catalog.json/x", ""),
      expected: "catalog catalog.json"),
    BadCase(
      name: "a folder called seedbed.lock", bundle: sound.with("seedbed.lock/x", ""),
      expected: "catalog seedbed.lock"),
    {
      var bundle = sound
      bundle.folders = ["0002_two"]
      return BadCase(
        name: "a migration without a file", bundle: bundle, expected: "catalog 0002_two")
    }(),
    BadCase(
      name: "a migration of nothing but a dot file", bundle: sound.with("0002_two/.DS_Store", ""),
      expected: "catalog 0002_two"),
  ]

  /// A link could lead out of the bundle, and change after it was checked.
  private static func link(
    _ name: String, _ path: String, to target: String, _ expected: String
  ) -> BadCase {
    var bundle = sound.with("elsewhere/items.csv", "id,name\n2,two\n")
    bundle.links = [path: target]
    return BadCase(name: name, bundle: bundle, expected: "catalog \(expected)")
  }

  private static let links: [BadCase] = [
    link("a link to a folder", "0002_two", to: "elsewhere", "0002_two"),
    link("a link to nowhere for a folder", "0002_two", to: "nowhere", "0002_two"),
    link("a link to itself for a folder", "0002_two", to: "0002_two", "0002_two"),
    link("a link to the catalog", "0002_two", to: ".", "0002_two"),
    link(
      "a link to rows", "0002_two/items.csv", to: "../elsewhere/items.csv", "0002_two/items.csv"),
    link(
      "a link to rows of the same folder", "0001_case/parts.csv", to: "items.csv",
      "0001_case/parts.csv"),
    link("a link to nothing for rows", "0002_two/items.csv", to: "nothing", "0002_two/items.csv"),
    link("a link to a device", "0002_two/items.csv", to: "/dev/zero", "0002_two/items.csv"),
    link("a link to the password file", "0002_two/up.sql", to: "/etc/passwd", "0002_two/up.sql"),
    link(
      "a link for the options", "0002_two/migration.json", to: "/dev/null",
      "0002_two/migration.json"),
    link("a link for catalog.json", "catalog.json", to: "/dev/zero", "catalog.json"),
    link("a link for the lock", "seedbed.lock", to: "elsewhere/items.csv", "seedbed.lock"),
  ]

  private static func empty(_ name: String, _ files: [String: String]) -> BadCase {
    BadCase(name: name, bundle: Bundle(files), expected: "catalog")
  }

  private static let roots: [BadCase] = [
    empty("a catalog of nothing", [:]), empty("a catalog of options", ["catalog.json": "{}"]),
    empty("a catalog of sources", ["data/items.csv": "id,name\n"]),
    empty("folders whose numbers stand behind", ["case_0001/items.csv": "id,name\n"]),
    empty("a number in other digits", ["\u{661}_case/items.csv": "id,name\n"]),
    empty("a number with a minus", ["-1_case/items.csv": "id,name\n"]),
  ]
}
