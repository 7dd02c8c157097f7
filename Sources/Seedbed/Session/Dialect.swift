package import SeedbedCells

/// The spelling of SQL that engines write differently for the same meaning. What they do
/// differently, such as how rows of a file are read, is in `DatabaseSession`.
package protocol Dialect: AnyObject, Sendable {
  /// How its SQL is divided into tokens.
  var flavour: SQLTokens.Flavour { get }

  // MARK: tables

  /// If the name includes a schema: what to write instead. Otherwise nil.
  func insteadOfSchema(in name: String) -> String?
  /// A table of the database, written so that a temporary table of this connection cannot shadow
  /// it.
  func table(_ name: String) -> String
  /// A table that only this connection sees.
  func temporary(_ name: String) -> String
  /// The part of CREATE INDEX with an index on a temporary table: its name, ON and the table's
  /// name.
  func temporaryIndex(_ name: String, on table: String) -> String
  /// The part of CREATE INDEX with an index on a table of the database.
  func index(_ name: String, on table: String) -> String
  /// The end of CREATE TABLE for a table whose rows are only looked up by key.
  var byKey: String { get }
  /// The rows of a file while they are read: columns `c0`, `c1` … and `line`.
  var fileRows: String { get }
  /// The number of a row of `fileRows`, from 1.
  var fileRow: String { get }
  /// The end of the column list in CREATE TABLE that numbers the rows under that name.
  var numberedRows: String { get }
  /// The type of a primary key that numbers the rows.
  var rowNumber: String { get }

  /// Why a table cannot reserve ids, and how to declare one that can.
  func lacksReserve(_ table: TableSchema) -> (reason: String, declaration: String)

  // MARK: columns and values

  /// A type for a column of another table that compares its values as this column does.
  func type(of column: ColumnSchema, in table: TableSchema) -> String
  /// A type that stores the column's values unchanged.
  func bareType(of column: ColumnSchema) -> String
  /// The type of a file's field for the column.
  func fieldType(of column: ColumnSchema, in table: TableSchema) -> String
  /// Whether the column is declared to hold text.
  func isText(_ column: ColumnSchema, in table: TableSchema) -> Bool

  /// Whether the values of two columns can be compared, so that one may refer to the other.
  func canCompare(_ first: ColumnSchema, _ second: ColumnSchema) -> Bool
  /// How the fields of a file become values of the column.
  func decoder(
    of column: ColumnSchema, in table: TableSchema, blob: BlobEncoding?
  ) throws -> FieldDecoder
  /// Whether a query may compare the column with this text: a server refuses a name in the place of
  /// a number.
  func takes(
    _ text: String, _ column: ColumnSchema, in table: TableSchema, blob: BlobEncoding?
  ) -> Bool
  /// The clause of a generated column, either stored or computed when it is read.
  func computed(_ expression: String, isStored: Bool) -> String
  /// A generated column's name, as the expression of another one has to write it.
  func inComputed(_ name: String, _ expression: String) -> String
  func collated(_ value: String, _ collation: String) -> String
  /// A value, written so that it is compared by its bytes.
  func exactly(_ value: String, _ column: ColumnSchema) -> String
  /// Whether a value is the one that the column's DEFAULT makes.
  func isDefault(
    _ value: String, _ made: String, _ column: ColumnSchema, of table: TableSchema
  ) -> String
  /// Whether two values are the same as far as the column can distinguish them: 1 and 1.0 may not
  /// be.
  func same(_ first: String, _ second: String, _ column: ColumnSchema, of: TableSchema) -> String
  /// A text as `PlainText` compares it.
  func plainText(_ value: String) -> String
  /// The id of an owner's copy of the row that files know by an id: always the same, of the form of
  /// the file's, text of 32 or 36 characters or a UUID.
  func mixed(_ owner: String, _ id: String, _ column: ColumnSchema) -> String
  /// Whether two values differ by the column's own comparison. NULL is a value.
  func differ(_ first: String, _ second: String) -> String
  /// Whether two values differ in any byte.
  func differExactly(_ first: String, _ second: String) -> String
  /// A value of the column's type that no row has, different for each row of the plan; nil if the
  /// type has none.
  func mark(_ row: String, _ column: ColumnSchema, of table: TableSchema) -> Mark?
  /// The greatest id that the column can hold.
  func greatestID(_ column: ColumnSchema) -> Int64
  /// The value of a reference whose natural key has no row, as a text in SQL. No key is equal to
  /// it, and two of them are equal if the natural keys are.
  func unresolved(_ name: String, _ column: ColumnSchema) -> String
  func isUnresolved(_ value: String, _ column: ColumnSchema) -> String
  func isUnresolved(_ value: Value, _ column: ColumnSchema) -> Bool
  /// A text that shows a value of any type exactly.
  func literal(_ value: String) -> String
  /// Any value of a group, among those that a FILTER clause leaves.
  func anyOf(_ value: String, _ filter: String) -> String

  // MARK: triggers

  /// How a trigger or a rule skips a row without an error, and how to let it accept Seedbed's
  /// writes.
  func passesOver(isRule: Bool) -> (how: String, remedy: String)

  // MARK: the ledger

  /// The clause of a column whose rows go with the app's; empty if the app could not empty its
  /// table then.
  func following(_ key: ColumnSchema, of parent: TableSchema) -> String
  /// The seconds between two of its times, as a real number.
  func seconds(from start: String, to end: String) -> String
  /// How it spells the ledger's tables.
  var ledgerWords: LedgerWords { get }

  // MARK: statements

  /// INSERT and UPDATE, spelled so that a row that cannot be written is an error, whatever the
  /// table declares.
  var insert: String { get }
  var update: String { get }
  /// The words before SELECT in an INSERT that gives its own values for ids that the database would
  /// choose.
  var withGivenIDs: String { get }
  /// The most columns that a table can have.
  var mostColumns: Int { get }
  /// Joins two tables so that the planner begins with the first, if the engine has a word for that.
  var orderedJoin: String { get }
  /// Tells the planner what columns of a table hold; nil if it needs no telling.
  func statistics(of columns: String, in table: String) -> String?
  /// Marks the side of a comparison for which no index is to be used, if the engine has a word for
  /// that.
  var notSearched: String { get }
}

/// A value that a row holds while another one gets its own.
package struct Mark {
  package let sql: String
  /// How many files, and rows of each, get different ones.
  package let files: Int
  let room: Int64
  /// False if the column's own rules may refuse it, as those of a domain.
  let isSure: Bool

  package init(sql: String, files: Int = 1 << 27, room: Int64 = 1 << 36, isSure: Bool = true) {
    (self.sql, self.files, self.room, self.isSure) = (sql, files, room, isSure)
  }
}
