/// How well the user knows the elements, as bars.
struct Stats {
  let database: Database

  func lines() throws -> [String] {
    let rows = try database.rows(
      """
      SELECT ifnull(category, 'other'), count(*), sum(correct)
      FROM studies JOIN elements ON number = element GROUP BY 1 ORDER BY 1
      """
    ).map { (name: $0[0], answers: Int($0[1]) ?? 0, right: Int($0[2]) ?? 0) }
    guard !rows.isEmpty else { return ["No answers yet. Begin with: fieldguide quiz"] }
    let all = ("all", rows.map(\.answers).reduce(0, +), rows.map(\.right).reduce(0, +))
    let width = rows.map(\.name.count).max() ?? 0
    return (rows + [all]).map { name, answers, right in
      let label = name + String(repeating: " ", count: max(0, width - name.count))
      return "\(label)  \(Self.bar(right, of: answers))  \(right) of \(answers)"
    }
  }

  static func bar(_ part: Int, of whole: Int) -> String {
    let cells = 30
    let filled = whole > 0 ? part * cells / whole : 0
    return String(repeating: "█", count: filled) + String(repeating: "·", count: cells - filled)
  }
}
