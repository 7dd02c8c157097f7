/// A row that a query returned. Where the query always has a text or a number, anything else is an
/// error: an empty text or a 0 in its place would be taken for an answer.
extension [Value] {
  package func text(_ column: Int) throws -> String {
    guard let text = self[column].text else { throw unexpected(column, "a text") }
    return text
  }

  package func integer(_ column: Int) throws -> Int64 {
    guard let integer = self[column].integer else { throw unexpected(column, "a whole number") }
    return integer
  }

  private func unexpected(_ column: Int, _ wanted: String) -> SeedbedError {
    let row = map(\.display).joined(separator: ", ").shortened(to: 200)
    return SeedbedError(
      .corrupt,
      "Seedbed read \(self[column].display) where \(wanted) belongs, in the row (\(row)). If "
        + "somebody changed the ledger's tables, restore a backup."
    ).remedied(by: .restoreBackup)
  }
}

extension DatabaseSession {
  /// The one number that a query always returns.
  func count(_ query: String, _ values: [Value] = []) throws -> Int64 {
    guard let row = try rows(query, values).first else { return try [Value.null].integer(0) }
    return try row.integer(0)
  }
}

extension Value {
  /// The value for a person: text in quotes, with at most 40 characters.
  package var display: String {
    switch self {
    case .text(let text): "'\(text.shortened(to: 40))'"
    case .invalidText(let bytes): Value.blob(bytes).description
    default: description
    }
  }
}
