/// A foreign key and the columns of the parent that it refers to.
package struct ParentKey: Equatable {
  package var parent: String
  package var childColumns: [String]
  package var parentColumns: [String]

  package init(parent: String, childColumns: [String], parentColumns: [String]) {
    self.parent = parent
    (self.childColumns, self.parentColumns) = (childColumns, parentColumns)
  }
}

extension ParentKey {
  package static func == (one: Self, other: Self) -> Bool {
    one.parent.isSameText(as: other.parent)
      && one.childColumns.hasSameNames(as: other.childColumns)
      && one.parentColumns.hasSameNames(as: other.parentColumns)
  }

  /// Whether the declaration is on the same columns.
  func hasColumns(of declared: ForeignKey) -> Bool {
    childColumns.hasSameNames(as: declared.childColumns)
  }
}

/// A table that refers to another, and the foreign key by which it does.
struct Reference: Equatable {
  var table: String
  var key: ParentKey

  static func == (one: Self, other: Self) -> Bool {
    one.table.isSameText(as: other.table) && one.key == other.key
  }
}

/// A declared foreign key that SQLite cannot enforce: with enforcement on, every write to the table
/// would be an error.
package struct BrokenForeignKey: Equatable {
  var child: String
  package var parent: String
  var reason: String

  package var sentence: String { "\(child) refers to \(parent), \(reason)" }
}

extension ParentKey {
  /// Whether the same columns refer to the same ones, in any order.
  func isSame(as other: ParentKey) -> Bool {
    guard parent.isSameText(as: other.parent), childColumns.count == other.childColumns.count else {
      return false
    }
    return zip(childColumns, parentColumns).allSatisfy { child, parent in
      zip(other.childColumns, other.parentColumns).contains {
        $0.isSameName(as: child) && $1.isSameName(as: parent)
      }
    }
  }
}
