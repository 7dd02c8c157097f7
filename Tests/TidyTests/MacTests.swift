import Foundation
import Testing
import TestSupport

/// `Scripts/apple`, which packs the command for Macs, with programs that only look like one.
@Suite(.enabled(if: !Apple.isHere)) struct `What a Mac gets` {
  private static let processors: [(kind: [UInt8], triple: String)] = [
    ([1, 0, 0, 12], "arm64-apple-macosx"), ([1, 0, 0, 7], "x86_64-apple-macosx"),
  ]

  /// The header of a program for both processors.
  private static let universal: [UInt8] =
    [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 2]
    + processors.flatMap { $0.kind + [UInt8](repeating: 0, count: 16) }

  @Test func `is a bundle that SwiftPM can read`() throws {
    let place = try Place()
    try place.write("migrate", Self.universal)
    func pack(_ out: String) throws -> String {
      try run(["bundle", out, "migrate"], in: place.url)
    }
    let sum = try pack("out")
    let zip = "out/migrate.artifactbundle.zip"
    #expect(try Shell.run("sha256sum", zip, in: place.url).output.hasPrefix(sum))
    #expect(try pack("again") == sum)

    let unpack = "import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall('.')"
    _ = try Shell.run("python3", "-c", unpack, zip, in: place.url)
    let bundle = place.url.appending(path: "migrate.artifactbundle")
    let info = try JSONDecoder().decode(
      Info.self, from: Data(contentsOf: bundle.appending(path: "info.json")))
    #expect(info.schemaVersion == "1.0" && Array(info.artifacts.keys) == ["migrate"])
    let artifact = try #require(info.artifacts["migrate"])
    #expect(artifact.type == "executable" && artifact.variants.count == 1)
    #expect(artifact.variants[0].supportedTriples == Self.processors.map(\.triple))
    let program = bundle.appending(path: artifact.variants[0].path)
    #expect(try [UInt8](Data(contentsOf: program)) == Self.universal)
    let formula = try run(["formula", Self.url, String(sum)], in: place.url)
    #expect(
      formula.contains("bin.install \"migrate-#{version}-macos/bin/migrate\" => \"seedbed\""))
    #expect(artifact.variants[0].path == "migrate-\(artifact.version)-macos/bin/migrate")
    #expect(formula.contains("version \"\(artifact.version)\"\n"))
    let modes =
      "import sys, zipfile; print([oct(each.external_attr >> 16) for each in "
      + "zipfile.ZipFile(sys.argv[1]).infolist()])"
    let printed = try Shell.run("python3", "-c", modes, zip, in: place.url).output
    #expect(printed == "['0o100644', '0o100644', '0o100755']\n")
  }

  @Test func `is a bundle for Linux, if the program is`() throws {
    let place = try Place()
    _ = try run(["bundle", "out", "/bin/sh"], in: place.url)
    let names = "import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).namelist()[2])"
    let zip = "out/migrate.artifactbundle.zip"
    let printed = try Shell.run("python3", "-c", names, zip, in: place.url).output
    #expect(printed.hasSuffix("-linux/bin/migrate\n"))
  }

  @Test(
    .enabled("Scripts/setup --with packages installs Ruby") {
      try Shell.run("sh", "-c", "command -v ruby").status == 0
    })
  func `is a formula in Ruby`() throws {
    let place = try Place()
    let sum = String(repeating: "a", count: 64)
    try place.write("seedbed.rb", run(["formula", Self.url, sum], in: place.url))
    let checked = try Shell.run("ruby", "-wc", "seedbed.rb", in: place.url)
    #expect(checked.status == 0 && checked.output == "Syntax OK\n", "\(checked.output)")
  }

  @Test func `is tried in the oldest and the newest simulator`() throws {
    func runtime(_ version: String, _ platform: String = "iOS", isHere: Bool = true) -> String {
      """
      {"platform": "\(platform)", "version": "\(version)", "isAvailable": \(isHere),
       "identifier": "\(platform)-\(version)", "supportedDeviceTypes": [
        {"identifier": "phone", "productFamily": "iPhone"},
        {"identifier": "pad", "productFamily": "iPad"}]}
      """
    }
    func chosen(_ runtimes: String...) throws -> Shell {
      try Shell.run(
        "sh", "-c", "printf %s \"$1\" | Scripts/apple simulators", "sh",
        "{\"runtimes\": [\(runtimes.joined(separator: ","))]}")
    }
    let found = try chosen(
      runtime("16.4"), runtime("26.1"), runtime("17.5"), runtime("9.0", "watchOS"), runtime("18.6"),
      runtime("26.2", isHere: false))
    #expect(found.output == "iOS-17.5 phone\niOS-26.1 phone\n")
    #expect(try chosen(runtime("26.0")).output == "iOS-26.0 phone\n")
    let none = try chosen(runtime("16.4"))
    #expect(none.status == 1 && none.output == "apple: no iOS from 17 on is installed.\n")
  }

  @Test(arguments: [
    (
      ["bundle", "out", "README.md"], Int32(1),
      "'README.md' is no program for a 64-bit Mac or Linux."
    ),
    (["bundle", "out", "none"], 1, "cannot read 'none': No such file or directory."),
    (["formula", "http://a/b.zip", "1"], 64, "'http://a/b.zip' is no https URL of a .zip file."),
    (["formula", url, "1"], 64, "'1' is no SHA-256: 64 digits from 0 to f."),
    (["bundle"], 64, "'bundle' takes 2 words after it, not 0. See Scripts/apple --help."),
    (["fly"], 64, "there is no 'fly'. See Scripts/apple --help."),
  ])
  func `is refused for`(words: [String], status: Int32, sentence: String) throws {
    let ended = try Shell.run(["python3", "Scripts/apple"] + words)
    #expect(ended.status == status && ended.output == "apple: \(sentence)\n", "\(ended.output)")
  }

  private static let url = "https://example.com/o/r/releases/download/1/migrate.artifactbundle.zip"

  /// What the script prints, without the end of its last line.
  private func run(_ words: [String], in folder: URL) throws -> String {
    let script = Project.root.appending(path: "Scripts/apple").path
    let ended = try Shell.run(["python3", script] + words, in: folder)
    try #require(ended.status == 0, "\(ended.output)")
    return ended.output.trimmingCharacters(in: .newlines)
  }

  private struct Info: Decodable {
    var schemaVersion: String
    var artifacts: [String: Artifact]

    struct Artifact: Decodable {
      var type: String
      var version: String
      var variants: [Variant]
    }

    struct Variant: Decodable {
      var path: String
      var supportedTriples: [String]
    }
  }
}
