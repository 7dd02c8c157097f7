extension `Verbs on a server` {
  private static let options = """
    {"name": "de", "requires": {"base": 1}, "engines": ["sqlite", "postgresql"]}
    """

  static let packs = [
    Step(
      "up --no-backup --migrations data/de --beside .", "needs release 1 of the base", code: 3,
      files: [
        "data/de/catalog.json": options, "data/de/1_words/words.csv": "term,freq\nigel,3\nuhu,4\n",
      ]),
    Step("up --no-backup", "Applied 1 migration."),
    Step("up --no-backup --migrations data/de --beside .", "words      +2 added"),
    Step("status --migrations data/de", "Pack 'de' is at 1, and needs release 1 of the base"),
    Step(
      "up --no-backup --beside data/de", "+1 added, 2 kept",
      sql: """
        UPDATE words SET freq = 7 WHERE term = 'igel';
        DELETE FROM words WHERE term = 'uhu';
        INSERT INTO words VALUES ('mine', 1)
        """,
      files: [
        "data/de/2_more/words.csv": "term,freq\nlurch,5\n",
        "data/de/2_more/words.update.csv": "term,was:freq,freq\nigel,3,8\nuhu,4,9\n",
      ]),
    Step("export words --mine --beside data/de", "term,freq\nigel,7\nmine,1\n"),
    Step("lint --beside data/de", "No problems found"),
    Step(
      "lint --beside data/de --beside data/fr", "is in the pack 'fr' and in the pack 'de'", code: 3,
      files: [
        "data/fr/catalog.json": options.replacing("de", with: "fr"),
        "data/fr/1_words/words.csv": "term,freq\nlurch,6\n",
      ]),
    Step(
      "up --no-backup --migrations data/fr --beside data/de --beside .",
      "1 taken by the pack 'de'"),
    Step("down --to 0 --no-backup --migrations data/de", "-1 retired"),
    Step("up --no-backup --migrations data/de", "left to the user"),
    Step("reseed --missing --no-backup --migrations data/de --beside .", "words: +1 added."),
    Step("down --to 0 --no-backup", "lacks what its packs need: 'de', which needs 1", code: 64),
  ]
}
