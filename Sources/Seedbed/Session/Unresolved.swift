/// The value of a reference by natural key if no row is found, or several are.
package enum Unresolved {
  /// The beginning of the value in a column of text.
  package static let mark = "seedbed:unresolved "
}
