import Foundation
import Testing
import TestSupport

/// Apple's SDKs refuse what the oldest of the package's platforms lacks. Linux has it all, but its
/// modules know since when each symbol is there.
extension Apple {
  /// The first versions that the package supports.
  private static let oldest = ["macOS": 13, "iOS": 16, "tvOS": 16, "watchOS": 9, "visionOS": 1]

  /// Each integer type has had it from the beginning; newer is only the protocol's.
  private static let exempt: Set = ["FixedWidthInteger.&*(_:_:)"]

  /// One sentence for each newer symbol of a file that was checked. Files with `@available` or
  /// `#available` are left to the reviewer.
  func usesOfNewerThings() throws -> [String] {
    let newer = try newerSymbols()
    let guarded = try guardedFiles()
    // One record a file, named by it; what it uses is text among bytes.
    let found = try Shell.run("grep", "-raoE", "s:[A-Za-z0-9_]+", "index/v5/records", in: place.url)
    let uses = found.output.split(separator: "\n").compactMap { line -> String? in
      guard let colon = line.firstIndex(of: ":"),
        let symbol = newer[String(line[line.index(after: colon)...])]
      else { return nil }
      let record = String(line[..<colon].split(separator: "/").last ?? "")
      let file = String(record[..<(record.lastIndex(of: "-") ?? record.startIndex)])
      return guarded[file] == false ? "\(file) uses \(symbol)." : nil
    }
    return Set(uses).sorted()
  }

  /// The files that were checked, and whether each has conditions of its own on the system.
  private func guardedFiles() throws -> [String: Bool] {
    var files: [String: Bool] = [:]
    let names = FileManager.default.enumerator(atPath: place.path)
    for path in names?.compactMap({ $0 as? String }) ?? [] where path.hasSuffix(".swift") {
      let url = place.url.appending(path: path)
      let text = try String(contentsOf: url, encoding: .utf8)
      let isGuarded = text.contains("@available") || text.contains("#available")
      files[url.lastPathComponent] = files[url.lastPathComponent] == true || isGuarded
    }
    return files
  }

  /// The names and first versions of symbols, by their identifiers in the index.
  private func newerSymbols() throws -> [String: String] {
    try place.write("graphs/", [])
    for module in ["Swift", "_Concurrency", "FoundationEssentials"] {
      let extracted = try Shell.run(
        "swift", "symbolgraph-extract", "-module-name", module, "-target", Self.target().triple,
        "-output-dir", "graphs", "-minimum-access-level", "public", "-skip-synthesized-members",
        in: place.url)
      try #require(extracted.status == 0, "\(extracted.output)")
    }
    var names: [String: String] = [:]
    for file in try place.names(in: "graphs") {
      let graph = try Data(contentsOf: place.url.appending(path: "graphs/\(file)"))
      for symbol in try JSONDecoder().decode(Graph.self, from: graph).symbols {
        let name = symbol.pathComponents.joined(separator: ".")
        let late = (symbol.availability ?? []).compactMap { known -> String? in
          guard let domain = known.domain, let oldest = Self.oldest[domain],
            let since = known.introduced, since.major > oldest
          else { return nil }
          return "\(domain) \(since.major)"
        }
        guard let first = late.min(), !Self.exempt.contains(name) else { continue }
        names[symbol.identifier.precise] = "\(name), \(first)"
      }
    }
    return names
  }

  private struct Graph: Decodable {
    var symbols: [Symbol]

    struct Symbol: Decodable {
      var identifier: Identifier
      var pathComponents: [String]
      var availability: [Availability]?
    }
    struct Identifier: Decodable { var precise: String }
    struct Availability: Decodable {
      var domain: String?
      var introduced: Version?
    }
    struct Version: Decodable { var major: Int }
  }
}
