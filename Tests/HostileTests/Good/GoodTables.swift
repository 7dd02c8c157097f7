extension GoodCase {
  static let tables: [GoodCase] = inserts + changes + naturals

  private static func rows(
    _ name: String, _ file: String, _ text: String, _ query: String, _ expected: String
  ) -> GoodCase {
    GoodCase(name, Bundle(file: file, Array(text.utf8)), query, expected)
  }

  private static let inserts: [GoodCase] = [
    rows(
      "a table WITHOUT ROWID", "pairs.csv", "a,b,c\nx,1,p\nx,2,q\n",
      "SELECT * FROM pairs WHERE a = 'x'", "x|1|p / x|2|q"),
    rows("a STRICT table", "exact.csv", "id,a,n\n1,x,2\n", "SELECT id, a, n FROM exact", "1|x|2"),
    rows(
      "columns that are computed", "computed.csv", "id,a\n1,5\n", "SELECT * FROM computed",
      "1|5|10|15"),
    rows(
      "columns that are absent", "defaults.csv", "id\n1\n", "SELECT * FROM defaults", "1|none|7"),
    rows(
      "NULL where there is a default", "defaults.csv", "id,a\n1,\n",
      "SELECT a IS NULL, b FROM defaults", "1|7"),
    rows(
      "a table in another case", "ITEMS.csv", "id,name\n1,one\n",
      "SELECT name FROM items WHERE id = 1", "one"),
    rows(
      "an id that AUTOINCREMENT would give", "counted.csv", "id,a\n7,x\n", "SELECT * FROM counted",
      "7|x"),
    rows(
      "a parent that is there", "parts.csv", "id,item,label\n1,10,x\n",
      "SELECT item FROM parts WHERE id = 1", "10"),
    rows(
      "no parent", "parts.csv", "id,item,label\n1,,x\n",
      "SELECT item IS NULL FROM parts WHERE id = 1", "1"),
    rows(
      "a parent that the user deleted", "parts.csv", "id,item,label\n1,77,x\n2,10,y\n",
      "SELECT id FROM parts WHERE id < 900", "2"),
    rows(
      "a key that the user took", "items.csv", "id,name\n900,seed\n1,one\n",
      "SELECT id, name FROM items WHERE id IN (1, 900)", "1|one / 900|mine"),
    rows(
      "a UNIQUE value that the user took", "items.csv", "id,name,code\n1,seed,U1\n2,two,U2\n",
      "SELECT id, name FROM items WHERE id < 10", "2|two"),
    rows("a CHECK that holds", "checked.csv", "id,n,s\n1,1,a\n", "SELECT n FROM checked", "1"),
    rows(
      "a row that is there already", "items.csv", "id,name,price\n10,ten,1.5\n",
      "SELECT count(*) FROM items WHERE id = 10", "1"),
  ]

  private static let changes: [GoodCase] = [
    rows(
      "an update", "items.update.csv", "id,price,was:price\n10,2,1.5\n",
      "SELECT price FROM items WHERE id = 10", "2.0"),
    rows(
      "an update of what the user edited", "items.update.csv", "id,price,was:price\n10,2,9\n",
      "SELECT price FROM items WHERE id = 10", "1.5"),
    rows(
      "an update of a row that is gone", "items.update.csv", "id,price,was:price\n77,2,9\n",
      "SELECT count(*) FROM items WHERE id = 77", "0"),
    rows(
      "an update of the key", "items.update.csv", "id,was:id\n10,10\n",
      "SELECT count(*) FROM items WHERE id = 10", "1"),
    rows(
      "an update that moves a row and what refers to it", "items.update.csv",
      "id,was:id,name,was:name\n20,10,ten,ten\n", "SELECT item FROM parts", "20"),
    rows(
      "two rows that exchange a value", "items.update.csv",
      "id,price,was:price\n10,2.5,1.5\n11,1.5,2.5\n",
      "SELECT price FROM items WHERE id IN (10, 11)", "2.5 / 1.5"),
    rows(
      "a row to retire", "items.delete.csv", "id,name,price\n11,eleven,2.5\n",
      "SELECT count(*) FROM items WHERE id = 11", "0"),
    rows(
      "a row to retire that the user edited", "items.delete.csv", "id,name,price\n11,elf,2.5\n",
      "SELECT count(*) FROM items WHERE id = 11", "1"),
    rows(
      "a row to retire that is gone", "items.delete.csv", "id,name\n77,x\n",
      "SELECT count(*) FROM items WHERE id = 77", "0"),
    rows(
      "a row to retire that a user's row needs", "items.delete.csv", "id,name,price\n10,ten,1.5\n",
      "SELECT count(*) FROM items WHERE id = 10", "1"),
    rows(
      "a computed column in a row to retire", "computed.delete.csv", "id,a,twice\n1,2,junk\n",
      "SELECT count(*) FROM computed", "0"),
  ]

  private static let naturals: [GoodCase] = [
    rows(
      "a parent by its name", "parts.csv", "id,item:items.name,label\n1,ten,x\n",
      "SELECT item FROM parts WHERE id = 1", "10"),
    rows(
      "no parent by its name", "parts.csv", "id,item:items.name,label\n1,,x\n",
      "SELECT item IS NULL FROM parts WHERE id = 1", "1"),
    rows(
      "a parent by two columns", "parts.csv", "id,item:items.name,item:items.price\n1,ten,1.5\n",
      "SELECT item FROM parts WHERE id = 1", "10"),
    rows(
      "a new parent by its name", "parts.update.csv",
      "id,item:items.name,was:item:items.name\n900,eleven,ten\n",
      "SELECT item FROM parts WHERE id = 900", "11"),
  ]
}
