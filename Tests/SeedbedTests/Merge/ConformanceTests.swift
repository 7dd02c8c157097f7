import Foundation
import TestSupport
import Testing

@testable import Seedbed

/// The cases that `Conformance/play` plays by the other interfaces: each file is a list of
/// sections, which are files of the catalog, what is done, and what must be there afterwards.
struct ConformanceTests {
  @Test(arguments: ConformanceCase.all) func `a case ends as its file says`(
    _ named: ConformanceCase
  ) throws {
    let player = try CasePlayer()
    for section in named.sections { try player.play(section) }
    try player.end()
  }

  @Test func `each case is on the page of its rule, and each page's cases are there`() throws {
    #expect(ConformanceCase.all.count >= 60)
    var pages: Set<String> = []
    for named in ConformanceCase.all {
      let page = try #require(named.page, "\(named) has no line 'Rule: PAGE'")
      pages.insert(page)
      #expect(
        try Checkout.text(page).contains("Conformance/\(named.name)"),
        "Link \(named) on \(page), beside its rule.")
    }
    #expect(pages.count > 1)
  }

  @Test func `a case that does not end so fails`() throws {
    let named = try #require(ConformanceCase.all.first { $0.name == "change/edited.case" })
    for wrong in ["after: elements", "counts", "conflicts"] {
      let player = try CasePlayer()
      withKnownIssue {
        for var section in named.sections {
          if section.title == wrong { section.body += "1" }
          try player.play(section)
        }
      }
    }
  }
}

struct ConformanceCase: CustomTestStringConvertible, Sendable {
  /// Such as `add/absent.case`.
  let name: String
  /// The file of the page that has its rule.
  let page: String?
  let sections: [CaseSection]

  var testDescription: String { name }

  static let all: [ConformanceCase] = {
    let folder = Checkout.root.appending(path: "Conformance").path
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.hasSuffix(".case") }.sorted().compactMap { name in
      // One that cannot be read is missed by the number of cases.
      (try? Checkout.text("Conformance/" + name)).map { ConformanceCase(name: name, text: $0) }
    }
  }()

  init(name: String, text: String) {
    self.name = name
    let parts = text.components(separatedBy: "\n## ")
    page = parts[0].firstMatch(of: #/\nRule: (\w+\.md)/#).map { match in
      let inDocumentation = ["CatalogFormat.md"].contains(String(match.output.1))
      let folder = inDocumentation ? "Documentation/" : "Sources/Seedbed/Seedbed.docc/"
      return folder + match.output.1
    }
    sections = parts.dropFirst().map { part in
      let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      let body = lines.count > 1 ? String(lines[1]) : ""
      return CaseSection(
        title: String(lines[0]), body: body.trimmingCharacters(in: .newlines))
    }
  }
}

struct CaseSection: Sendable {
  let title: String
  var body: String

  var words: [String] { title.split(separator: " ").map(String.init) }
}

/// One database, and what its last step led to.
private final class CasePlayer {
  private let device: Device
  /// Whether files were written that no `up` has seen.
  private var isPending = false
  private var logged: [Migrator.Conflict] = []
  /// What the last step led to, by the name of the section that may say so. What no section says
  /// must be empty.
  private var found: [String: String] = [:]
  private var wasDown = false

  init() throws {
    device = try Device()
    device.options.takesBackup = false
  }

  func play(_ section: CaseSection) throws {
    let words = section.words
    if let file = file(section) {
      try device.write([file: section.body.isEmpty ? "" : section.body + "\n"])
      isPending = true
      return
    }
    if isPending { act(["up"], section) }
    switch words[0] {
    case "after:": try #expect(rows(of: words[1], section.body) == section.body)
    case "error": #expect(found.removeValue(forKey: "error") == words[1])
    case "refused", "changed-since": #expect(found.removeValue(forKey: words[0]) != "")
    case "conflicts", "counts", "adopted":
      #expect(found.removeValue(forKey: words[0]) == section.body)
    default: act(words, section)
    }
  }

  /// Nothing is left that no section said, and another `up` changes nothing.
  func end() throws {
    if isPending { act(["up"], CaseSection(title: "up", body: "")) }
    let isFailed = found["error"] == nil
    expectNothingElse()
    if wasDown || isFailed { return }
    #expect(try device.migrator().up().outcome == .upToDate)
  }

  private func file(_ section: CaseSection) -> String? {
    if section.title == "catalog.json" { return section.title }
    guard section.words[0] == "release", let colon = section.title.firstIndex(of: ":") else {
      return nil
    }
    let name = section.title[colon...].dropFirst(2)
    // Twins are for a server; the catalog passes a hidden file over.
    if name.hasSuffix(".postgresql.sql") { return ".twin" }
    return "000\(section.words[1].dropLast())_release/\(name)"
  }

  private func act(_ words: [String], _ section: CaseSection) {
    expectNothingElse()
    isPending = false
    wasDown = words[0] == "down"
    found = ["error": "", "conflicts": "", "refused": "", "changed-since": ""]
    do {
      try call(words, section)
    } catch let error as SeedbedError {
      found["error"] = error.code.rawValue
    } catch {
      found["error"] = "\(error)"
    }
  }

  private func call(_ words: [String], _ section: CaseSection) throws {
    // There may be no catalog yet.
    if words[0] == "user" { return try device.run("PRAGMA foreign_keys = ON;" + section.body) }
    let migrator = try device.migrator()
    switch words[0] {
    case "up": note(try migrator.up())
    case "down": note(try migrator.down(to: try #require(Int64(words[1]))))
    case "fill": note(try migrator.fill(owner: .integer(try #require(Int64(words[1])))))
    case "pin": _ = try migrator.pin(written: [words[2]], in: words[1])
    case "unpin": _ = try migrator.unpin(written: [words[2]], in: words[1])
    case "reseed": _ = try migrator.reseed(words[1])
    case "resolve":
      let key = words[3...].joined(separator: " ")
      let conflict = try #require(logged.last { $0.table == words[2] && $0.keyText == key })
      let side = try #require(Migrator.Conflict.Side(rawValue: words[1]))
      let settled = try migrator.resolve([conflict], with: side)
      found["refused"] = settled.refused.map(\.error.message).joined(separator: "\n")
      found["changed-since"] = settled.changedSince.map(String.init).joined(separator: "\n")
    default: Issue.record("no section is '## \(section.title)'")
    }
  }

  private func note(_ report: Migrator.Report) {
    let adopted = report.adopted?.tables.map {
      "\($0.table),\($0.unchanged),\($0.refreshed),\($0.edited),\($0.inserted),\($0.retired),"
        + "\($0.deleted)"
    }
    found["adopted"] = table(
      "table,unchanged,refreshed,edited,inserted,retired,deleted", adopted ?? [])
    let counts = report.migrations.flatMap { migration in
      migration.tables.map {
        let counts = $0.counts
        return "\(migration.version),\($0.table),\(counts.inserted),\(counts.updated),"
          + "\(counts.deleted),\(counts.unchanged),\(counts.kept)"
      }
    }
    found["counts"] = table("release,table,inserted,updated,deleted,unchanged,kept", counts)
    let conflicts = report.migrations.flatMap(\.conflicts) + (report.adopted?.conflicts ?? [])
    logged += conflicts
    found["conflicts"] = table(
      "release,table,key,kind,policy,resolution,column,base,mine,seed",
      conflicts.flatMap(\.conformanceLines))
  }

  private func table(_ header: String, _ lines: [String]) -> String {
    let sorted = lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return lines.isEmpty ? "" : ([header] + sorted).joined(separator: "\n")
  }

  private func expectNothingElse() {
    for name in ["error", "conflicts", "refused", "changed-since"] {
      #expect((found.removeValue(forKey: name) ?? "") == "", "\(name)")
    }
  }

  private func rows(of table: String, _ body: String) throws -> String {
    let columns = body.prefix { $0 != "\n" }
    let places = columns.split(separator: ",").indices.map { "\($0 + 1) NULLS FIRST" }
    let query = "SELECT \(columns) FROM \(table) ORDER BY \(places.joined(separator: ", "))"
    let rows = try device.open().rows(query).map { $0.map(\.field).joined(separator: ",") }
    return ([String(columns)] + rows).joined(separator: "\n")
  }
}

extension Migrator.Conflict {
  fileprivate var keyText: String { key.values.map(\.field).joined(separator: " ") }

  /// A line for each column, with `-` where a side has no such row or column.
  fileprivate var conformanceLines: [String] {
    let moved = movedTo.map { " to " + $0.values.map(\.field).joined(separator: " ") } ?? ""
    let row =
      "\(version),\(table),\(keyText),\(kind.rawValue),\(policy ?? "-"),\(resolution.rawValue)"
    return columns.map { column in
      let sides = [column.base, column.mine, column.seed].map { $0?.field ?? "-" }
      return "\(row)\(moved),\(column.name),\(sides.joined(separator: ","))"
    }
  }
}

extension Migrator.Value {
  /// As in the row files: nothing is NULL, and "" is the empty text.
  fileprivate var field: String {
    if case .null = self { return "" }
    let isPlain = !plain.isEmpty && !plain.contains { ",\"\n".contains($0) }
    return isPlain ? plain : "\"" + plain.replacingOccurrences(of: "\"", with: "\"\"") + "\""
  }
}
