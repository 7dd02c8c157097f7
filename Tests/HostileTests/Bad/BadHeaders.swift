extension BadCase {
  static let headers = columns + special + updates + deletes + naturals

  private static func bad(
    _ file: String, _ name: String, _ header: String, _ expected: String
  ) -> BadCase {
    .file(file, name, header + "\n", expected)
  }

  private static func items(_ name: String, _ header: String, _ expected: String) -> BadCase {
    bad("items.csv", name, header, expected)
  }

  private static let columns: [BadCase] = [
    items("an unknown column", "id,name,colour", "csv 1:9"),
    items("an unknown column, in quotes", "id,name,\"colour\"", "csv 1:9"),
    items("an unknown first column", "number,name", "csv 1:1"),
    items("a column with a space before it", "id, name", "csv 1:4"),
    items("a column with a space behind it", "id,name ", "csv 1:4"),
    items("a column with a full stop", "id,items.name", "csv 1:4"),
    items("a column in SQL's backticks", "id,`name`", "csv 1:4"),
    items("a column in SQL's brackets", "id,[name]", "csv 1:4"),
    items("a column in single quotes", "id,'name'", "csv 1:4"),
    items("SQL for a column", "id,\"name) VALUES (1); DROP TABLE items; --\"", "csv 1:4"),
    items("the rowid, which is no column's name", "id,name,rowid", "csv 1:9"),
    items("a column twice", "id,name,name", "csv 1:9"),
    items("a column twice, in another case", "id,name,NAME", "csv 1:9"),
    items("a column twice, once in quotes", "id,name,\"name\"", "csv 1:9"),
    items("a first column twice", "id,name,id", "csv 1:9"),
    items("a column without a name", "id,,name", "csv 1:4"),
    items("a last column without a name", "id,name,", "csv 1:9"),
    items("a first column without a name", ",id,name", "csv 1:1"),
    items("a column with a quoted empty name", "id,\"\",name", "csv 1:4"),
    items("a name of 5000 letters", "id," + String(repeating: "n", count: 5000), "csv 1:4"),
    items("rows without a header", "1,one", "csv 1:1"),
    items("a Turkish dotless i for an i", "\u{131}d,name", "csv 1:1"),
    items("a Kelvin sign for a k", "id,name,\u{212A}ey", "csv 1:9"),
    items("a full-width letter", "\u{FF49}d,name", "csv 1:1"),
    items("a letter and a combining mark", "id,name\u{301}", "csv 1:4"),
    items("a zero-width space in a name", "id,name\u{200B}", "csv 1:4"),
    items("separated by semicolons", "id;name;note", "csv 1:1"),
    items("separated by tabs", "id\tname", "csv 1:1"),
    items("separated by bars", "id|name", "csv 1:1"),
    items("separated by a semicolon, one name quoted", "id;\"name\"", "csv 1:4"),
    items("Excel's line about the separator", "sep=,\nid,name", "csv 1:6"),
  ]

  private static let special: [BadCase] = [
    items("no key", "name,note", "csv 1"),
    items("a natural key that is not the key", "code,name", "csv 1"),
    bad("pairs.csv", "half a key", "a,c", "csv 1"),
    bad("pairs.csv", "the other half of a key", "b,c", "csv 1"),
    bad("computed.csv", "a virtual column that SQLite computes", "id,a,twice", "csv 1:6"),
    bad("computed.csv", "a stored column that SQLite computes", "id,thrice", "csv 1:4"),
    bad("computed.update.csv", "a computed column to set", "id,twice,was:twice", "csv 1:4"),
    items("an old value in an insert", "id,name,was:name", "csv 1:9"),
    bad("items.delete.csv", "an old value in a delete", "id,name,was:name", "csv 1:9"),
    items("a BLOB without its encoding", "id,name,data", "catalog 1"),
  ]

  private static let updates: [BadCase] = [
    bad("items.update.csv", "an update without old values", "id,name", "catalog 1"),
    bad(
      "items.update.csv", "an update that lacks one old value", "id,name,was:name,note", "catalog 1"
    ),
    bad("items.update.csv", "an update of nothing", "id", "csv 1"),
    bad("items.update.csv", "an old value and no new one", "id,name,was:name,was:note", "csv 1"),
    bad("items.update.csv", "only an old value", "id,was:name", "csv 1"),
    bad("items.update.csv", "an old value twice", "id,name,was:name,was:name", "csv 1:18"),
    bad("items.update.csv", "an old value of an unknown column", "id,name,was:nam", "csv 1:9"),
    bad("items.update.csv", "an old value of no column", "id,name,was:", "csv 1:9"),
    bad("items.update.csv", "an old value with a space", "id,name,was: name", "csv 1:9"),
    bad("items.update.csv", "an old value in capitals", "id,name,WAS:name", "csv 1:9"),
    bad("items.update.csv", "an old value of an old value", "id,name,was:was:name", "csv 1:9"),
    bad("items.update.csv", "an update without its key", "name,was:name", "csv 1"),
    bad("pairs.update.csv", "an update with half its key", "a,c,was:c", "csv 1"),
    bad("items.update.csv", "an old key, and no new one", "was:id,name,was:name", "csv 1"),
    bad("items.update.csv", "an update of an unknown column", "id,nam,was:nam", "csv 1:4"),
  ]

  private static let deletes: [BadCase] = [
    bad("items.delete.csv", "a delete by the key alone", "id", "catalog 1"),
    bad("pairs.delete.csv", "a delete by both keys alone", "a,b", "catalog 1"),
    bad("items.delete.csv", "a delete without its key", "name,note", "csv 1"),
    bad("items.delete.csv", "a delete with an unknown column", "id,name,nota", "csv 1:9"),
    bad("items.delete.csv", "a delete with a column twice", "id,name,Name", "csv 1:9"),
    bad("items.delete.csv", "a delete with a BLOB without its encoding", "id,data", "catalog 1"),
  ]

  private static func parts(_ name: String, _ header: String, _ expected: String) -> BadCase {
    bad("parts.csv", name, header, expected)
  }

  private static let naturals: [BadCase] = [
    parts("a reference to an unknown table", "id,item:thing.name", "csv 1:4"),
    parts("a reference to an unknown column", "id,item:items.nam", "csv 1:4"),
    parts("a reference without a column", "id,item:items", "csv 1:4"),
    parts("a reference that ends in a full stop", "id,item:items.", "csv 1:4"),
    parts("a reference to nothing", "id,item:", "csv 1:4"),
    parts("a reference from an unknown column", "id,itm:items.name", "csv 1:4"),
    parts("a reference from nothing", "id,:items.name", "csv 1:4"),
    parts("a reference by two colons", "id,item::items.name", "csv 1:4"),
    parts("a reference with spaces", "id,item: items.name", "csv 1:4"),
    parts("a column by itself and by a reference", "id,item,item:items.name", "csv 1:9"),
    parts("the same reference twice", "id,item:items.name,item:items.name", "csv 1:20"),
    parts("two columns for one key", "id,\"(item,label):items.name\"", "csv 1:4"),
    parts("a list of columns without quotes", "id,(item,label):items.name", "csv 1:4"),
    parts("one column from two tables", "id,item:items.name,item:checked.s", "csv 1:20"),
    parts("a reference to a view", "id,item:cheap.name", "csv 1:4"),
    parts("a reference to the schema", "id,item:sqlite_schema.name", "csv 1:4"),
  ]
}
