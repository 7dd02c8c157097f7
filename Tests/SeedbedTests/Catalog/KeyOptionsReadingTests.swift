import Testing
import TestSupport

@testable import Seedbed

/// The options about keys and references, as the files write them.
struct KeyOptionsReadingTests {
  private func table(_ text: String) throws -> TableOptions {
    let fixture = try Place(["0001_a/up.sql": ""])
    try fixture.write("catalog.json", #"{"tables": {"t": "# + text + "}}")
    let made = try fixture.catalog()
    return try made.options(of: made.migrations()[0]).table("T")
  }

  @Test func `a reserve`() throws {
    #expect(try table(#"{"reserve": 1000000}"#).reserve?.value == 1_000_000)
    #expect(try table("{}").reserve == nil)
  }

  @Test func `references by one key, by a composite one, and by several`() throws {
    let read = try table(
      #"{"references": {"a": ["x"], "b": ["x", "y"], "c": [["x"], ["y"]], "d": [["x", "y"]]}}"#)
    #expect(
      read.references.map { "\($0.child) \($0.columns)" } == [
        #"a ["x"]"#, #"b ["x", "y"]"#, #"c ["x"]"#, #"c ["y"]"#, #"d ["x", "y"]"#,
      ])
  }

  @Test func `each has its place`() throws {
    let read = try table(
      #"{"references": {"a": [["x"]], "b": ["x"]}, "disposable": ["h", "i"], "identity": ["s"]}"#)
    #expect(
      read.references.map(\.place.description) == ["catalog.json:1:40", "catalog.json:1:48"])
    #expect(
      read.disposable.map { "\($0.value) \($0.place)" }
        == ["h catalog.json:1:76", "i catalog.json:1:81"])
    #expect(read.identity.map { "\($0.value) \($0.place)" } == ["s catalog.json:1:100"])
  }

  @Test(arguments: [
    (
      #"{"reserve": "many"}"#,
      "1:30: 'reserve' is a string, expected a whole number, like 1000000."
    ),
    (
      #"{"reserve": 1e6}"#,
      "1:30: '1e6' is not a value of 'reserve'. Use a whole number from 1 to "
        + "4611686018427387904, without a fraction or an exponent."
    ),
    (
      #"{"reserve": 0}"#,
      "1:30: '0' is not a value of 'reserve'. Use a whole number from 1 to "
        + "4611686018427387904, without a fraction or an exponent."
    ),
    (
      #"{"reserve": 9223372036854775808}"#,
      "1:30: '9223372036854775808' is not a value of 'reserve'. Use a whole number from 1 "
        + "to 4611686018427387904, without a fraction or an exponent."
    ),
    (
      #"{"references": ["a"]}"#,
      #"1:33: 'references' is an array, expected an object like {"favourites": ["element"]}."#
    ),
    (
      #"{"references": {"a": "x"}}"#,
      #"1:39: 'a' is a string, expected an array of columns' names, like ["element"]."#
    ),
    (
      #"{"references": {"a": []}}"#,
      "1:39: 'a' is empty. Name at least one column, or leave it out."
    ),
    (
      #"{"references": {"a": [["x"], []]}}"#,
      "1:47: 'a' is empty. Name at least one column, or leave it out."
    ),
    (
      #"{"references": {"a": [["x"], "y"]}}"#,
      #"1:47: 'a' is a string, expected an array of columns' names, like ["element"]."#
    ),
    (
      #"{"references": {"a": ["x", ["y"]]}}"#,
      "1:45: An element of 'a' is an array, expected a column's name."
    ),
    (
      #"{"references": {"a": ["x"], "A": ["y"]}}"#,
      "1:46: 'references' holds 'A' twice; names that differ only in case are the same. Keep one "
        + "of them."
    ),
    (
      #"{"disposable": {"history": true}}"#,
      #"1:33: 'disposable' is an object, expected an array of tables' names, like ["history"]."#
    ),
    (
      #"{"disposable": [1]}"#,
      "1:34: An element of 'disposable' is a number, expected a table's name."
    ),
    (
      #"{"identity": "symbol"}"#,
      #"1:31: 'identity' is a string, expected an array of columns' names, like ["symbol"]."#
    ),
    (#"{"identiy": []}"#, "1:19: 'identiy' is not an option. Did you mean 'identity'?"),
  ])
  func `refused is`(_ text: String, _ error: String) {
    #expect(failureText { _ = try table(text) } == "catalog.json:" + error)
  }
}
