import Foundation
import Testing

/// The order in which rows are written stands in the code. Pages repeat it or point to the one that
/// does.
@Suite struct `The order of steps is told once` {
  @Test func `Safety lists the steps of the code, and other pages point to it`() throws {
    let code = try Project.text("Sources/Seedbed/Merge/Steps/Step7Write.swift")
    let steps = code.components(separatedBy: "\n").compactMap { line -> String? in
      let words = line.trimmingCharacters(in: .whitespaces)
      guard words.hasPrefix("///     "), let number = words.dropFirst(8).first, number.isNumber
      else { return nil }
      return String(words.dropFirst(10))
    }
    #expect(steps.count == 6, "The list above `writeSteps` was not found.")
    let safety = try Project.text("Sources/Seedbed/Seedbed.docc/Safety.md")
    let listed = safety.components(separatedBy: "\n").filter { $0.hasPrefix("   - ") }
    #expect(Array(listed.prefix(steps.count)) == steps.map { "   - " + $0 })
    for page in ["Documentation/PostgreSQL.md", "Documentation/DataPaths.md"] {
      #expect(try Project.text(page).contains("Safety.md#One-migration-one-transaction"), "\(page)")
    }
  }
}
