import TestSupport

extension BadCase {
  static let gzip = truncated + checksums + framing + trailing + data + notGzip + plainNames

  private static let text = "id,name\n1,one\n2,two\n3,three\n"
  private static let whole = Gzip(text).bytes

  private static func bad(_ name: String, _ bytes: [UInt8]) -> BadCase {
    .file("items.csv.gz", name, bytes, "gzip")
  }

  private static func changed(_ name: String, _ change: (inout Gzip) -> Void) -> BadCase {
    var gzip = Gzip(text)
    change(&gzip)
    return bad(name, gzip.bytes)
  }

  /// A member with everything that a header can have, and a second one.
  static let richest: [UInt8] = {
    var first = Gzip("id,name\n1,one\n")
    first.flags = Gzip.extra | Gzip.name | Gzip.comment
    first.optional = [4, 0, 7, 8, 9, 10] + Array("items.csv\0no comment\0".utf8)
    first.addHeaderCRC()
    return first.bytes + Gzip("2,two\n3,three\n").bytes
  }()

  /// Where the first member ends the file is whole, though shorter.
  private static let truncated: [BadCase] = {
    let first = richest.count - Gzip("2,two\n3,three\n").bytes.count
    return (1..<richest.count).filter { $0 != first }.map {
      bad("gzip that ends after \($0) of \(richest.count) bytes", Array(richest.prefix($0)))
    }
  }()

  private static let checksums: [BadCase] =
    (0..<4).map { byte in
      changed("byte \(byte) of the CRC-32 is wrong") { $0.crc[byte] ^= 0x10 }
    }
    + (0..<4).map { byte in
      changed("byte \(byte) of the length is wrong") { $0.length[byte] ^= 0x10 }
    } + [
      changed("the CRC-32 is that of other text") { $0.crc = Gzip("id,name\n").crc },
      changed("CRC-32 and length are exchanged") { ($0.crc, $0.length) = ($0.length, $0.crc) },
      changed("the CRC-32 is big-endian") { $0.crc.reverse() },
      bad(
        "the second member's CRC-32 is the first one's",
        {
          var second = Gzip("4,four\n")
          second.crc = Gzip(text).crc
          return whole + second.bytes
        }()),
      bad(
        "an empty member with a length",
        {
          var empty = Gzip("")
          empty.length = [1, 0, 0, 0]
          return empty.bytes + whole
        }()),
    ]

  private static let framing: [BadCase] =
    [0, 1, 7, 9, 255].map { method in
      changed("compression method \(method)") { $0.method = UInt8(method) }
    }
    + [0x20, 0x40, 0x80, 0xE0].map { flag in
      changed("reserved header flags \(flag)") { $0.flags = UInt8(flag) }
    } + [
      changed("a header CRC that is wrong by one") { $0.addHeaderCRC(wrongBy: 1) },
      changed("a header CRC that is wrong in its upper byte") { $0.addHeaderCRC(wrongBy: 256) },
      changed("a header CRC announced, and none there") { $0.flags = Gzip.headerCRC },
      changed("an extra field longer than the file") {
        $0.flags = Gzip.extra
        $0.optional = [0xFF, 0x7F, 1]
      },
      changed("a name that no zero ends") {
        $0.flags = Gzip.name
        $0.optional = [0x61]
        ($0.data, $0.crc, $0.length) = ([0x62], [0x63, 0x64, 0x65, 0x66], [1, 1, 1, 1])
      },
      bad(
        "a second member with an unknown method",
        {
          var second = Gzip("4,four\n")
          second.method = 3
          return whole + second.bytes
        }()),
      bad(
        "a second member with a reserved flag",
        {
          var second = Gzip("4,four\n")
          second.flags = 0x40
          return whole + second.bytes
        }()),
    ]

  private static let trailing: [BadCase] = [
    bad("one zero byte behind the member", whole + [0]),
    bad("zero bytes up to a tape block", whole + [UInt8](repeating: 0, count: 10240 - whole.count)),
    bad("a line feed behind the member", whole + [10]),
    bad("a carriage return behind the member", whole + [13]),
    bad("CSV text behind the member", whole + Array("4,four\n".utf8)),
    bad("half a magic number behind the member", whole + [0x1F]),
    bad("a magic number alone behind the member", whole + [0x1F, 0x8B]),
    bad("a wrong second magic byte behind the member", whole + [0x1F, 0x8C, 8, 0]),
    bad("bytes between two members", whole + [0x42] + whole),
    bad("zero bytes between two members", whole + [0, 0, 0] + whole),
    bad("a signature behind the member", whole + Array("-----BEGIN PGP SIGNATURE-----".utf8)),
    bad("zero bytes behind two members", whole + Gzip("4,four\n").bytes + [0, 0]),
  ]

  private static let data: [BadCase] = [
    changed("a deflate block of the reserved type") { $0.data[0] |= 6 },
    changed("stored lengths that do not agree") { $0.data = [1, 4, 0, 0, 0] + $0.data },
    changed("a distance beyond the start") { $0.data = [0x4B, 0x04, 0x62, 0x00] },
    changed("code lengths that make no code") { $0.data = [0x05, 0xE0, 0x81, 0x91, 0x24, 0xCB] },
    changed("no deflate data at all") { $0.data = [] },
    changed("deflate data inside a zlib wrapper") { $0.data = [0x78, 0x9C] + $0.data },
    changed("deflate data of other text") { $0.data = Gzip("id,name\n1,two\n").data },
    changed("half of the deflate data") { $0.data.removeLast($0.data.count / 2) },
    changed("a flipped bit in the deflate data") { $0.data[$0.data.count / 2] ^= 0x08 },
    changed("data of 255s") { $0.data = [UInt8](repeating: 0xFF, count: 64) },
    // The damage is the cause, not what the CSV rules say of the garbage that comes of it.
    stored("a quote that damage made", 17, 0x22), stored("a NUL that damage made", 16, 0),
    stored("a byte that is no UTF-8 by damage", 20, 0xFF),
    stored("a line feed that damage made", 24, 10), stored("a comma that damage made", 31, 0x2C),
  ]

  /// A changed byte of data that is stored and not compressed.
  private static func stored(_ name: String, _ index: Int, _ byte: UInt8) -> BadCase {
    var bytes = Gzip(Array(text.utf8), level: 0).bytes
    bytes[index] = byte
    return bad(name, bytes)
  }

  private static let notGzip: [BadCase] = [
    bad("an empty .gz", []), bad("plain CSV called .gz", Array(text.utf8)),
    bad("a line feed before the member", [10] + whole), bad("only zero bytes", [0, 0, 0, 0]),
    bad("a zip archive called .gz", Array("PK\u{3}\u{4}".utf8) + whole),
    bad("bzip2 called .gz", Array("BZh91AY&SY".utf8)),
    bad("xz called .gz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]),
    bad("zstandard called .gz", [0x28, 0xB5, 0x2F, 0xFD]),
    bad("compress called .gz", [0x1F, 0x9D, 0x90, 0x69]),
    bad("pack called .gz", [0x1F, 0x1E, 0, 0]), bad("the magic backwards", [0x8B, 0x1F, 8, 0]),
    bad("gzip in gzip", Gzip(whole).bytes), bad("a database called .gz", Array("SQLite f".utf8)),
    bad("text that begins with the first magic byte", [0x1F] + Array(text.utf8)),
  ]

  /// The other way round: gzip, and a name that does not say so.
  private static let plainNames: [BadCase] = [
    .file("items.csv", "gzip called .csv", whole, "csv 1:1"),
    .file("items.csv.gz", "gzip of nothing", Gzip("").bytes, "csv 1:1"),
    .file("items.csv.gz", "gzip of many nothings", Gzip("").bytes + Gzip("").bytes, "csv 1:1"),
    .file("items.csv.gz", "a short row in sound gzip", Gzip("id,name\n1\n").bytes, "csv 2:2"),
    .file(
      "items.csv.gz", "a record cut by the border of two members",
      Gzip("id,name\n1,o\"").bytes + Gzip("ne\n").bytes, "csv 2:4"),
    .file(
      "items.csv.gz", "a character cut by the border of two members, and not whole",
      Gzip(Array("id,name\n1,".utf8) + [0xC3]).bytes + Gzip("ne\n").bytes, "csv 2:3"),
  ]
}
