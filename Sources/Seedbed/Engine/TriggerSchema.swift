/// A trigger of a table, by the text that the engine keeps: `CREATE TRIGGER name BEFORE UPDATE OF …`.
package struct TriggerSchema: Equatable {
  package var name: String
  package var sql: String

  package init(name: String, sql: String) { (self.name, self.sql) = (name, sql) }
}
