package import Seedbed

/// Writes what the user of a database changed in the seed's rows as a file for the data's author.
package struct SuggestionExport {
  package enum Format: Sendable {
    /// Values are as in row files.
    case csv
    /// One JSON object a line, as `Suggestion.json`.
    case jsonLines
  }

  /// The result.
  package struct Result: Sendable, Equatable {
    /// The number of lines, without the header.
    package var suggestions = 0
    /// Changes that were left out, since they refer to rows of the user's own.
    package var omitted = 0
    /// The values because of which changes were left out.
    package var unwritable: [TableExport.Unwritable] = []
  }

  private let format: Format
  private let write: ([UInt8]) throws -> Void
  private var block: [UInt8] = []
  private var result = Result()

  static let header = ["kind", "table", "key", "column", "base", "mine", "version"]

  /// - Parameters:
  ///   - tables: nil for all that the catalog fills.
  ///   - write: gets the file piece by piece, in whole lines.
  package static func write(
    _ tables: [String]?, deletions: Bool, additions: Bool, of migrator: Migrator,
    as format: Format, to write: @escaping ([UInt8]) throws -> Void
  ) throws -> Result {
    var export = SuggestionExport(format: format, write: write)
    try reporting {
      try migrator.findingUserRows { found in
        if format == .csv { try export.add(header.joined(separator: ",")) }
        var known: [ExactText: [Name: SourceField]] = [:]
        func fields(_ suggestion: Migrator.Suggestion) throws -> [Name: SourceField] {
          if let fields = known[suggestion.table] { return fields }
          let target = try found.scratch.seededTarget(suggestion.table)
          let names = try found.scratch.seededNames(of: target)
          let own = try found.scratch.requireTable(target.name, on: found.connection)
          let fields = try found.scratch.fields(names, of: own, on: found.connection)
          let named = Dictionary(
            fields.map { (Name($0.header), $0) }, uniquingKeysWith: { one, _ in one })
          known[suggestion.table] = named
          return named
        }
        export.result.omitted = try found.suggestions(
          tables, deletions: deletions, additions: additions
        ) { suggestion in
          try export.add(suggestion, fields(suggestion))
        }
      }
    }
    try export.flush()
    return export.result
  }

  private init(format: Format, write: @escaping ([UInt8]) throws -> Void) {
    (self.format, self.write) = (format, write)
  }

  private mutating func add(
    _ suggestion: Migrator.Suggestion, _ fields: [Name: SourceField]
  ) throws {
    let named = (suggestion.row ?? suggestion.key).named
    let changed = suggestion.column.map { [($0, suggestion.base), ($0, suggestion.mine)] } ?? []
    for (column, value) in named.map({ ($0, Optional($1)) }) + changed {
      guard let value, let field = fields[column], field.text(of: value) == nil else { continue }
      let key = SourceTable.keyText(suggestion.key.columns, suggestion.key.values)
      return result.unwritable.append(
        TableExport.Unwritable(key: key, column: column, reason: value.reason))
    }
    result.suggestions += 1
    switch format {
    case .jsonLines: try add(suggestion.json)
    case .csv:
      let field = suggestion.column.flatMap { fields[$0] }
      try add(
        [
          suggestion.kind.rawValue, Self.guarded(suggestion.table),
          suggestion.key.json.csvField, suggestion.column.map(Self.guarded) ?? "",
          Self.text(suggestion.base, field),
          suggestion.row?.json.csvField ?? Self.text(suggestion.mine, field),
          String(suggestion.version),
        ].joined(separator: ","))
    }
  }

  // MARK: spreadsheets

  /// A spreadsheet runs a text that begins so as a formula, and the file comes from a stranger. An
  /// apostrophe before it makes it a text there. A text that begins with one gets another,
  /// so that the reader removes the first in any case.
  private static func guarded(_ text: String) -> String {
    guard let first = text.utf8.first, Array("=+-@'\t\r".utf8).contains(first) else {
      return text.csvField
    }
    return ("'" + text).csvField
  }

  static func unguarded(_ text: String) -> String {
    text.utf8.first == UInt8(ascii: "'") ? String(text.dropFirst()) : text
  }

  /// Numbers need no apostrophe, whatever their sign.
  private static func text(_ value: Value?, _ field: SourceField?) -> String {
    switch value {
    case .text(let text): guarded(text)
    case let value?: field?.text(of: value).map { value.isBlob ? guarded($0) : $0 } ?? ""
    case nil: ""
    }
  }

  // MARK: writing

  private mutating func add(_ line: String) throws {
    block += line.utf8
    block.append(UInt8(ascii: "\n"))
    if block.count > 64 << 10 { try flush() }
  }

  private mutating func flush() throws {
    try write(block)
    block.removeAll(keepingCapacity: true)
  }
}

extension Migrator.Row {
  fileprivate var named: [(String, Value)] { Array(zip(columns, values)) }
}

extension Value {
  fileprivate var isBlob: Bool { if case .blob = self { true } else { false } }
}
