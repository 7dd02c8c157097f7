import Testing

/// README shows a part of the tables that `Scripts/bench story` printed for Documentation/Story.md.
@Suite struct `The story of all tools` {
  @Test func `is in the README as on its page`() throws {
    let table = Story.firstTable(of: try Project.text("README.md"), under: "## Why not")
    let page = Story.firstTable(
      of: try Project.text("Documentation/Story.md"), under: "## On SQLite")
    #expect(table.count > 4, "README has no table under 'Why not'.")
    #expect(page.count > table.count)
    #expect(Story.differences(of: table, from: page) == [])
  }

  private let page = [
    ["tool", "edits kept", "lines"], ["upsert", "0 of 200", "10"], ["Seedbed", "200 of 200", "17"],
  ]

  @Test func `may leave out columns and tools`() {
    let table = [["instead of Seedbed", "edits kept"], ["upsert", "0 of 200"]]
    #expect(Story.differences(of: table, from: page) == [])
  }

  @Test func `may not have another number, tool or column`() {
    let table = [
      ["instead of Seedbed", "edits kept", "MiB"], ["upsert", "200 of 200", "1"],
      ["insert", "0 of 200", "1"],
    ]
    #expect(
      Story.differences(of: table, from: page) == [
        "'upsert', 'edits kept': '200 of 200', and the page has '0 of 200'",
        "'upsert', 'MiB': the page has no such column", "'insert': the page has no such tool",
      ])
  }
}

/// Tables in Markdown, as rows of cells; the first row is the head.
enum Story {
  static func firstTable(of text: String, under heading: String) -> [[String]] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { !$0.hasPrefix(heading) }.drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
    return lines.filter { !$0.hasPrefix("|-") && !$0.hasPrefix("| -") }.map { line in
      line.dropFirst().dropLast().split(separator: "|").map { cell in
        String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }
    }
  }

  static func differences(of table: [[String]], from page: [[String]]) -> [String] {
    guard let head = table.first, let titles = page.first else { return ["There is no table"] }
    return table.dropFirst().flatMap { row -> [String] in
      guard let said = page.dropFirst().first(where: { $0[0] == row[0] }) else {
        return ["'\(row[0])': the page has no such tool"]
      }
      return zip(head, row).dropFirst().compactMap { title, cell in
        guard let place = titles.firstIndex(of: title) else {
          return "'\(row[0])', '\(title)': the page has no such column"
        }
        return said[place] == cell
          ? nil : "'\(row[0])', '\(title)': '\(cell)', and the page has '\(said[place])'"
      }
    }
  }
}
