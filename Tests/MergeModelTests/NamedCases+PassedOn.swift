/// UNIQUE values that go from a row to retire to another one, while others come to refer to them.
extension NamedCase {
  private static func words(
    _ name: String, user: String = "", _ second: [String: String],
    rows: String, conflicts: [String] = []
  ) -> NamedCase {
    NamedCase(
      name: name,
      schema: "CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT UNIQUE, code TEXT UNIQUE);"
        + "CREATE TABLE senses (id INTEGER PRIMARY KEY, "
        + "word TEXT DEFAULT 'elk' REFERENCES words (lemma) ON DELETE SET DEFAULT);",
      first: [
        "words.csv": "id,lemma,code\n1,cat,c\n2,dog,d\n3,elk,e\n",
        "senses.csv": "id,word\n1,cat\n2,dog\n",
      ], user: user, second: second,
      query: "SELECT id, lemma FROM words UNION ALL SELECT -id, word FROM senses ORDER BY 1",
      rows: rows, conflicts: conflicts)
  }

  static let passedOn = [
    words(
      "a new word gets the lemma of a retired one, and a sense comes to it",
      [
        "words.csv": "id,lemma,code\n4,dog,x\n", "words.delete.csv": "id,lemma,code\n2,dog,d\n",
        "senses.update.csv": "id,word,was:word\n1,dog,cat\n2,cat,dog\n",
      ], rows: "-2|cat;-1|dog;1|cat;3|elk;4|dog"),
    words(
      "a word gets the lemma of a retired one, and a sense comes to it",
      [
        "words.update.csv": "id,lemma,was:lemma\n3,dog,elk\n",
        "words.delete.csv": "id,lemma,code\n2,dog,d\n",
        "senses.update.csv": "id,word,was:word\n1,dog,cat\n2,cat,dog\n",
      ], rows: "-2|cat;-1|dog;1|cat;3|dog"),
    words(
      "a name stands for a word that gets the lemma of a retired one",
      [
        "words.update.csv": "id,lemma,was:lemma\n3,dog,elk\n",
        "words.delete.csv": "id,lemma,code\n2,dog,d\n",
        "senses.update.csv": "id,word:words.code,was:word\n1,e,cat\n2,c,dog\n",
      ], rows: "-2|cat;-1|dog;1|cat;3|dog"),
    words(
      "the word that was to get the lemma is the user's",
      user: "INSERT INTO words VALUES (4, 'owl', 'o')",
      [
        "words.csv": "id,lemma,code\n4,dog,x\n", "words.delete.csv": "id,lemma,code\n2,dog,d\n",
        "senses.update.csv": "id,word,was:word\n1,dog,cat\n2,cat,dog\n",
      ], rows: "-2|cat;-1|cat;1|cat;3|elk;4|owl",
      conflicts: ["senses parentDeleted - skipped", "words keyTaken keepUser keptUser"]),
    words(
      "lemmas are passed on from a retired word to another, and from that to a third",
      [
        "words.update.csv": "id,lemma,was:lemma\n1,dog,cat\n3,cat,elk\n",
        "words.delete.csv": "id,lemma,code\n2,dog,d\n",
        "senses.update.csv": "id,word,was:word\n2,cat,dog\n",
      ], rows: "-2|cat;-1|dog;1|dog;3|cat"),
    words(
      "a user's sense keeps the retired word, and its lemma",
      user: "INSERT INTO senses VALUES (3, 'dog')",
      [
        "words.csv": "id,lemma,code\n4,dog,x\n", "words.delete.csv": "id,lemma,code\n2,dog,d\n",
        "senses.update.csv": "id,word,was:word\n2,cat,dog\n",
      ], rows: "-3|dog;-2|cat;-1|cat;1|cat;2|dog;3|elk",
      conflicts: [
        "words uniqueTaken keepUser keptUser", "words referenced keepEdits keptUser",
      ]),
  ]
}
