import TestSupport
import Testing

/// One `.gz` file, sound or broken, and what comes of it.
struct GzipCase: Sendable, CustomTestStringConvertible {
  var name: String
  var bytes: [UInt8]
  var expected: [String]

  var testDescription: String { name }

  static let text = "a,b\n1,one\n2,two\n3,three\n"
  private static let rows = ["'1' 'one'", "'2' 'two'", "'3' 'three'"]

  static func sound(
    _ name: String, _ bytes: [UInt8], _ expected: [String] = rows
  ) -> GzipCase {
    GzipCase(name: name, bytes: bytes, expected: expected)
  }

  static func broken(_ name: String, _ bytes: [UInt8], _ words: String) -> GzipCase {
    GzipCase(name: name, bytes: bytes, expected: ["gzip t.csv.gz: \(words)"])
  }

  /// A member of the text, changed.
  private static func member(
    _ text: String = text, _ change: (inout Gzip) -> Void = { _ in }
  ) -> [UInt8] {
    var gzip = Gzip(text)
    change(&gzip)
    return gzip.bytes
  }

  // MARK: sound

  static let sound: [GzipCase] = [
    .sound("one member", member()),
    .sound("stored, not compressed", Gzip(Array(text.utf8), level: 0).bytes),
    .sound(
      "with a name",
      member {
        $0.flags = Gzip.name; $0.optional = Array("t.csv\0".utf8)
      }),
    .sound(
      "with a comment",
      member {
        $0.flags = Gzip.comment; $0.optional = Array("hi\0".utf8)
      }),
    .sound(
      "with an extra field",
      member {
        $0.flags = Gzip.extra; $0.optional = [3, 0, 1, 2, 3]
      }),
    .sound(
      "with an empty extra field",
      member {
        $0.flags = Gzip.extra; $0.optional = [0, 0]
      }),
    .sound("with a header CRC", member { $0.addHeaderCRC() }),
    .sound(
      "with all of them",
      member {
        $0.flags = Gzip.extra | Gzip.name | Gzip.comment
        $0.optional = [1, 0, 9] + Array("t.csv\0hi\0".utf8)
        $0.addHeaderCRC()
      }),
    .sound(
      "with the text flag and a time",
      member {
        $0.flags = 1; $0.time = [1, 2, 3, 4]
      }),
    .sound("two members", member("a,b\n1,one\n2,t") + member("wo\n3,three\n")),
    .sound("a member for each byte", text.utf8.flatMap { Gzip([$0]).bytes }),
    .sound(
      "empty members before, between and after",
      member("") + member("") + member("a,b\n1,one\n")
        + member("") + member("2,two\n3,three\n") + member("") + member("")),
    .sound(
      "a second member with a name",
      member("a,b\n1,one\n")
        + member("2,two\n3,three\n") {
          $0.flags = Gzip.name
          $0.optional = Array("x\0".utf8)
        }),
    .sound("only a header", member("a,b\n"), []),
    .sound("content that is empty", member(""), ["csv t.csv.gz:1:1: \(StreamWords.empty)"]),
    .sound(
      "a CSV error in sound gzip", member("a,b\n1\n"),
      ["csv t.csv.gz:2:2: \(StreamWords.fields("1 field", 2))"]),
  ]

  // MARK: broken

  static let broken = truncated + checks + headers + data + trailing + notGzip

  private static func truncation(_ name: String, _ bytes: [UInt8], at count: Int) -> GzipCase {
    .broken("truncated \(name)", Array(bytes.prefix(count)), GzipWords.truncated(count))
  }

  private static let truncated: [GzipCase] = {
    let whole = member()
    let rich = member {
      $0.flags = Gzip.extra | Gzip.name | Gzip.comment
      $0.optional = [3, 0, 7, 8, 9] + Array("name\0word\0".utf8)
      $0.addHeaderCRC()
    }
    let dataEnd = whole.count - 8
    return [
      truncation("after one byte", whole, at: 1),
      truncation("after the magic", whole, at: 2),
      truncation("after the method", whole, at: 3),
      truncation("after the flags", whole, at: 4),
      truncation("in the time", whole, at: 6),
      truncation("before the last byte of the header", whole, at: 9),
      truncation("after the header", whole, at: 10),
      truncation("after one byte of data", whole, at: 11),
      truncation("in the middle of the data", whole, at: (10 + dataEnd) / 2),
      truncation("before the last byte of data", whole, at: dataEnd - 1),
      truncation("after the data", whole, at: dataEnd),
      truncation("in the CRC", whole, at: dataEnd + 2),
      truncation("after the CRC", whole, at: dataEnd + 4),
      truncation("in the length", whole, at: dataEnd + 6),
      truncation("before the last byte", whole, at: whole.count - 1),
      truncation("in the length of the extra field", rich, at: 11),
      truncation("in the extra field", rich, at: 13),
      truncation("in the name", rich, at: 17),
      truncation("in the comment", rich, at: 23),
      truncation("in the header CRC", rich, at: 26),
      truncation("in a second member's header", member() + member(""), at: whole.count + 5),
      truncation("after a second member's first byte", member() + member(""), at: whole.count + 1),
      truncation(
        "in a second member's trailer", member() + member("4,four\n"),
        at: whole.count + member("4,four\n").count - 3),
      truncation("in stored data", Gzip(Array(text.utf8), level: 0).bytes, at: 20),
    ]
  }()

  private static let checks: [GzipCase] = [
    .broken("a CRC that is wrong in its first byte", member { $0.crc[0] ^= 1 }, GzipWords.crc),
    .broken("a CRC that is wrong in its last byte", member { $0.crc[3] ^= 0x80 }, GzipWords.crc),
    .broken("a CRC of zero", member { $0.crc = [0, 0, 0, 0] }, GzipWords.crc),
    .broken("a length that is too small", member { $0.length[0] -= 1 }, GzipWords.length),
    .broken("a length that is too large", member { $0.length[3] = 1 }, GzipWords.length),
    .broken("a length of zero", member { $0.length = [0, 0, 0, 0] }, GzipWords.length),
    .broken(
      "CRC and length exchanged", member { ($0.crc, $0.length) = ($0.length, $0.crc) },
      GzipWords.crc),
    .broken(
      "a second member's CRC", member() + member("4,four\n") { $0.crc[1] ^= 1 },
      GzipWords.crc),
    .broken("an empty member's CRC", member() + member("") { $0.crc[0] = 1 }, GzipWords.crc),
    .broken(
      "an empty member's length", member("") { $0.length[0] = 1 } + member(),
      GzipWords.length),
    // The content says nonsense, but the damage is the cause.
    .broken("a changed letter", flipped(20, to: UInt8(ascii: "x")), GzipWords.crc),
    .broken(
      "a changed letter that looks like a quote", flipped(20, to: UInt8(ascii: "\"")),
      GzipWords.crc),
    .broken("a changed letter in the header's line", flipped(15, to: 0), GzipWords.crc),
    .broken("a changed letter that is no UTF-8", flipped(21, to: 0xFF), GzipWords.crc),
  ]

  /// Stored data with one byte changed.
  private static func flipped(_ index: Int, to byte: UInt8) -> [UInt8] {
    var bytes = Gzip(Array(text.utf8), level: 0).bytes
    bytes[index] = byte
    return bytes
  }

  private static let headers: [GzipCase] = [
    .broken(
      "another method", member { $0.method = 7 },
      GzipWords.damaged("unknown compression method")),
    .broken(
      "method zero", member { $0.method = 0 },
      GzipWords.damaged("unknown compression method")),
    .broken(
      "the first reserved flag", member { $0.flags = 0x20 },
      GzipWords.damaged("unknown header flags set")),
    .broken(
      "the second reserved flag", member { $0.flags = 0x40 },
      GzipWords.damaged("unknown header flags set")),
    .broken(
      "the third reserved flag", member { $0.flags = 0x80 },
      GzipWords.damaged("unknown header flags set")),
    .broken(
      "a wrong header CRC", member { $0.addHeaderCRC(wrongBy: 1) },
      GzipWords.damaged("header crc mismatch")),
    .broken(
      "another method in a second member", member() + member("") { $0.method = 9 },
      GzipWords.damaged("unknown compression method")),
    .broken(
      "an extra field that swallows the data",
      member {
        $0.flags = Gzip.extra
        $0.optional = [0xFF, 0xFF]
      }, GzipWords.truncated(member().count + 2)),
    .broken(
      "a name without an end",
      member {
        $0.flags = Gzip.name
        $0.optional = Array("name".utf8)
        $0.data = [1, 2, 3]
        $0.crc = [1, 1, 1, 1]
        $0.length = [1, 1, 1, 1]
      }, GzipWords.truncated(25)),
  ]

  private static let data: [GzipCase] = [
    .broken(
      "a block of no type", member { $0.data[0] |= 0b110 },
      GzipWords.damaged("invalid block type")),
    .broken(
      "stored lengths that differ",
      Gzip(Array(text.utf8), level: 0).bytes.enumerated().map {
        $0.offset == 13 ? $0.element ^ 1 : $0.element
      }, GzipWords.damaged("invalid stored block lengths")),
    .broken(
      "a distance too far back", member { $0.data = [0x4B, 0x04, 0x62, 0x00] },
      GzipWords.damaged("invalid distance too far back")),
    .broken(
      "codes that are not complete", member { $0.data = [0x05, 0xE0, 0x81, 0x91, 0x24, 0xCB] },
      GzipWords.damaged("invalid code lengths set")),
    .broken(
      "random bytes for data", member { $0.data = [0xFF, 0xFE, 0xFD, 0xFC] },
      GzipWords.damaged("invalid block type")),
  ]

  private static let trailing: [GzipCase] = [
    .broken("one zero behind the end", member() + [0], GzipWords.padding),
    .broken(
      "zeros to the end of a block", member() + [UInt8](repeating: 0, count: 512),
      GzipWords.padding),
    .broken("a newline behind the end", member() + [0x0A], GzipWords.garbage),
    .broken("text behind the end", member() + Array("4,four\n".utf8), GzipWords.garbage),
    .broken(
      "a first magic byte and other text behind the end", member() + [0x1F, 0x20, 0x41],
      GzipWords.garbage),
    .broken(
      "a member and garbage between two members", member() + [1] + member(""),
      GzipWords.garbage),
    .broken("padding between two members", member() + [0, 0] + member(""), GzipWords.padding),
    .broken(
      "a zip archive behind the end", member() + Array("PK".utf8) + [3, 4],
      GzipWords.garbage),
  ]

  private static let notGzip: [GzipCase] = [
    .broken("plain text named .gz", Array(text.utf8), GzipWords.notGzip),
    .broken("plain text that begins like gzip", [0x1F] + Array("a,b\n".utf8), GzipWords.notGzip),
    .broken("a zip archive", Array("PK".utf8) + [3, 4, 20, 0], GzipWords.notGzip),
    .broken("bzip2", Array("BZh91AY&SY".utf8), GzipWords.notGzip),
    .broken("zstandard", [0x28, 0xB5, 0x2F, 0xFD, 0], GzipWords.notGzip),
    .broken("zlib without gzip", [0x78, 0x9C, 0x4B, 0xD4, 0x49, 0x02, 0x00], GzipWords.notGzip),
    .broken("a newline before the member", [0x0A] + member(), GzipWords.notGzip),
    .broken("zeros", [0, 0, 0, 0, 0, 0, 0, 0], GzipWords.notGzip),
    .broken(
      "the magic the wrong way round", member { $0.magic = [0x8B, 0x1F] }, GzipWords.notGzip),
    .broken("an empty file", [], GzipWords.empty),
    .broken("gzip in gzip", Gzip(member()).bytes, GzipWords.twice),
  ]
}

/// The whole text of each gzip error.
enum GzipWords {
  static let crc =
    "The CRC-32 of the gzip data does not match its content: the file is damaged. "
    + again
  static let length =
    "The length that the gzip data states does not match its content: the file is damaged. "
    + again
  static let padding =
    "Zero bytes follow the end of the gzip data. Compress the file again; tools that pad to a "
    + "block size do this."
  static let garbage =
    "Other bytes follow the end of the gzip data. \(again)"
  static let notGzip =
    "The name ends in .gz, but the content is not gzip. Compress it with gzip, or remove .gz from "
    + "its name."
  static let empty = "The file is empty, so it is not gzip data. Copy the whole file again."
  static let twice =
    "The gzip data holds gzip data: it was compressed twice. Decompress it once."

  static func damaged(_ how: String) -> String {
    "The gzip data is damaged (\(how)). \(again)"
  }

  private static let again =
    "Put the file back as it was released, or compress the same rows again."

  static func truncated(_ count: Int) -> String {
    "The gzip data is truncated: it ends after \(count) bytes, before its end mark. Copy the whole "
      + "file again."
  }
}
