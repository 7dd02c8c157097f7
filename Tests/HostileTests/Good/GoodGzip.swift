import TestSupport

extension GoodCase {
  private static let text = "id,name\n1,one\n2,two\n"

  private static func good(_ name: String, _ bytes: [UInt8]) -> GoodCase {
    GoodCase(
      name, Bundle(file: "items.csv.gz", bytes), "SELECT id, name FROM items WHERE id < 10",
      "1|one / 2|two")
  }

  private static func member(_ name: String, _ change: (inout Gzip) -> Void) -> GoodCase {
    var gzip = Gzip(text)
    change(&gzip)
    return good(name, gzip.bytes)
  }

  static let gzip: [GoodCase] =
    (0...9).map { good("gzip at level \($0)", Gzip(Array(text.utf8), level: $0).bytes) } + [
      member("a name") { ($0.flags, $0.optional) = (Gzip.name, Array("items.csv\0".utf8)) },
      member("an empty name") { ($0.flags, $0.optional) = (Gzip.name, [0]) },
      member("a name of 5000 letters") {
        ($0.flags, $0.optional) = (Gzip.name, [UInt8](repeating: 0x78, count: 5000) + [0])
      },
      member("a comment") { ($0.flags, $0.optional) = (Gzip.comment, Array("none\0".utf8)) },
      member("an extra field") { ($0.flags, $0.optional) = (Gzip.extra, [2, 0, 1, 2]) },
      member("an empty extra field") { ($0.flags, $0.optional) = (Gzip.extra, [0, 0]) },
      member("an extra field of 65535 bytes") {
        $0.flags = Gzip.extra
        $0.optional = [0xFF, 0xFF] + [UInt8](repeating: 7, count: 65535)
      },
      member("a header CRC") { $0.addHeaderCRC() },
      member("the text flag") { $0.flags = 1 }, member("a time") { $0.time = [1, 2, 3, 4] },
      good(
        "members cut in a record",
        Gzip("id,na").bytes + Gzip("me\n1,one\n2,t").bytes
          + Gzip("wo\n").bytes),
      good("a member for each byte", text.utf8.flatMap { Gzip([$0]).bytes }),
      good("empty members all around", Gzip("").bytes + Gzip(text).bytes + Gzip("").bytes),
      good(
        "two hundred empty members", (0..<200).flatMap { _ in Gzip("").bytes } + Gzip(text).bytes),
      good(
        "a rich member and a plain one",
        Gzip("id,name\n").bytes
          + {
            var rich = Gzip("1,one\n2,two\n")
            rich.flags = Gzip.extra | Gzip.name | Gzip.comment
            rich.optional = [1, 0, 9] + Array("a\0b\0".utf8)
            rich.addHeaderCRC()
            return rich.bytes
          }()),
    ]
}
