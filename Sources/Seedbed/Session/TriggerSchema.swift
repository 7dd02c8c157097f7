/// A trigger of a table, described by the text that the engine keeps: `CREATE TRIGGER name BEFORE
/// UPDATE …`.
package struct TriggerSchema: Equatable {
  package enum Event: String, Sendable {
    case insert = "INSERT", update = "UPDATE", delete = "DELETE"
  }

  package var name: String
  package var sql: String
  /// The changes that it may skip without an error; nil if its text decides.
  var passesOver: Set<Event>?
  /// Whether it is a rule, which rewrites statements.
  var isRule: Bool

  package init(name: String, sql: String, passesOver: Set<Event>? = nil, isRule: Bool = false) {
    (self.name, self.sql, self.passesOver, self.isRule) = (name, sql, passesOver, isRule)
  }

  /// Whether it may write a new row in another form, with another key. A trigger of SQLite cannot.
  var mayChangeNewRows: Bool { passesOver?.contains(.insert) == true }

  /// The word for it in messages.
  var word: String { isRule ? "rule" : "trigger" }
}
