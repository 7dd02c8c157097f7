/// Policies of single columns.
extension NamedCase {
  private static let law = #""t": {"columns": {"b": "preferSeed"}}"#

  static let columns: [NamedCase] = [
    NamedCase(
      name: "each column has its own policy", options: law,
      user: "UPDATE t SET a = 'm', b = 'n'",
      second: ["t.update.csv": "id,a,was:a,b,was:b\n1,p,x,q,y\n"], rows: "1|m|q",
      conflicts: ["t edited keepEdits merged", "t edited preferSeed tookSeed"],
      counts: [0, 1, 0, 0, 0], inverse: "1|m|y"),
    NamedCase(
      name: "an edit where the seed is preferred is no reason to stay", options: law,
      user: "UPDATE t SET b = 'n'", second: ["t.delete.csv": "id,a,b\n1,x,y\n"], rows: "",
      conflicts: ["t editedRetired preferSeed tookSeed"], inverse: "1|x|y"),
    NamedCase(
      name: "one in another column is, and its policy is named", options: law,
      user: "UPDATE t SET a = 'm', b = 'n'", second: ["t.delete.csv": "id,a,b\n1,x,y\n"],
      rows: "1|m|n", conflicts: ["t editedRetired keepEdits keptUser"]),
    NamedCase(
      name: "one where edits are kept is, whatever the table says",
      options: #""t": {"onEdited": "preferSeed", "columns": {"A": "keepEdits"}}"#,
      first: ["t.csv": "id,a,b\n1,x,y\n2,x,y\n"],
      user: "UPDATE t SET a = 'm' WHERE id = 1; UPDATE t SET b = 'n' WHERE id = 2",
      second: ["t.delete.csv": "id,a,b\n1,x,y\n2,x,y\n"], rows: "1|m|y",
      conflicts: ["t editedRetired keepEdits keptUser", "t editedRetired preferSeed tookSeed"],
      inverse: "1|m|y;2|x|y"),
    NamedCase(
      name: "under fail only the other columns fail",
      options: #""t": {"onEdited": "fail", "columns": {"b": "keepEdits"}}"#,
      user: "UPDATE t SET b = 'n'", second: ["t.update.csv": "id,a,was:a,b,was:b\n1,p,x,q,y\n"],
      rows: "1|p|n", conflicts: ["t edited keepEdits merged"]),
    NamedCase(
      name: "and a row to retire fails by what they hold",
      options: #""t": {"onEdited": "fail", "columns": {"b": "preferSeed"}}"#,
      user: "UPDATE t SET a = 'm', b = 'n'", second: ["t.delete.csv": "id,a,b\n1,x,y\n"],
      rows: "1|m|n",
      error: "The policy onEdited is 'fail', and 1 row of 't' is in conflict (editedRetired)"),
    NamedCase(
      name: "a policy for whole rows has no columns",
      options: #""t": {"columns": {"b": "preferSeed"}}"#,
      first: [:],
      second: [
        "t.csv": "id,a,b\n1,x,y\n",
        "migration.json": #"{"tables": {"T": {"onEdited": "keepRow"}}}"#,
      ], rows: "",
      error: "which is about whole rows, and policies in \"columns\". Use keepEdits, preferSeed"),
  ]

  private static let body = #""t": {"compare": {"b": "text"}}"#
  private static let letter = ["t.csv": "id,a,b\n1,x,\"y\nz\"\n"]
  /// As a form sends it.
  private static let form = "UPDATE t SET a = 'm', b = 'y' || char(13, 10) || 'z' || char(13, 10)"

  static let texts: [NamedCase] = [
    NamedCase(
      name: "a text with other line ends takes the seed's bytes", options: body, first: letter,
      user: form, second: ["t.update.csv": "id,b,was:b\n1,\"q\nr\",\"y\nz\"\n"],
      query: "SELECT id, a, hex(b) FROM t", rows: "1|m|710A72", counts: [0, 1, 0, 0, 0],
      inverse: "1|m|790A7A"),
    NamedCase(
      name: "one that is the seed's but for them stays", options: body, first: letter, user: form,
      second: ["t.update.csv": "id,b,was:b\n1,\"y\nz \",q\n"],
      query: "SELECT id, a, hex(b) FROM t", rows: "1|m|790D0A7A0D0A",
      counts: [0, 0, 0, 1, 0], inverse: "1|m|71", again: "1|m|790A7A20"),
    NamedCase(
      name: "where the seed changes nothing else, the row stays", options: body, first: letter,
      user: "UPDATE t SET b = 'mine'",
      second: ["t.update.csv": "id,b,was:b\n1,\"y\nz\n\",\"y\nz\"\n"], rows: "1|x|mine",
      counts: [0, 0, 0, 1, 0]),
    NamedCase(
      name: "it is no reason to stay", options: body, first: letter,
      user: "UPDATE t SET b = 'y' || char(13, 10) || 'z'",
      second: ["t.delete.csv": "id,a,b\n1,x,\"y\nz\"\n"], rows: "", inverse: "1|x|y\nz"),
    NamedCase(
      name: "without the option it is an edit", first: letter, user: form,
      second: ["t.update.csv": "id,b,was:b\n1,q,\"y\nz\"\n"],
      query: "SELECT id, a, hex(b) FROM t", rows: "1|m|790D0A7A0D0A",
      conflicts: ["t edited keepEdits keptUser"]),
    NamedCase(
      name: "white space in the text is one with it", options: body, first: letter,
      user: "UPDATE t SET b = ' y' || char(10) || 'z'",
      second: ["t.update.csv": "id,b,was:b\n1,q,\"y\nz\"\n"], query: "SELECT hex(b) FROM t",
      rows: "20790A7A", conflicts: ["t edited keepEdits keptUser"]),
  ]

  /// The author changes nothing but line ends and white space.
  static let spellings: [NamedCase] = [
    NamedCase(
      name: "a new spelling comes where the text is untouched", options: body, first: letter,
      user: "UPDATE t SET a = 'm'",
      second: ["t.update.csv": "id,b,was:b\n1,\"y  \nz\n\",\"y\nz\"\n"], rows: "1|m|y  \nz\n",
      counts: [0, 1, 0, 0, 0]),
    NamedCase(
      name: "not over a spelling of the user's", options: body, first: letter,
      user: "UPDATE t SET b = 'y\t\nz'",
      second: ["t.update.csv": "id,b,was:b\n1,\"y  \nz\n\",\"y\nz\"\n"], rows: "1|x|y\t\nz",
      counts: [0, 0, 0, 1, 0]),
    NamedCase(
      name: "it is no edit where the policy overwrites",
      options: #""t": {"compare": {"b": "text"}, "onEdited": "preferSeed"}"#, first: letter,
      user: "UPDATE t SET b = 'y\t\nz'",
      second: ["t.update.csv": "id,b,was:b\n1,\"y  \nz\n\",\"y\nz\"\n"], rows: "1|x|y\t\nz",
      counts: [0, 0, 0, 1, 0]),
  ]
}
