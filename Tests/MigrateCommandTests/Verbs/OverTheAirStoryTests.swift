import Foundation
import TestSupport
import Testing

/// Next month's words, from an author past a real server to a device that starts again and again,
/// and whoever stands between them.
@Suite struct OverTheAirStoryTests {
  @Test func `the device starts each time, and has the newest that can be trusted`() throws {
    let world = try World()
    let device = Device(world)
    #expect(try device.start(asks: false) == "2 words")

    // Whoever stands between cuts the download short, and hands out parts of two releases.
    let june = try world.publish(to: 4, since: 2)
    let whole = try world.bytes(june)
    for length in [0, 300, 700, whole.count / 2, whole.count - 1] {
      try world.serve(Array(whole[..<length]))
      #expect(try device.start() == "2 words, damaged")
    }
    let early = try world.bytes(world.earlier)
    try world.serve(Array(early[..<1536]) + whole[1536...])
    #expect(try device.start() == "2 words, damaged")
    try world.serve(Array(whole[..<1536]) + early[1536...])
    #expect(try device.start() == "2 words, damaged")

    try world.serve(whole)
    #expect(try device.start() == "4 words")
    #expect(try device.start() == "4 words")

    // An old release is played again, and one that the author never made.
    try world.serve(early)
    #expect(try device.start() == "4 words, older")
    try world.serve(world.bytes(world.forged))
    #expect(try device.start() == "4 words, wrongKey")

    // The server is gone, and then the download as well.
    world.server.stop()
    #expect(try device.start(asks: false) == "4 words, wrongKey")
    try device.forget()
    #expect(try device.start(asks: false) == "4 words")

    // A device that was off for a month has to take the whole bundle.
    let july = try world.bytes(world.publish(to: 5, since: 4))
    let late = Device(world, "late")
    try late.take(july)
    #expect(try late.start(asks: false) == "2 words, needsFrom")
    try late.take(world.bytes(world.publish(to: 5, since: 0)))
    #expect(try late.start(asks: false) == "5 words")
    try device.take(july)
    #expect(try device.start(asks: false) == "5 words")
  }
}

/// An author, a server and what it serves.
private final class World {
  let sandbox: Sandbox
  let server: Server
  let key: String
  /// A bundle up to 3, by the author.
  private(set) var earlier = ""
  /// One up to 4, by somebody else.
  private(set) var forged = ""

  init() throws {
    sandbox = try Sandbox()
    try sandbox.write([
      "author/Migrations/0001_words/up.sql":
        "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT);",
      "served/nothing": "",
    ])
    server = try Server("\(sandbox.path)/served")
    key = try Self.newKey("author.pem", in: sandbox)
    try Self.release(1...2, in: sandbox, "author")
    try Self.run("sign --key author.pem", in: sandbox, "author")
    _ = try Child.run(["/bin/cp", "-R", "author/Migrations", "shipped"], in: sandbox.path)
    earlier = try publish(to: 3, since: 2)
    _ = try Child.run(["/bin/cp", "-R", "author", "thief"], in: sandbox.path)
    _ = try Self.newKey("thief.pem", in: sandbox)
    try Self.release(4...4, in: sandbox, "thief", word: "forged")
    try Self.run("sign --key thief.pem", in: sandbox, "thief")
    forged = try Self.bundle("forged", since: 2, in: sandbox, "thief")
  }

  private static func newKey(_ name: String, in sandbox: Sandbox) throws -> String {
    let outcome = try Program.run(["sign", "--new-key", name], in: sandbox)
    let line = outcome.output.split(separator: "\n").first { $0.contains("ed25519:") } ?? ""
    return String(line.split(separator: " ").first { $0.hasPrefix("ed25519:") } ?? "")
  }

  @discardableResult
  private static func run(_ line: String, in sandbox: Sandbox, _ who: String) throws -> Outcome {
    let outcome = try Program.run(
      line.split(separator: " ").map(String.init) + ["--migrations", "\(who)/Migrations"],
      in: sandbox)
    try #require(outcome.code == 0, "\(line): \(outcome)")
    return outcome
  }

  private static func release(
    _ versions: ClosedRange<Int>, in sandbox: Sandbox, _ who: String, word: String = "word"
  ) throws {
    for version in versions {
      let file = "\(who)/Migrations/000\(version)_words/words.csv"
      if sandbox.exists(file) { continue }
      try sandbox.write([file: "id,word\n\(version),\(word) \(version)\n"])
    }
    try run("lock", in: sandbox, who)
  }

  private static func bundle(
    _ name: String, since: Int, in sandbox: Sandbox, _ who: String
  ) throws -> String {
    let path = "\(sandbox.path)/\(name).seedbed"
    try run("bundle \(path)" + (since > 0 ? " --since \(since)" : ""), in: sandbox, who)
    return path
  }

  /// Makes the releases up to a version, and a bundle of those above another.
  func publish(to version: Int, since: Int) throws -> String {
    try Self.release(1...version, in: sandbox, "author")
    try Self.run("sign --key author.pem", in: sandbox, "author")
    return try Self.bundle("\(since)-\(version)", since: since, in: sandbox, "author")
  }

  func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  func serve(_ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(sandbox.path)/served/latest.seedbed"))
  }
}

/// Python's static server, on a port of its own.
private final class Server {
  let address: String
  private let process: Child
  private let log: Sandbox

  init(_ folder: String) throws {
    log = try Sandbox()
    process = try Child(
      ["python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder],
      output: .file("\(log.path)/out"), errors: .file("\(log.path)/err"))
    var port: Substring?
    for _ in 0..<1000 where port == nil {
      usleep(10_000)
      let words = ((try? log.text("out")) ?? "").split(separator: " ")
      port = words.firstIndex(of: "port").flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
    }
    address = "http://127.0.0.1:\(try #require(port))/latest.seedbed"
  }

  func stop() {
    process.send(SIGKILL)
    _ = process.wait()
  }
}

/// An app that asks the server when it starts.
private struct Device {
  let world: World
  let name: String

  init(_ world: World, _ name: String = "device") { (self.world, self.name) = (world, name) }

  private var download: String { "\(name).seedbed" }

  /// What its database has then, and why a download was passed over.
  func start(asks: Bool = true) throws -> String {
    let fetch =
      "import sys, urllib.request as r, os; r.urlretrieve(sys.argv[1], 'part'); "
      + "os.replace('part', sys.argv[2])"
    if asks {
      let fetched = try Child.run(
        ["python3", "-c", fetch, world.server.address, download], in: world.sandbox.path)
      try #require(fetched.code == 0, "\(fetched)")
    }
    let here = world.sandbox.exists(download) ? ["--downloaded", download] : []
    let trusting = here.isEmpty ? [] : ["--signed-by", world.key] + here
    let words = ["up", "--json", "--migrations", "shipped", "--database", "\(name).sqlite"]
    // Without a download to name, it still knows which key it trusts.
    let outcome = try Program.run(
      words + (trusting.isEmpty ? ["--signed-by", world.key] : trusting), in: world.sandbox)
    try #require(outcome.code == 0, "\(outcome)")
    let document = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    let passedOver = (document as? [String: Any])?["passedOver"] as? [[String: Any]] ?? []
    let count =
      try Child.run(
        ["sqlite3", "\(name).sqlite", "SELECT count(*) FROM words WHERE word GLOB 'word *'"],
        in: world.sandbox.path
      ).output.split(separator: "\n").first.map(String.init) ?? ""
    return (["\(count) words"] + passedOver.map { "\($0["reason"] ?? "")" })
      .joined(separator: ", ")
  }

  func take(_ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(world.sandbox.path)/\(download)"))
  }

  func forget() throws { try world.sandbox.remove(download) }
}
