import Foundation
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// A correction on its way home: from a few users to the author, and from there to all.
struct SuggestionRoundTripTests {
  private static let elements = "number,name\n1,Hydrogen\n2,Helion\n3,Lithium\n"

  private static let files = [
    "catalog.json": #"{"tables": {"elements": {"source": "data/elements.csv"}}}"#,
    "0001_elements/up.sql":
      "CREATE TABLE elements (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);\n",
    "0001_elements/elements.csv": elements, "data/elements.csv": elements,
  ]

  private static func migrator(_ number: Int, in bench: Workbench) throws -> Migrator {
    var options = Migrator.Options()
    options.takesBackup = false
    return Migrator(
      catalog: try Catalog(directory: bench.catalog), at: "\(bench.path)/\(number).sqlite",
      options: options)
  }

  private static func execute(_ sql: String, _ number: Int, in bench: Workbench) throws {
    try Connection("\(bench.path)/\(number).sqlite", .readWrite, setup: nil).executeAll(sql)
  }

  @Test func `three of 200 users correct a value, and all get it`() throws {
    let bench = try Workbench(Self.files)
    let correcting = [17, 80, 199]
    for device in 0..<200 {
      _ = try Self.migrator(device, in: bench).up()
      if correcting.contains(device) {
        try Self.execute("UPDATE elements SET name = 'Helium' WHERE number = 2", device, in: bench)
      }
      if device % 50 == 1 {
        try Self.execute("UPDATE elements SET name = 'Hy' WHERE number = 1", device, in: bench)
      }
    }

    // Each user sends a file, and the author takes what more than one says.
    let review = try SuggestionReview(directory: bench.catalog)
    for device in 0..<200 {
      let migrator = try Self.migrator(device, in: bench)
      let lines = try migrator.suggestions().map { $0.json + "\n" }.joined()
      if lines.isEmpty { continue }
      try bench.write(["in/\(device).jsonl": lines])
      try review.read("\(bench.catalog)/in/\(device).jsonl", shownAs: "\(device).jsonl")
    }
    #expect(review.files == 7 && review.refused == [])
    let list = try review.list()
    #expect(list.map(\.count) == [4, 3])
    let correction = try #require(list.first { $0.row.key[0].new == .number("2") })
    _ = try review.take([correction.id], of: list, as: bench.release())
    #expect(
      try bench.text("data/elements.csv") == "number,name\n1,Hydrogen\n2,Helium\n3,Lithium\n")
    try bench.make("june")

    for device in 0..<200 {
      let migrator = try Self.migrator(device, in: bench)
      #expect(try migrator.up().migrations.map(\.conflictCount) == [0])
      let origin = try migrator.origin(of: ["number": 2], in: "elements")
      #expect(origin?.kind == .seed && origin?.original?["name"] == "Helium", "\(device)")
      #expect(try migrator.conflicts() == [])
      #expect(try migrator.suggestions().isEmpty == (device % 50 != 1))
    }
    let after = try SuggestionReview(directory: bench.catalog)
    for device in correcting {
      try after.read("\(bench.catalog)/in/\(device).jsonl", shownAs: "\(device).jsonl")
    }
    #expect(try after.list().map(\.state) == [.settled])
  }
}
