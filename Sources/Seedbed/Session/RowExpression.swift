/// SQL over the columns of one row, whatever table or plan the row is of.
package struct RowExpression: Sendable, Equatable {
  package enum Part: Sendable, Equatable {
    case sql(String)
    /// A column, by its place in the table.
    case column(Int)
  }

  package var parts: [Part]

  package init(_ parts: [Part]) { self.parts = parts }

  /// - Parameter column: what stands for a column.
  package func sql(_ column: (Int) -> String) -> String {
    let texts = parts.map { part in
      switch part {
      case .sql(let text): text
      case .column(let place): column(place)
      }
    }
    return "(\(texts.joined()))"
  }

  /// Those of its columns.
  package var places: [Int] {
    parts.compactMap { part in
      if case .column(let place) = part { place } else { nil }
    }
  }
}

/// What a UNIQUE index holds of a row.
package struct IndexExpressions: Sendable, Equatable {
  package struct Term: Sendable, Equatable {
    package var expression: RowExpression
    /// A type under which another table can hold its values.
    package var type: String

    package init(_ expression: RowExpression, type: String) {
      (self.expression, self.type) = (expression, type)
    }
  }

  package var terms: [Term]
  /// Which rows it holds; nil for all.
  package var condition: RowExpression?

  package init(_ terms: [Term], where condition: RowExpression?) {
    (self.terms, self.condition) = (terms, condition)
  }

  /// A value of the index, NULL of a row that it does not hold.
  package func value(_ term: Term) -> RowExpression {
    guard let condition else { return term.expression }
    let parts = [.sql("CASE WHEN ")] + condition.parts + [.sql(" THEN ")] + term.expression.parts
    return RowExpression(parts + [.sql(" END")])
  }
}

/// What a table computes of a row, as far as the database tells.
package struct TableExpressions: Sendable, Equatable {
  /// The generated columns, by their places.
  package var columns: [Int: RowExpression] = [:]
  /// UNIQUE indexes over expressions or over a part of the table, by their names.
  package var indexes: [String: IndexExpressions] = [:]

  package init() {}
}

extension TableSchema {
  /// Whether UNIQUE speaks of anything but columns that files can set, in all rows.
  package var computesUniqueValues: Bool {
    indexes.contains { index in
      index.isUnique
        && (!index.isPlain
          || index.columns.contains { $0.flatMap(column)?.generated ?? .no != .no })
    }
  }
}
