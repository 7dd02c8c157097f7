import SeedbedCells
import Testing

@testable import Seedbed
@testable import SeedbedPostgres

@Suite(.enabled(if: Cluster.isInstalled)) struct PostgresFieldsTests {
  static let tables = """
    CREATE TYPE mood AS ENUM ('sad', 'it''s ok');
    CREATE DOMAIN percent AS numeric(5, 2) CHECK (VALUE <= 100);
    CREATE TABLE words (id int PRIMARY KEY, known boolean, price numeric(10, 2), weight real,
      feels mood, share percent, day date, at timestamptz, code char(3), data bytea, more jsonb,
      uid uuid, tags text[])
    """
  static let header = "id,known,price,weight,feels,share,day,at,code,data,more,uid,tags\n"

  @Test func `fields of all types arrive as they are`() throws {
    let csv = """
      1,t,12.50,0.1,sad,99.9,2024-02-29,2026-06-30T12:30:00+02:00,ab,00ff,"{""a"": 1}",\
      123e4567-e89b-12d3-a456-426614174000,"{a,""b c""}"
      2,0,,,it's ok,,infinity,,,,,,
      """
    try withSession { session in
      try session.executeAll(Self.tables + "; SET timezone = 'UTC'")
      let names = (0..<13).map { "c\($0)" }.joined(separator: ", ")
      try read(csv, session) {
        try session.execute(
          "INSERT INTO words SELECT \(names) FROM \(session.dialect.fileRows) ORDER BY line")
      }
      #expect(
        try session.rows("SELECT * FROM words ORDER BY id") == [
          [
            1, 1, "12.50", .real(0.1), "sad", "99.90", "2024-02-29", "2026-06-30 10:30:00+00",
            "ab", .blob([0, 255]), #"{"a": 1}"#, "123e4567-e89b-12d3-a456-426614174000",
            #"{a,"b c"}"#,
          ],
          [
            2, 0, .null, .null, "it's ok", .null, "infinity", .null, .null, .null, .null, .null,
            .null,
          ],
        ])
    }
  }

  static let misfits: KeyValuePairs = [
    "1,yes,,,,,,,,,,,": "found 'yes' in column 'known', expected 0, 1, t, f, true or false.",
    "1,,1.001,,,,,,,,,,": "in column 'price', expected a decimal number that numeric(10,2) holds",
    "1,,,,glad,,,,,,,,": "expected one of the values of mood: 'sad', 'it's ok'.",
    "1,,,,,1.001,,,,,,,": "expected a decimal number that numeric(5,2) holds",
    "1,,,,,,2026-02-30,,,,,,": "expected a date such as 2026-06-30, or infinity.",
    "1,,,,,,,2026-02-28,,,,,": "expected a date and time such as 2026-06-30T12:30:00Z or",
    "1,,,,,,,,abcd,,,,": "expected at most 3 characters of text.",
    "1,,,,,,,,,0,,,": "expected hexadecimal digits",
    "1,,,,,,,,,,{,,": "expected JSON",
    "1,,,,,,,,,,,1,": "expected a UUID such as",
  ]

  @Test(arguments: misfits) func `a field that does not fit is an error at its place`(
    _ row: String, _ words: String
  ) throws {
    try withSession { session in
      try session.executeAll(Self.tables)
      let error = #expect(throws: SeedbedError.self) {
        try read("7,,,,,,,,,,,,\n" + row, session) {}
      }
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
      #expect(error?.place?.line == 3)
    }
  }

  private func read<Result>(
    _ csv: String, _ session: PostgresSession, _ body: () throws -> Result
  ) throws -> Result {
    let reader = try RowReader(
      MemoryFile(Array((Self.header + csv).utf8), "words.csv"), place: "words.csv",
      isCompressed: false, locked: nil)
    let schema = try session.schema(of: "words")
    let columns = reader.header.compactMap { schema.column($0.name) }
    let dialect = session.dialect
    reader.decoders = try columns.map {
      try dialect.decoder(of: $0, in: schema, blob: $0.declaredType == "bytea" ? .hex : nil)
    }
    let rows = try session.read(
      reader, types: columns.map { dialect.fieldType(of: $0, in: schema) })
    return try withExtendedLifetime(rows, body)
  }
}
