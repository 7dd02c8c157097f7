extension BadCase {
  static let values =
    integers + reals + booleans + numbers + dates + encoded + nulls

  private static let blobs = #"{"tables": {"items": {"blobs": {"data": "base64"}}}}"#
  private static let hex = #"{"tables": {"items": {"blobs": {"data": "hex"}}}}"#

  /// `1,n,` and the field, which begins at column 5.
  private static func field(
    _ column: String, _ what: String, _ texts: [String], options: String = "{}"
  ) -> [BadCase] {
    texts.map { text in
      BadCase(
        name: "\(what): \(text.debugDescription)",
        bundle: Bundle([
          "0001_case/items.csv": "id,name,\(column)\n1,n,\(text)\n", "catalog.json": options,
        ]), expected: "csv 0001_case/items.csv:2:5")
    }
  }

  private static let integers = field(
    "count", "no integer",
    [
      "1.0", "1e3", "+1", " 1", "1 ", "01", "-01", "00", "-0x1", "0x10", "1_000", "one", "-", "--1",
      "1-", "9223372036854775808", "-9223372036854775809", "99999999999999999999", "\"1,000\"",
      "\"\"", "\u{661}", "1\u{A0}", "NULL", "null", "\\N", "true", "NaN", "½", "1.", ".5",
    ])

  private static let reals = field(
    "price", "no real",
    [
      "1e", "1e+", "e5", ".", "-", "+1.5", "0x1p3", "NaN",
      "nan", "inf", "-Infinity", "1e999", "-1e400", "1.5f", "1_0.5", " 1.5", "1.5 ", "\"\"",
      "1.5e2.5",
      "1..5", "$1", "1.5%", "one",
    ])

  private static let booleans = field(
    "flag", "no 0 or 1",
    ["true", "false", "yes", "2", "-1", "00", "1.0", "\"\"", "TRUE", "t", "on", "0x1"])

  private static let numbers = field(
    "amount", "no number that survives",
    [
      "one", "\"\"", "007", "-00.5", "12345678901234567890123", "0.12345678901234567890123",
      "1e999",
      "NaN", "1x", " 1", "0x10",
    ])

  /// DATE has NUMERIC affinity: text stays text, and what looks like a number must survive as one.
  private static let dates = field(
    "made", "no text, and no number that survives",
    ["007", "00", "-01", "12345678901234567890123", "1.50000000000000000001", "01.5", "1e999"])

  private static let encoded =
    field(
      "data", "no base64",
      ["YQ", "YQ=", "YQ===", "Y", "=", "====", "YQ==YQ==", "Y!==", " YQ==", "YQ==\t", "YQ-_", "ä"],
      options: blobs)
    + field(
      "data", "no hexadecimal digits", ["a", "abc", "0x61", "6g", " 61", "61 ", "6 1", "x'61'"],
      options: hex)

  private static let nulls: [BadCase] = [
    .file("items.csv", "an empty key", "id,name\n,one\n", "csv 2:1"),
    .file(
      "items.csv", "an empty key after good ones", "id,name\n1,one\n2,two\n,three\n", "csv 4:1"),
    .file("items.csv", "an empty key that is not first", "name,id\none,\n", "csv 2:5"),
    .file(
      "items.csv", "an empty text for a key that is a number", "id,name\n\"\",one\n", "csv 2:1"),
    .file("pairs.csv", "half a key empty", "a,b,c\nx,,z\n", "csv 2:3"),
    .file("pairs.csv", "the other half of a key empty", "a,b,c\n,1,z\n", "csv 2:1"),
    .file(
      "items.update.csv", "an update of an empty key", "id,name,was:name\n,new,old\n", "csv 2:1"),
    .file("items.delete.csv", "a delete of an empty key", "id,name\n,one\n", "csv 2:1"),
    .file("items.csv", "a key that is no integer", "id,name\none,one\n", "csv 2:1"),
    .file("items.csv", "a key with a point", "id,name\n1.0,one\n", "csv 2:1"),
    .file(
      "items.update.csv", "an old value that does not fit its column",
      "id,count,was:count\n10,2,one\n", "csv 2:6"),
    .file(
      "items.delete.csv", "an old value of a row to retire that does not fit", "id,price\n10,x\n",
      "csv 2:4"),
    .file(
      "items.csv", "the first of two fields that do not fit", "id,name,count,price\n1,a,x,y\n",
      "csv 2:5"),
    .file(
      "items.csv", "a wrong field on an earlier line than a wrong record",
      "id,name,count\n1,a,x\n2,b\n", "csv 2:5"),
    .file("exact.csv", "a text in a STRICT integer", "id,a,n\n1,x,y\n", "csv 2:5"),
  ]
}
