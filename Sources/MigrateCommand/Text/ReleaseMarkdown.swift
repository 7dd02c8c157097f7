internal import Seedbed
internal import SeedbedAuthoring

/// A release in Markdown, to paste into a pull request.
///
/// Data are shown as code, so that nothing in them becomes a heading, a link, an image or a
/// mention.
enum ReleaseMarkdown {
  static func title(_ release: ReleaseReading) -> [String] {
    var lines = ["### Migration \(release.version): \(code(release.folder))", ""]
    if let description = release.description { lines += [code(description.oneLine), ""] }
    if release.isWithdrawn { lines += ["It is withdrawn.", ""] }
    return lines
  }

  static func summary(_ tables: [ReleaseSummary.Table]) -> [String] {
    if tables.isEmpty { return ["It has no row files.", ""] }
    let rows = tables.map { table in
      let columns =
        table.changedColumns.prefix(8).map { code($0) }.joined(separator: ", ")
        + (table.changedColumns.count > 8 ? ", …" : "")
      return "| \(code(table.table)) | \(Measures.grouped(table.inserted)) | "
        + "\(Measures.grouped(table.updated)) | \(Measures.grouped(table.deleted)) | \(columns) |"
    }
    return ["| table | added | changed | retired | columns |", "|---|--:|--:|--:|---|"] + rows + [
      ""
    ]
  }

  static func heading(_ table: String) -> [String] {
    ["#### \(code(table))", "", "| | row | columns |", "|---|---|---|"]
  }

  static func line(_ row: ReleaseReading.Row) -> String {
    let text = ReleaseText(columns: 80)
    let key = row.key.map { field in
      let value = field.isChanged ? text.change(field) : text.text(field.new ?? field.old ?? .null)
      return "\(code(field.name)) \(code(value))"
    }.joined(separator: ", ")
    let fields = row.fields.prefix(40).map { field -> String in
      let name = code(field.name)
      guard row.operation == .update else {
        return "\(name) \(code(text.text(field.new ?? field.old ?? .null)))"
      }
      return field.old == nil
        ? "\(name) → \(code(text.text(field.new ?? .null)))"
        : "\(name) \(code(text.change(field)))"
    }
    let more = row.fields.count - 40
    let rest = more > 0 ? ["… and \(Measures.grouped(more)) more"] : []
    return "| \(row.operation.mark) | \(key) | "
      + (fields + rest).joined(separator: "<br>") + " |"
  }

  static func omitted(_ count: Int, _ operation: ReleaseReading.Row.Operation) -> String {
    "| | … and \(Measures.grouped(count)) more \(operation.participle) | |"
  }

  static func script(_ script: ReleaseReading.Script, limit: Int) -> [String] {
    // A fence that is longer than any run of backticks in the text cannot be closed by it.
    let shown = script.statements.prefix(limit).map(\.fenced)
    let fence = String(repeating: "`", count: max(3, 1 + (shown.map(\.longestTicks).max() ?? 0)))
    let more = script.statements.count - shown.count
    return ["#### \(code(script.name))", "", fence + "sql"] + shown.map { $0 + ";" }
      + (more > 0 ? ["-- … and \(Measures.count(more, "more statement", "more statements"))"] : [])
      + [fence, ""]
  }

  /// Text as code, also for a cell of a table.
  static func code(_ text: String) -> String {
    let text = text.printable
    if !text.utf8.contains(where: { "`|\\".utf8.contains($0) }), !text.isEmpty,
      text.first != " " || text.last != " "
    {
      return "`\(text)`"
    }
    // Entities are never read as Markdown, and a cell cannot end inside one.
    let entities = text.unicodeScalars.reduce(into: "") { result, scalar in
      let isSign =
        scalar.isASCII && !scalar.properties.isAlphabetic && scalar != " "
        && !("0"..."9").contains(scalar)
      result += isSign ? "&#\(scalar.value);" : String(scalar)
    }
    return "<code>\(entities)</code>"
  }
}

extension String {
  fileprivate var oneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }

  /// Without control characters, but with line breaks.
  fileprivate var fenced: String {
    split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(\.printable)
      .joined(separator: "\n")
  }

  fileprivate var longestTicks: Int {
    var (longest, run) = (0, 0)
    for byte in utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}
