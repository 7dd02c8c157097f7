package import Seedbed

/// What is still to be written.
extension PostgresSession {
  private var pending: SeedbedError { SeedbedError(.sql, "PostgreSQL: not written yet.") }

  package func run(
    _ script: Script, _ rules: ScriptRules,
    onRow: ([(name: String, value: Value)], Script.Piece) throws -> Void
  ) throws { throw pending }

  package func object(named name: String) throws -> (name: String, kind: TableKind)? {
    throw pending
  }
  package func schema(of name: String) throws -> TableSchema { throw pending }
  package func withFixedSchema<Result>(_ body: () throws -> Result) rethrows -> Result {
    try body()
  }
  package func tableNames() throws -> [String] { throw pending }
  package func parentKeys(
    of schema: TableSchema
  ) throws -> (sound: [ParentKey], broken: [BrokenForeignKey]) { throw pending }
  package func childNames(of parent: String) throws -> [String] { throw pending }
  package func brokenChildren(of tables: [String]) throws -> [BrokenForeignKey] { [] }
  package func tableNumbers() throws -> [String: Int64] { throw pending }
  package func triggers(of table: String) throws -> [TriggerSchema] { throw pending }
  package func constantDefault(of column: ColumnSchema) throws -> String? { throw pending }
}
