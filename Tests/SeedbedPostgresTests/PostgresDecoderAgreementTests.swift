import Seedbed
import TestSupport
import Testing

@testable import SeedbedPostgres

/// What the decoders let through, the server takes, and it keeps the value.
@Suite(.enabled(if: Cluster.isInstalled)) struct PostgresDecoderAgreementTests {
  @Test func `the server takes what fits`() throws {
    try withSession { session in
      for test in PostgresDecoderTests.cases where !test.type.hasSuffix("[]") {
        for field in test.accepted {
          // A cast would cut what is too long.
          try session.execute("CREATE TEMP TABLE one (value \(test.type))")
          #expect(throws: Never.self, "\(test.type) \(field)") {
            try session.execute("INSERT INTO one VALUES (\(field.quotedLiteral))")
          }
          try session.execute("DROP TABLE one")
        }
      }
    }
  }

  /// Each drawn of characters that make it nearly fit.
  static let draws: [(type: String, sameAs: String, alphabet: [String])] = [
    ("numeric(4,2)", "numeric", ["1", "0", "9", ".", "e", "-", "2"]),
    ("numeric(2,-1)", "numeric", ["1", "0", "9", ".", "e"]),
    ("numeric(2,3)", "numeric", ["1", "0", "0.", ".0", "e-"]),
    ("smallint", "numeric", ["3", "2", "7", "6", "8", "-", "1"]),
    ("date", "date", ["2024-", "1900-", "02-", "12-", "04-", "29", "30", "31", "00"]),
    ("time(2) without time zone", "time", ["12:", "59", "60", ":", ".12", "0", "5"]),
    ("json", "text", ["{", "}", "[", "]", ",", ":", "\"a\"", "1", "null", " ", "-", "0", "\\"]),
    ("jsonb", "text", ["\"", "\\u", "d83d", "de00", "0000", "x", "\\n", "[", "]", ","]),
    (
      "uuid", "uuid",
      [
        "123e4567-e89b-12d3-a456-42661417400", "123e4567e89b12d3a45642661417400", "0", "g", "-",
      ]
    ),
  ]

  @Test(arguments: draws.indices) func `the server and the decoder agree on drawn fields`(
    _ index: Int
  ) throws {
    let (type, sameAs, alphabet) = Self.draws[index]
    var dice = Dice(seed: 7)
    let fields = (0..<4000).map { _ in
      (0...dice.below(7)).map { _ in dice.pick(alphabet) }.joined()
    }
    let decoder = try PostgresDecoderTests.decoder(type)
    try withSession { session in
      try session.execute(
        """
        CREATE FUNCTION takes(field text) RETURNS boolean LANGUAGE plpgsql AS $$
          BEGIN RETURN field::\(type)::\(sameAs) = field::\(sameAs);
          EXCEPTION WHEN OTHERS THEN RETURN false; END $$
        """)
      // Whatever the server refuses, the decoder does; it refuses more, such as leading zeros.
      for field in Set(fields) where PostgresDecoderTests.read(field, decoder) != nil {
        let value = try session.value("SELECT takes(?)", [.text(field)])
        // The server takes jsonb apart, and the text is another then.
        if type == "jsonb" {
          #expect(throws: Never.self, "\(field)") {
            try session.value("SELECT ?::jsonb", [.text(field)])
          }
        } else {
          #expect(value == 1, "\(type) \(field)")
        }
      }
      if type.hasPrefix("json") {
        for field in Set(fields) where PostgresDecoderTests.read(field, decoder) == nil {
          #expect(throws: (any Error).self, "\(field)") {
            try session.value("SELECT ?::\(type)", [.text(field)])
          }
        }
      }
    }
  }
}
