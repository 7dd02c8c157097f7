/// What a reference by natural key holds if no row is found, or several.
package enum Unresolved {
  /// How it begins where it can be a text.
  package static let mark = "seedbed:unresolved "
}
