/// A trigger of a table, by the text that the engine keeps: `CREATE TRIGGER name BEFORE UPDATE …`.
package struct TriggerSchema: Equatable {
  package enum Event: String, Sendable {
    case insert = "INSERT", update = "UPDATE", delete = "DELETE"
  }

  package var name: String
  package var sql: String
  /// The changes to a row that it may pass over without an error; nil if the text tells.
  package var passesOver: Set<Event>?
  /// Whether it rewrites statements.
  package var isRule: Bool

  package init(name: String, sql: String, passesOver: Set<Event>? = nil, isRule: Bool = false) {
    (self.name, self.sql, self.passesOver, self.isRule) = (name, sql, passesOver, isRule)
  }

  /// What people call it.
  var word: String { isRule ? "rule" : "trigger" }
}
