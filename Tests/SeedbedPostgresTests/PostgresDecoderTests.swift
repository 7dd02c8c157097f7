import Seedbed
import SeedbedCells
import Testing

@testable import SeedbedPostgres

@Suite struct PostgresDecoderTests {
  struct Case: CustomTestStringConvertible {
    var type: String
    var accepted: [String]
    var refused: [String]
    var testDescription: String { type }

    init(_ type: String, _ accepted: [String], refused: [String]) {
      (self.type, self.accepted, self.refused) = (type, accepted, refused)
    }
  }

  static let cases = [
    Case(
      "smallint", ["0", "-32768", "32767"],
      refused: ["32768", "-32769", "1.0", "+1", "01", "", " 1"]),
    Case(
      "integer", ["-2147483648", "2147483647"],
      refused: ["2147483648", "1e3", "99999999999999999999"]),
    Case("bigint", ["-9223372036854775808"], refused: ["9223372036854775808"]),
    Case(
      "boolean", ["0", "1", "t", "f", "true", "false"], refused: ["yes", "TRUE", "2", "", "tru"]),
    Case(
      "numeric", ["1.50", "-0.001", ".5", "5.", "1e-3", "0", "123456789012345678901234567890.1"],
      refused: ["NaN", "Infinity", "007", "1,5", "", "-", "1e200000", "1e-20000"]),
    Case(
      "numeric(5,2)", ["999.99", "-999.99", "1.500", "1e2", "0.00", "100e-4", "0e9"],
      refused: ["1000", "1.001", "1e3", "0.001", "12345e-3"]),
    Case("numeric(3)", ["999", "1.0"], refused: ["1000", "1.5"]),
    Case("numeric(2,-2)", ["9900", "100"], refused: ["10000", "150"]),
    Case("numeric(2,4)", ["0.0099", "0.001"], refused: ["0.01", "1", "0.00001"]),
    Case("real", ["1.5", "3.4e38", "-1e-45", "0.0"], refused: ["3.5e38", "1e-60", "NaN", "x"]),
    Case("double precision", ["1.7e308", "0.1"], refused: ["1.8e308", "Infinity"]),
    Case("text", ["", "anything é"], refused: []),
    Case("character varying(3)", ["abc", "äöü", "", "a  "], refused: ["abcd", "abc ", "äöüa"]),
    Case("character varying", ["anything"], refused: []),
    Case("character(2)", ["ab", "é€", "a"], refused: ["abc"]),
    Case(
      "uuid",
      [
        "123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000",
        "123e4567e89b12d3a456426614174000", "123E4567E89B12D3A456426614174000",
      ],
      refused: [
        "", "{123e4567-e89b-12d3-a456-426614174000}", "123e4567e89b12d3a45642661417400g",
        "123e4567-e89b-12d3-a456-42661417400g", "123e4567-e89b-12d3-a456_426614174000",
        "123e4567-e89b12d3-a456-4266141740", "123e4567e89b12d3a4564266141740000000",
      ]),
    Case(
      "date", ["2026-06-30", "2024-02-29", "2000-02-29", "0001-01-01", "infinity", "-infinity"],
      refused: [
        "2026-06-31", "2023-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "2026-01-00",
        "0000-01-01", "30.06.2026", "2026-6-3", "2026-06-30T", "", "today", "20260630",
      ]),
    Case(
      "time without time zone", ["12:30", "00:00:00", "23:59:59.123456", "12:30:00.1230000"],
      refused: ["24:00:00", "12:60", "12:00:60", "12:00:00.1234567", "12:00:00.", "12:00Z", "1:0"]),
    Case(
      "time(3) without time zone", ["12:30:00.123", "12:30:00.1230"], refused: ["12:30:00.1234"]),
    Case("time with time zone", ["12:30Z", "12:30:00-05:30"], refused: ["12:30", "12:30:00"]),
    Case(
      "timestamp without time zone", ["2026-06-30T12:30", "2026-06-30 12:30:00.5", "2026-06-30"],
      refused: ["2026-06-30T12:30Z", "2026-02-30 12:00", "2026-06-30  12:30", "now", "2026-06-3"]),
    Case(
      "timestamp(0) with time zone",
      [
        "2026-06-30T12:30:00Z", "2026-06-30 12:30:00+02", "2026-06-30 12:30:00.000-0330",
        "1890-01-01 00:00:00+00:53:28", "infinity",
      ],
      refused: [
        "2026-06-30T12:30:00", "2026-06-30", "2026-06-30T12:30:00.5Z", "2026-06-30T12:30:00z",
        "2026-06-30T12:30:00+16", "2026-06-30T12:30:00+02:60", "2026-06-30T12:30:00 UTC",
      ]),
    Case(
      "json",
      [
        "{}", "[]", " [1, -2.5e+3, 0, true, false, null] ", #"{"a": {"b": [{}]}, "a": "\u00e9\n"}"#,
        #""\ud800\u0000""#, "\"é\"",
      ],
      refused: [
        "", "{", "[1,]", "{a: 1}", "{\"a\"}", "{\"a\": 1,}", "01", "1.", "+1", "'a'", "\"a\nb\"",
        "[1] 2", "nul", "[1}", "{\"a\": 1]", #""\x""#, #""\u12g4""#, "NaN", "\"a",
      ]),
    Case(
      "jsonb", [#""\ud83d\ude00""#],
      refused: [#""\u0000""#, #""\ud800""#, #""\ude00""#, #""\ud83dx""#]),
    Case("integer[]", ["{1,2}", "not looked at"], refused: []),
    Case("interval", ["1 day"], refused: []),
  ]

  @Test(arguments: cases) func `a field fits its type or not`(_ test: Case) throws {
    let decoder = try Self.decoder(test.type)
    for field in test.accepted { #expect(Self.read(field, decoder) != nil, "\(field)") }
    for field in test.refused { #expect(Self.read(field, decoder) == nil, "\(field)") }
  }

  @Test func `integers and booleans become numbers, all else stays as it is`() throws {
    func value(_ field: String, _ type: String) throws -> Value? {
      Self.read(field, try Self.decoder(type))
    }
    #expect(try value("-7", "smallint") == .integer(-7))
    #expect(try value("t", "boolean") == .integer(1))
    #expect(try value("false", "boolean") == .integer(0))
    #expect(try value("1.5", "double precision") == .real(1.5))
    for (field, type) in [
      ("1.50", "numeric(5,2)"), ("0.1", "real"), ("2026-06-30", "date"), ("{ }", "jsonb"),
    ] {
      #expect(try value(field, type) == .text(field))
    }
  }

  @Test func `an enum has its labels, also under a domain`() throws {
    let column = Self.column("mood", labels: ["sad", "ok", "it's"])
    let decoder = try FieldDecoder(postgres: column, blob: nil)
    #expect(Self.read("it's", decoder) == .text("it's"))
    #expect(Self.read("glad", decoder) == nil)
    #expect(Self.read("", decoder) == nil)
    #expect(decoder.expectation == "one of the values of mood: 'sad', 'ok', 'it's'.")
  }

  @Test func `a domain is read as what it is made of`() throws {
    let number = Self.column("app.percent", baseType: "numeric(5,2)")
    let decoder = try FieldDecoder(postgres: number, blob: nil)
    #expect(Self.read("1.001", decoder) == nil)
    let bytes = Self.column("app.percent", baseType: "bytea")
    #expect(try FieldDecoder(postgres: bytes, blob: .hex) == .hex)
  }

  @Test func `bytes need their encoding, and nothing else has one`() throws {
    #expect(try FieldDecoder(postgres: Self.column("bytea"), blob: .base64) == .base64)
    let missing = #expect(throws: SeedbedError.self) {
      try FieldDecoder(postgres: Self.column("bytea"), blob: nil)
    }
    #expect(missing?.message.contains("State in catalog.json") == true)
    let other = #expect(throws: SeedbedError.self) {
      try FieldDecoder(postgres: Self.column("text"), blob: .hex)
    }
    #expect(other?.message.contains("which is text on PostgreSQL") == true)
  }

  @Test(arguments: [
    ("text", true), ("character varying(20)", true), ("character varying", true),
    ("character(3)", true), ("bpchar", true), ("citext", true), ("public.citext", true),
    ("text[]", false), ("\"char\"", false), ("uuid", false), ("jsonb", false), ("bytea", false),
    ("integer", false), ("name", false),
  ])
  func `a column is of text`(_ type: String, _ isText: Bool) {
    let table = TableSchema(
      name: "t", sql: "t", isWithoutRowid: false, isStrict: false, columns: [], indexes: [],
      foreignKeys: [])
    #expect(PostgresDialect.shared.isText(Self.column(type), in: table) == isText)
    let domain = Self.column("word", baseType: type)
    #expect(PostgresDialect.shared.isText(domain, in: table) == isText)
  }

  static func decoder(_ type: String) throws -> FieldDecoder {
    try FieldDecoder(postgres: column(type), blob: nil)
  }

  private static func column(
    _ type: String, baseType: String? = nil, labels: [String] = []
  ) -> ColumnSchema {
    ColumnSchema(
      name: "c", declaredType: type, isNotNull: false, defaultSQL: nil, primaryKeyPosition: 0,
      generated: .no, collation: "", baseType: baseType, labels: labels)
  }

  static func read(_ text: String, _ decoder: FieldDecoder) -> Value? {
    var bytes = Array(text.utf8) + [0]
    var cell = Cell(bits: 0, length: UInt32(bytes.count - 1), kind: .text)
    let misfit = bytes.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map {
        decoder.decode(&cell, stride: 1, count: 1, in: $0, empty: .refused)
      } ?? 0
    }
    guard misfit == nil else { return nil }
    switch cell.kind {
    case .integer: return .integer(Int64(bitPattern: cell.bits))
    case .real: return .real(Double(bitPattern: cell.bits))
    case .text: return .text(text)
    default: return nil
    }
  }
}
