/// An SQL expression over the columns of one row, whichever table or plan the row is in.
package struct RowExpression: Sendable, Equatable {
  package enum Part: Sendable, Equatable {
    case sql(String)
    /// A column, by its position in the table.
    case column(Int)
  }

  var parts: [Part]

  package init(_ parts: [Part]) { self.parts = parts }

  /// - Parameter column: returns the SQL for a column.
  package func sql(_ column: (Int) -> String) -> String {
    let texts = parts.map { part in
      switch part {
      case .sql(let text): text
      case .column(let slot): column(slot)
      }
    }
    return "(\(texts.joined()))"
  }

  /// The positions of the columns in it.
  var slots: [Int] {
    parts.compactMap { part in
      if case .column(let slot) = part { slot } else { nil }
    }
  }
}

/// The expressions of a UNIQUE index.
package struct IndexExpressions: Sendable, Equatable {
  package struct Term: Sendable, Equatable {
    var expression: RowExpression
    /// A type with which another table can hold its values.
    var type: String

    package init(_ expression: RowExpression, type: String) {
      (self.expression, self.type) = (expression, type)
    }
  }

  var terms: [Term]
  /// The condition of a partial index; nil if it holds all rows.
  var condition: RowExpression?

  package init(_ terms: [Term], where condition: RowExpression?) {
    (self.terms, self.condition) = (terms, condition)
  }

  /// A value in the index; NULL for a row that a partial index leaves out.
  package func value(_ term: Term) -> RowExpression {
    guard let condition else { return term.expression }
    let parts = [.sql("CASE WHEN ")] + condition.parts + [.sql(" THEN ")] + term.expression.parts
    return RowExpression(parts + [.sql(" END")])
  }
}

/// The expressions that a table computes for a row, as far as the database shows them.
package struct TableExpressions: Sendable, Equatable {
  /// The generated columns, by their positions.
  package var columns: [Int: RowExpression] = [:]
  /// UNIQUE indexes over expressions or over a part of the table, by their names.
  package var indexes: [ExactText: IndexExpressions] = [:]

  package init() {}
}

extension TableSchema {
  /// Whether a UNIQUE index uses anything but columns that files can set, or does not hold all
  /// rows.
  var computesUniqueValues: Bool {
    indexes.contains { index in
      index.isUnique && (!index.isPlain || computes(index.columns.compactMap(\.self)))
    }
  }

  /// Whether one of these columns is generated.
  func computes(_ names: [String]) -> Bool {
    names.contains { column($0)?.generated ?? .no != .no }
  }
}
