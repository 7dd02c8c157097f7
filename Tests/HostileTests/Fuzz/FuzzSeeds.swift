import CSeedbedZlib

@testable import Seedbed
@testable import SeedbedOverTheAir

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The first inputs of each target, which libFuzzer mutates: small, sound, and with all that the
/// formats have.
enum FuzzSeeds {
  /// Writes them below `folder`, one folder for each target, and the catalog of the target
  /// `database`.
  static func write(to folder: String) throws {
    for (target, seeds) in [("csv", csv), ("options", options), ("lock", [lock])] {
      try write(seeds.map { Array($0.utf8) }, to: "\(folder)/seeds/\(target)")
    }
    try write(csv.map { gzipped(Array($0.utf8)) }, to: "\(folder)/seeds/gzip")
    for path in ["Migrations", "Migrations/0001_a", "Migrations/0002_b"] {
      mkdir("\(folder)/\(path)", 0o700)
    }
    for (path, text) in catalog {
      try FuzzInput.write(Array(text.utf8), to: "\(folder)/Migrations/\(path)")
    }
    try write(try databases(folder), to: "\(folder)/seeds/database")
    _ = try FuzzBundle.ship(to: folder)
    try write(try bundles(), to: "\(folder)/seeds/tar")
    try write(try signatures(), to: "\(folder)/seeds/signature")
  }

  /// Whole ones, and the lock and the files of some that the target signs.
  private static func bundles() throws -> [[UInt8]] {
    let lock = Array(FuzzBundle.lock(of: 3).utf8)
    return [
      try FuzzBundle.all(), try FuzzBundle.all(above: 1), try FuzzBundle.all(above: 2),
      try FuzzBundle.all(by: [FuzzBundle.key, FuzzBundle.other]),
      try FuzzBundle.all(by: [FuzzBundle.other]),
      lock + [0] + FuzzBundle.files(above: 0), lock + [0] + FuzzBundle.files(above: 1),
    ]
  }

  private static func signatures() throws -> [[UInt8]] {
    let lock = Array(FuzzBundle.lock(of: 3).utf8)
    let keys = [FuzzBundle.key, FuzzBundle.other]
    return [
      try FuzzBundle.signature(of: lock, by: []).bytes, try FuzzBundle.signature(of: lock).bytes,
      try FuzzBundle.signature(of: lock, by: keys).bytes,
      Array(FuzzBundle.key.publicKey.text.utf8), FuzzBundle.key.pem,
      Array("A key.\r\n".utf8) + FuzzBundle.key.pem,
    ]
  }

  private static func write(_ seeds: [[UInt8]], to folder: String) throws {
    mkdir(Paths.split(folder).folder, 0o700)
    mkdir(folder, 0o700)
    for (index, seed) in seeds.enumerated() {
      try FuzzInput.write(seed, to: "\(folder)/seed-\(index)")
    }
  }

  private static let csv = [
    "id,price,flag,amount,day,data,hex,name\n1,2.5e-3,1,12,2021-05-04,YWJj,00ff,one\n-2,,0,,,,,\n",
    "\u{FEFF}\"a\",\"b\"\"\"\r\n1,\"x\r\ny\"\r\n2,\"\"\"\"\r\n", "a\n\u{E4}\u{20AC}\u{1F331}\n",
    "id,name,was:name,item:items.name\n1,new,old,\"a,b\"\n",
  ]

  private static let options = [
    #"{"verify": "warn", "tables": {"items": {"key": ["id"], "onEdited": "fail", "reserve": 5}}}"#,
    #"""
    {
      "description": "\u00fcmlaut \ud83d\ude00\n", "foreignKeys": "off", "withdrawn": false,
      "tables": {"a": {"blobs": {"x": "hex"}, "ignore": ["y"], "references": {"b": [["c"], ["d"]]},
        "disposable": ["b"], "identity": ["e"], "source": "data/*.csv", "onTaken": "moveUser"}}
    }
    """#,
  ]

  private static let digest = String(repeating: "0123456789abcdef", count: 4)

  private static let lock = """
    seedbed.lock 1
    head 2 sha256:\(digest)
    body 5 crc32:00000000
    catalog.json 2 2 - \(digest)
    0001_a/ sha256:\(digest) sha256:\(digest)
    0001_a/t.csv.gz 60 99 2 \(digest)
    0002_b/ sha256:\(digest) sha256:\(digest) withdrawn
    0002_b/up.sql 5 5 - \(digest)

    """

  private static let catalog = [
    "0001_a/up.sql":
      "CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b REAL);",
    "0001_a/t.csv": "id,a,b\n1,x,1.5\n2,y,\n",
    "0002_b/t.update.csv": "id,a,was:a\n1,z,x\n", "0002_b/t.delete.csv": "id,a\n2,y\n",
  ]

  /// Before the first migration, between the two, and behind both.
  private static func databases(_ folder: String) throws -> [[UInt8]] {
    let path = folder + "/seed.sqlite"
    unlink(path)
    let connection = try Connection(path, .create, setup: nil)
    try connection.executeAll(
      """
      PRAGMA page_size=512;
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b REAL);
      CREATE TABLE notes (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t (id), words TEXT);
      CREATE INDEX by_t ON notes (t);
      CREATE TRIGGER tr AFTER UPDATE ON t BEGIN UPDATE notes SET words = words || '!'; END;
      CREATE VIEW v AS SELECT * FROM t;
      INSERT INTO t VALUES (2, 'x', 0.5), (9, 'mine', NULL);
      INSERT INTO notes VALUES (1, 9, 'a note');
      """)
    var images = [try content(path)]
    for version in [Version(1), 2] {
      var migrator = Migrator(
        catalog: try Catalog(directory: folder + "/Migrations"), at: path)
      migrator.options.takesBackup = false
      _ = try migrator.up(to: version)
      images.append(try content(path))
    }
    return images
  }

  private static func content(_ path: String) throws -> [UInt8] {
    let (folder, name) = Paths.split(path)
    return try Folder(folder, host: .real).open(name).content(limit: 1 << 24)
  }

  private static func gzipped(_ content: [UInt8]) -> [UInt8] {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    // 16 more than the window's bits: with a gzip header and trailer.
    _ = seedbed_deflate_init(stream, 6, 15 + 16)
    defer { deflateEnd(stream) }
    var (input, output) = (content, [UInt8](repeating: 0, count: content.count + 100))
    let room = uInt(output.count)
    input.withUnsafeMutableBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        (stream.pointee.next_in, stream.pointee.avail_in) = (source.baseAddress, uInt(source.count))
        (stream.pointee.next_out, stream.pointee.avail_out) = (target.baseAddress, room)
        _ = deflate(stream, Z_FINISH)
      }
    }
    output.removeLast(Int(stream.pointee.avail_out))
    return output
  }
}
