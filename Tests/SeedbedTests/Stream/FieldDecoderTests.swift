@testable import SeedbedCells
import Testing

@testable import Seedbed

@Suite struct FieldDecoderTests {
  struct TypeCase: CustomTestStringConvertible {
    var type: String
    var decoder: FieldDecoder
    var isStrict = false
    var blob: BlobEncoding?
    var testDescription: String {
      let parts = [type.isEmpty ? "no type" : type, isStrict ? "STRICT" : "", blob?.rawValue ?? ""]
      return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  static let types: [TypeCase] = [
    TypeCase(type: "INTEGER", decoder: .integer),
    TypeCase(type: "int", decoder: .integer),
    TypeCase(type: "UNSIGNED BIG INT", decoder: .integer),
    TypeCase(type: "CHARINT", decoder: .integer),
    // SQLite's rules read the letters, not the meaning.
    TypeCase(type: "FLOATING POINT", decoder: .integer),
    TypeCase(type: "TEXT", decoder: .verbatim),
    TypeCase(type: "VARCHAR(255)", decoder: .verbatim),
    TypeCase(type: "NCHAR(55)", decoder: .verbatim),
    TypeCase(type: "CLOB", decoder: .verbatim),
    TypeCase(type: "", decoder: .verbatim),
    TypeCase(type: "ANY", decoder: .verbatim, isStrict: true),
    TypeCase(type: "any", decoder: .verbatim, isStrict: true),
    TypeCase(type: "ANY", decoder: .numberOrText),
    TypeCase(type: "REAL", decoder: .real),
    TypeCase(type: "DOUBLE PRECISION", decoder: .real),
    TypeCase(type: "FLOAT", decoder: .real),
    TypeCase(type: "BOOLEAN", decoder: .boolean),
    TypeCase(type: "bool", decoder: .boolean),
    TypeCase(type: "BOOLINT", decoder: .boolean),
    TypeCase(type: "NUMERIC", decoder: .number),
    TypeCase(type: "DECIMAL(10,5)", decoder: .number),
    TypeCase(type: "NUMBER", decoder: .number),
    TypeCase(type: "DATE", decoder: .numberOrText),
    TypeCase(type: "DATETIME", decoder: .numberOrText),
    TypeCase(type: "TIMESTAMP", decoder: .numberOrText),
    TypeCase(type: "STRING", decoder: .numberOrText),
    TypeCase(type: "BLOB", decoder: .base64, blob: .base64),
    TypeCase(type: "BLOB", decoder: .hex, blob: .hex),
    TypeCase(type: "BLOB", decoder: .hex, isStrict: true, blob: .hex),
    TypeCase(type: "", decoder: .base64, blob: .base64),
    TypeCase(type: "ANY", decoder: .hex, isStrict: true, blob: .hex),
    TypeCase(type: "TEXT", decoder: .base64, blob: .base64),
  ]

  @Test(arguments: types) func `a declared type is read as`(_ test: TypeCase) throws {
    let found = try FieldDecoder(
      column: column(test.type), isStrict: test.isStrict, blob: test.blob)
    #expect(found == test.decoder)
  }

  @Test(arguments: ["BLOB", "blob", "LONGBLOB"]) func `a BLOB needs its encoding`(
    _ type: String
  ) throws {
    let error = #expect(throws: SeedbedError.self) {
      try FieldDecoder(column: column(type), isStrict: false, blob: nil)
    }
    #expect(
      error.map(RowText.words)
        == "catalog The column 'c' is a BLOB. State in catalog.json how its bytes are written: "
        + "\"blobs\": { \"c\": \"base64\" } or \"hex\".")
  }

  private func column(_ type: String) -> ColumnSchema {
    ColumnSchema(
      name: "c", declaredType: type, isNotNull: false, defaultSQL: nil, primaryKeyPosition: 0,
      generated: .no, collation: "BINARY")
  }

  /// A field and what becomes of it; nil where it is refused.
  struct FieldCase: CustomTestStringConvertible {
    var decoder: FieldDecoder
    var field: String
    var value: String?
    var testDescription: String { "\(decoder) '\(field.prefix(40))'" }
  }

  @Test(arguments: integers + reals + booleans + numbers + numbersOrTexts + blobs)
  func `a field becomes`(_ test: FieldCase) {
    let chunk = Chunk(capacity: max(1, test.field.utf8.count))
    for (index, byte) in test.field.utf8.enumerated() { chunk.bytes[index] = byte }
    let cell = chunk.roomForCells(1)
    let count = test.field.utf8.count
    cell.initialize(to: Cell(bits: 0, length: UInt32(count), kind: .text))
    let misfit = test.decoder.decode(
      cell, stride: 1, count: 1, in: chunk.bytes, empty: .null)
    #expect((misfit == nil ? RowText.text(cell.pointee, in: chunk) : nil) == test.value)
    if misfit != nil {
      #expect(chunk.text(cell.pointee) == test.field, "a refused field is as it was")
    }
  }

  private static func table(
    _ decoder: FieldDecoder, _ accepted: KeyValuePairs<String, String>, refused: [String]
  ) -> [FieldCase] {
    accepted.map { FieldCase(decoder: decoder, field: $0.key, value: $0.value) }
      + refused.map { FieldCase(decoder: decoder, field: $0, value: nil) }
  }

  static let integers = table(
    .integer,
    [
      "0": "0", "-0": "0", "7": "7", "-7": "-7", "10": "10", "1000000": "1000000",
      "999999999999999999": "999999999999999999", "-999999999999999999": "-999999999999999999",
      "1000000000000000000": "1000000000000000000", "9223372036854775807": "9223372036854775807",
      "-9223372036854775807": "-9223372036854775807",
      "-9223372036854775808": "-9223372036854775808",
    ],
    refused: [
      "", "-", "+1", "01", "00", "-01", "-00", "007", "1.0", "1e3", "1_000", "1,000", " 1", "1 ",
      "0x10", "1-", "--1", "9223372036854775808", "-9223372036854775809", "9999999999999999999",
      "18446744073709551616", "99999999999999999999", "100000000000000000000", "１", "inf", "NULL",
      "1\u{0}", "12345678901234567a",
    ])

  static let reals = table(
    .real,
    [
      "0": "0.0", "-0": "-0.0", "1": "1.0", "-1.5": "-1.5", "0.1": "0.1", "1e3": "1000.0",
      "1E3": "1000.0", "1e+3": "1000.0", "1e-3": "0.001", "1.25e2": "125.0", ".5": "0.5",
      "5.": "5.0", "-.5": "-0.5", "5.e1": "50.0", "007.5": "7.5", "0e999": "0.0",
      "0.000e-999": "0.0", "9007199254740993": "9007199254740992.0",
      "9223372036854775807": "9.223372036854776e+18", "0.30000000000000004": "0.30000000000000004",
      "1.7976931348623157e308": "1.7976931348623157e+308",
      "2.2250738585072014e-308": "2.2250738585072014e-308", "5e-324": "5e-324",
      "4.9406564584124654e-324": "5e-324", "2.5e-324": "5e-324",
      "1e00000000000000000000003": "1000.0",
      "123456789012345678901234567890": "1.2345678901234568e+29",
      "8.43920e-3": "0.0084392",
    ],
    refused: [
      "", "-", ".", "-.", "e5", ".e5", "1e", "1e+", "1e-", "1.2.3", "1e5.5", "+1", " 1", "1 ",
      "1,5", "inf", "-inf", "Infinity", "nan", "NaN", "0x1p3", "1f", "1d", "--1", "1e400", "-1e400",
      "1.8e308", "1e-400", "-1e-400", "2e-324", "1e99999999999999999999", "1e-99999999999999999999",
    ])

  static let booleans = table(
    .boolean, ["0": "0", "1": "1"],
    refused: ["", "2", "-1", "-0", "00", "01", "1.0", "true", "false", "yes", "t", "10", " 1"])

  static let numbers = table(
    .number,
    [
      "0": "0", "-0": "0", "5": "5", "-12": "-12", "9223372036854775807": "9223372036854775807",
      "1.5": "1.5", "1.50": "1.5", "2.00": "2.0", "0.001": "0.001", "1e3": "1000.0",
      "1.5e-3": "0.0015", ".5": "0.5", "5.": "5.0", "123456789.123456": "123456789.123456",
      "0.1234567890123456": "0.1234567890123456", "10000000000000000000": "1e+19", "-0.5": "-0.5",
      "0.0": "0.0",
    ],
    refused: [
      "", "abc", "007", "00", "-01.5", "00.5", "+5", " 5", "5 ", "1,5", "0x10",
      "12345678901234567890",
      "0.12345678901234567890", "1.00000000000000000001", "1e400", "1e-400", "4.9e-324", "nan",
      "1.2.3", "2026-11-20",
    ])

  static let numbersOrTexts = table(
    .numberOrText,
    [
      "": "''", "0": "0", "5": "5", "-12": "-12", "9223372036854775807": "9223372036854775807",
      "-9223372036854775808": "-9223372036854775808", "1.5": "1.5", "-0.25": "-0.25",
      "0.1": "0.1", "1e-07": "1e-07", "2026-11-20": "'2026-11-20'",
      "2026-11-20T08:12:44Z": "'2026-11-20T08:12:44Z'", "08:12": "'08:12'", "abc": "'abc'",
      "1.2.3": "'1.2.3'", "-": "'-'", ".": "'.'", "1e": "'1e'", "0x10": "'0x10'", "+-5": "'+-5'",
      "--5": "'--5'", "- 5": "'- 5'", "5 6": "'5 6'", "inf": "'inf'", "nan": "'nan'", "e5": "'e5'",
      "   ": "'   '", "1_000": "'1_000'", "５": "'５'", "\u{A0}5": "'\u{A0}5'",
    ],
    refused: [
      "-0", "007", "+5", " 5", "5 ", "\t5", "5\n", "\u{B}5\u{C}", "1.0", "1.50", "1.10", ".5", "5.",
      "1e5", "1E-7", "1e-7", "00.5", "-01", "9223372036854775808", "12345678901234567890",
      "0.12345678901234567890", "1e400", "1e-400", " +.5e1 ", "1e+20",
    ])

  static let blobs =
    table(
      .hex, ["": "x''", "00": "x'00'", "0aFF": "x'0aff'", "DEADbeef": "x'deadbeef'"],
      refused: [
        "0", "000", "0g", "x'00'", "0x00", "00 ", " 00", "00 00", "ä0", "00-0", "/0", ":0", "`0",
      ])
    + table(
      .base64,
      [
        "": "x''", "AA==": "x'00'", "AAA=": "x'0000'", "AAAA": "x'000000'", "/+8=": "x'ffef'",
        "SGVsbG8=": "x'48656c6c6f'", "c2VlZGJlZA==": "x'73656564626564'",
        "AAECAwQFBgcICQoLDA0ODw==": "x'000102030405060708090a0b0c0d0e0f'",
      ],
      refused: [
        "A", "AA", "AAA", "A===", "====", "=", "AA=A", "=AAA", "AAAAA", "AB==", "AAB=", "AA==AAAA",
        "AA==\n", "AAA-", "AAA_", "AA A", "AA A=", " AAA", "ä=", "AA==AA==", "AAAA====", "A=A=",
      ])
}
