import TestSupport

#if os(Linux)
  import CSeedbedSQLite
  import CSeedbedZlib
  import Foundation
  import Testing

  /// Files of a MiB that hold up to a GiB, and real processes that meet them.
  @Suite(.serialized) struct BombTests {
    struct Bomb: Sendable, CustomTestStringConvertible {
      var name: String
      /// What stands first, and what follows.
      var first: String
      var filling: String
      /// What it is decompressed; an eighth of a GiB costs the tests less time.
      var size = 128 << 20
      /// What the command says of it.
      var words: String
      /// Found only when its rows are in a temporary table.
      var isStaged = false

      /// SQLite keeps temporary tables in memory, whatever it is told, if it was compiled so.
      var mostKiB: Int {
        isStaged && sqlite3_compileoption_used("TEMP_STORE=3") != 0
          ? size / 1024 * 5 / 4 : BombTests.mostKiB
      }

      var testDescription: String { name }
    }

    /// A sanitizer keeps notes of each byte and what was freed, which is more than the program
    /// takes: then only the refusals count.
    static let mostKiB =
      ProcessInfo.processInfo.environment["SEEDBED_SANITIZER"] == nil ? 128 << 10 : Int.max

    static let bombs = [
      Bomb(
        name: "one quoted field", first: "id,name\n1,\"", filling: "x", size: 1 << 30,
        words: "longer than 16 MiB"),
      Bomb(
        name: "one field of quotes", first: "id,name\n1,\"", filling: "\"\"",
        words: "longer than 16 MiB"),
      Bomb(name: "a header of one name", first: "id,", filling: "x", words: "longer than 16 MiB"),
      Bomb(
        name: "a record of commas", first: "id,name\n1", filling: ",",
        words: "more than 4000 fields"),
      Bomb(name: "blank lines", first: "id,name\n", filling: "\n", words: "a blank line"),
      Bomb(
        name: "rows of a MiB", first: "id,name\n",
        filling: "1," + String(repeating: "x", count: 1 << 20) + "\n",
        // All of it is read: more than it may take in memory, and at night the whole GiB.
        size: Seeds.areMany ? 1 << 30 : 256 << 20, words: "appears twice", isStaged: true),
    ]

    @Test(arguments: bombs)
    func `a small file of very much is refused in little memory`(_ bomb: Bomb) throws {
      let place = try Place(in: Place.memory)
      var bundle = Bundle()
      bundle.files["0001_case/items.csv.gz"] = Self.gzip(bomb)
      try place.write(bundle)
      try Victim.place(in: place)
      let dump = try Database(place.database).dump()

      let outcome = try Command.up(in: place)
      let content = bomb.size >> 20
      print("\(bomb.name), \(content) MiB: refused with \(outcome.peakKiB >> 10) MiB of memory")
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains(bomb.words), "\(outcome.errors)")
      #expect(outcome.peakKiB > 0 && outcome.peakKiB <= bomb.mostKiB, "\(outcome.peakKiB) KiB")
      #expect(try Database(place.database).dump() == dump)
    }

    /// A lock promises a size, and nothing beyond it is even read.
    @Test func `a GiB behind a lock of a few bytes is refused at once`() throws {
      let place = try Place(in: Place.memory)
      let bomb = Self.gzip(
        Bomb(name: "", first: "id,name\n", filling: "1,x\n", size: 1 << 30, words: ""))
      // Of the same size on the disk, which is looked at before the content.
      let small = Gzip("id,name\n1,one\n").bytes
      let bundle = Bundle(file: "items.csv.gz", small + Self.padding(bomb.count - small.count))
      try place.write(bundle.then("0001_case/items.csv.gz") { _ in bomb })
      try Victim.place(in: place)
      let outcome = try Command.up(in: place)
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("seedbed.lock says 14 bytes"), "\(outcome.errors)")
      #expect(outcome.peakKiB > 0 && outcome.peakKiB <= Self.mostKiB, "\(outcome.peakKiB) KiB")
    }

    /// Members of nothing, in so many bytes.
    private static func padding(_ count: Int) -> [UInt8] {
      var bytes: [UInt8] = []
      while bytes.count < count {
        var member = Gzip("")
        let rest = count - bytes.count - member.bytes.count - 2
        let extra = rest > 60_000 ? 50_000 : rest
        member.flags = Gzip.extra
        member.optional = [UInt8(extra & 0xFF), UInt8(extra >> 8)]
        member.optional += [UInt8](repeating: 0, count: extra)
        bytes += member.bytes
      }
      return bytes
    }

    /// Members of 4 MiB each, so that compressing a GiB costs the time of a few.
    static func gzip(_ bomb: Bomb) -> [UInt8] {
      let filling = Array(bomb.filling.utf8)
      let count = max(1, (4 << 20) / filling.count)
      let block =
        filling.count == 1
        ? [UInt8](repeating: filling[0], count: count)
        : [[UInt8]](repeating: filling, count: count).flatMap { $0 }
      let member = Gzip(block).bytes
      var bytes = Gzip(bomb.first).bytes
      for _ in 0..<(bomb.size / block.count) { bytes += member }
      return bytes
    }
  }

  /// The built `migrate`, as a real process whose memory is measured.
  enum Command {
    struct Outcome {
      var code: Int32
      var errors: String
      /// The most memory that it ever held.
      var peakKiB: Int
    }

    /// Runs what it is given, and then prints the kernel's word for the most memory that it held.
    private static let measuring = """
      import resource, subprocess, sys
      code = subprocess.call(sys.argv[1:])
      print("", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
      sys.exit(code)
      """

    static func up(in place: Place) throws -> Outcome {
      let (code, output) = try Child.run([
        "python3", "-c", measuring, Child.migrate, "up", "--no-backup", "--migrations",
        place.catalog, "--database", place.database,
      ])
      let words = output.split(whereSeparator: \.isWhitespace)
      return Outcome(code: code, errors: output, peakKiB: words.last.flatMap { Int($0) } ?? 0)
    }
  }
#endif
