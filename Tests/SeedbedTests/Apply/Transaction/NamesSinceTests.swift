import Testing

@testable import Seedbed

/// How earlier files call what has another name now.
struct NamesSinceTests {
  private static let names = NamesSince(
    after: 1,
    [
      // Before the file, so it knows this name.
      .init(version: 1, file: .up, tables: [.init(old: "places", new: "nowhere", columns: [:])]),
      .init(
        version: 2, file: .up,
        tables: [
          .init(
            old: "places", new: "towns",
            columns: [Name("name"): "title", Name("country"): "land"])
        ]),
      .init(
        version: 3, file: .after,
        tables: [.init(old: "visits", new: "trips", columns: [Name("country"): "state"])]),
    ])

  @Test(arguments: [
    ("name", "places", "title"), ("name", "other", "name"), ("country", "visits", "state"),
    ("place:places.name", "visits", "place:towns.title"),
    ("country:places.country", "visits", "state:towns.land"),
    ("(country,city):places.name", "visits", "(state,city):towns.title"),
    ("a:b.c.d", "visits", "a:b.c.d"), ("a:b", "visits", "a:b"),
  ])
  func `a header reads today`(_ header: String, _ table: String, _ now: String) {
    #expect(Self.names.header(header, of: table) == now)
  }

  @Test func `a table has the last of its names`() {
    #expect(Self.names.table("places") == "towns" && Self.names.table("visits") == "trips")
  }
}
