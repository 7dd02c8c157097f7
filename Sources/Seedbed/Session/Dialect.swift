/// What engines spell differently in a statement that means the same.
package protocol Dialect: AnyObject, Sendable {
  // MARK: tables

  /// What to do in place of naming a table's schema; nil if the name has none.
  func insteadOfSchema(in name: String) -> String?
  /// A table of the database: one of the app's own on this connection must not shadow it.
  func table(_ name: String) -> String
  /// A table that only this connection sees.
  func temporary(_ name: String) -> String
  /// What CREATE INDEX says of an index on a temporary table: its name, ON and the table's name.
  func temporaryIndex(_ name: String, on table: String) -> String
  /// What CREATE INDEX says of an index on a table of the database.
  func index(_ name: String, on table: String) -> String
  /// What CREATE TABLE says at its end of a table whose rows are found by their key only.
  var byKey: String { get }
  /// The rows of a file, while they are read: columns `c0`, `c1` … and `line`.
  var fileRows: String { get }
  /// The number of a row of `fileRows`, from 1.
  var fileRow: String { get }
  /// What CREATE TABLE says after its columns to have rows numbered under that name.
  var numberedRows: String { get }
  /// The type of a column that numbers rows and is the primary key.
  var rowNumber: String { get }

  /// Why a table cannot keep ids in reserve, and how to declare one that can.
  func lacksReserve(_ table: TableSchema) -> (reason: String, declaration: String)

  // MARK: columns and values

  /// A type under which a column of another table compares as this one does.
  func type(of column: ColumnSchema, in table: TableSchema) -> String
  /// A type for values just as the column has them.
  func bareType(of column: ColumnSchema) -> String
  /// The type of a file's field that goes into the column.
  func fieldType(of column: ColumnSchema, in table: TableSchema) -> String
  /// Whether the column is declared to hold text.
  func isText(_ column: ColumnSchema, in table: TableSchema) -> Bool
  /// How a file's fields become values of the column.
  func decoder(
    of column: ColumnSchema, in table: TableSchema, blob: BlobEncoding?
  ) throws -> FieldDecoder
  /// The clause of a column that is computed from others, whether asked for or stored.
  func computed(_ expression: String, isStored: Bool) -> String
  /// What another computed column says for one of that name, which is computed from an expression.
  func inComputed(_ name: String, _ expression: String) -> String
  func collated(_ value: String, _ collation: String) -> String
  /// A value to be compared by its bytes.
  func exactly(_ value: String, _ column: ColumnSchema) -> String
  /// Whether a value is what the DEFAULT of its column makes.
  func isDefault(
    _ value: String, _ made: String, _ column: ColumnSchema, of table: TableSchema
  ) -> String
  /// Whether two values are the same by what the column can tell apart: 1 and 1.0 may not be.
  func same(_ first: String, _ second: String, _ column: ColumnSchema, of: TableSchema) -> String
  /// Whether two values differ by the column's own comparison; NULL is a value.
  func differ(_ first: String, _ second: String) -> String
  /// Whether they differ in any byte.
  func differExactly(_ first: String, _ second: String) -> String
  /// A value of the column's type that nobody has, for each row of the plan.
  func mark(_ row: String, _ column: ColumnSchema, of table: TableSchema) -> String
  /// What a reference holds for a name that nobody has, a text in SQL: no key is like it, and two
  /// are the same if the names are.
  func nobody(_ name: String, _ column: ColumnSchema) -> String
  func isUnresolved(_ value: String, _ column: ColumnSchema) -> String
  func isUnresolved(_ value: Value, _ column: ColumnSchema) -> Bool
  /// A text from which any value of any type can be told.
  func literal(_ value: String) -> String
  /// Any of a group's values, of those that a FILTER clause leaves.
  func anyOf(_ value: String, _ filter: String) -> String

  // MARK: triggers

  /// How a trigger or a rule passes a row over without an error, and what lets it pass those of
  /// Seedbed.
  func passesOver(isRule: Bool) -> (how: String, remedy: String)

  // MARK: the ledger

  /// The seconds between two of its times, as a real number.
  func seconds(from start: String, to end: String) -> String
  /// The ledger's tables, `seedbed_` for its name.
  var ledgerSchema: String { get }

  // MARK: statements

  /// INSERT and UPDATE such that a row that cannot be written is an error, whatever the table says.
  var insert: String { get }
  var update: String { get }
  /// What comes before SELECT in an INSERT with values for ids that the database chooses otherwise.
  var withGivenIDs: String { get }
  /// So many columns a table can have.
  var mostColumns: Int { get }
  /// Joins two tables; the planner begins with the first if it can be told so.
  var orderedJoin: String { get }
  /// Marks the side of a comparison by which no index is to be searched, if that can be said.
  var notSearched: String { get }
}
