import Foundation
import Seedbed
import TestSupport
import Testing

/// That the merge compares values for equality alone, on which the small cases rest.
@Suite struct `Values are the same or not` {
  /// What the plan says of itself: numbers and states of its rows.
  private static let ofThePlan: Set = [
    "row", "\"row\"", "rowid", "nth", "number", "?1", "$1", "kind", "fate", "policy", "why",
    "outcome", "text",
    "CASE", "END", "*",
  ]

  /// What else the merge does with values, by the letters of the plan's columns: `k` is of a key,
  /// `n` the seed's value, `x` what the row will have; and why that needs no cases of its own.
  private static let exceptions: [String: String] = [
    "k < k": "Of two rows that come to one value the one with the lower key has it.",
    "ORDER BY k": "Rows that make way get new numbers in the order of the old ones.",
    "max(k)": "A number that no row has.", "max(\"id\")": "The same.", "max(\"p\")": "The same.",
    "max(id)": "The same.", "typeof(\"id\")": "Only numbers count for it.",
    "typeof(\"p\")": "The same.",
    "coalesce(n)": "A key that has a part which stays.", "nullif(n)": "The same.",
  ]

  @Test func `in all statements of a merge`() throws {
    let names = [
      "uniqueMoves", "uniqueReplace", "preferColumn", "overwriteRow", "pinned", "seedsChild",
      "default", "reals", "moveParent", "keyMoves", "keyOfUsersMoveUser", "optionalFollows",
      "shared",
    ]
    let statements = try names.flatMap { name in
      let variant = try #require(SmallCases.variants.first { $0.name == name })
      let space = CaseSpace(variant.family)
      let numbers = Array(stride(from: 0, to: space.count, by: space.count / 20))
      return try SmallCases(variant, space, numbers).statements().filter(Self.isOfMerge)
    }
    #expect(statements.count > 300)
    Self.check(statements)
  }

  @Test func `on both engines, in what the page of the merge shows`() throws {
    let page = try Checkout.text("Documentation/MergeInSQL.md")
    let blocks = page.components(separatedBy: "```sql\n").dropFirst()
    let statements = blocks.flatMap { block in
      (block.components(separatedBy: "\n```").first ?? "").components(separatedBy: ";\n")
    }
    #expect(statements.count > 100)
    Self.check(statements.filter(Self.isOfMerge))
  }

  @Test func `or it is seen`() {
    func others(_ condition: String) -> Set<String> {
      Comparisons("SELECT row FROM t WHERE (p.k0 = m.\"id\") AND \(condition)").others
    }
    #expect(others("m.\"a\" COLLATE BINARY IS s.c1 AND p.x1 IN (p.n1, p.m1)") == [])
    #expect(others("m.\"a\" COLLATE BINARY < s.c1") == ["\"a\" < c"])
    #expect(others("length(p.n1) = 3 AND p.x1 LIKE 'a%'") == ["length(n)", "x LIKE text"])
    #expect(others("p.n1 IS p.m1 || 'a' ORDER BY p.b2") == ["m || text", "ORDER BY b"])
    #expect(others("\"seedbed:same\"(p.n1, p.m1)") == ["\"seedbed:same\"(n)"])
  }

  private static func check(_ statements: [String]) {
    for sql in statements {
      for other in Comparisons(sql).others where exceptions[other] == nil {
        // Numbers with several spellings have cases of their own.
        if other.hasPrefix("\"seedbed:same\"(") { continue }
        let operands = other.split { " ()".contains($0) }.map(String.init).filter { word in
          word.contains { $0.isLetter || $0.isNumber || "?$*\"".contains($0) }
        }
        let names = operands.filter { !operators.contains($0) }
        let isOfPlan = names.allSatisfy(ofThePlan.contains)
        #expect(isOfPlan, "\(other) in \(sql)")
      }
    }
  }

  private static let operators: Set = [
    "BETWEEN", "LIKE", "ORDER", "BY", "count", "min", "max", "coalesce", "row_number",
  ]

  /// Whether a statement works on rows: no query of the database's own tables or of the ledger's,
  /// and no claim that only a debug build checks.
  private static func isOfMerge(_ sql: String) -> Bool {
    let others = [
      "/* claim */", "PRAGMA", "pragma_", "sqlite_", "seedbed_", "seedbed:given", "pg_",
    ]
    return !others.contains { sql.replacing("pg_temp", with: "temp").contains($0) }
  }

  @Test func `so that other names for them change nothing`() throws {
    var dice = Dice(seed: .random(in: 1..<1_000_000_000))
    let variants = SmallCases.variants.shuffled(using: &dice).prefix(3)
    for variant in variants {
      let space = CaseSpace(variant.family)
      let numbers = Array(Set((0..<100).map { _ in dice.below(space.count) }))
      let usual = SmallCases(variant, space, numbers)
      let other = SmallCases(variant, space, numbers, names: dice)
      let found = try (usual.play().found, other.play().found)
      #expect(
        found.0.map(usual.unnamed) == found.1.map(other.unnamed), "\(variant.name) \(numbers)")
    }
  }
}

extension SmallCases {
  /// The statements of the second release's merge.
  fileprivate func statements() throws -> Set<String> {
    let bench = try Bench()
    try bench.write("catalog.json", shape.options(variant.policies))
    var releases = [first(cases), second(cases)]
    for index in releases.indices {
      releases[index].files.removeAll(where: \.rows.isEmpty)
      try bench.write(releases[index], shape, creating: index == 0 ? shape : nil)
      if index == 0 {
        _ = try bench.migrator().up()
        try act(cases, on: bench.device)
      }
    }
    let catalog = try Catalog(directory: bench.folder + "/Migrations")
    var options = Migrator.Options()
    options.takesBackup = false
    return bench.device.statements { handle in
      _ = try? HandleMigrator(catalog: catalog, options: options).up(on: handle)
    }
  }

  /// What the engine left with numbers in place of the names of values.
  fileprivate func unnamed(_ found: Found) -> Found {
    var found = found
    let number = { (cell: Cell, words: [String], number: Int64) -> Cell in
      guard case .text(let text) = cell else { return cell }
      let places = words.indices.filter { [words[$0], "\(number) \(words[$0])"].contains(text) }
      return places.first.map { .integer(Int64($0)) } ?? cell
    }
    for (one, tables) in found.rows {
      for (table, rows) in tables {
        found.rows[one]?[table] = Set(
          rows.map { row in row.enumerated().map { number($1, words(one, $0), one) } })
      }
    }
    for (one, clashes) in found.clashes {
      found.clashes[one] = clashes.map { clash in
        let table = shape.tables.first { $0.name == clash.table }
        let unnamed = { (columns: [String: Cell]?) -> [String: Cell]? in
          guard let columns else { return nil }
          return Dictionary(
            uniqueKeysWithValues: columns.map { name, cell in
              let column = table?.columns.firstIndex { $0.name == name } ?? 0
              return (name, number(cell, words(one, column), one))
            })
        }
        var clash = clash
        (clash.base, clash.mine, clash.seed) = (
          unnamed(clash.base), unnamed(clash.mine), unnamed(clash.seed)
        )
        return clash
      }
    }
    return found
  }
}
