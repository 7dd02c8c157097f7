package import Seedbed

extension PostgresSession {
  package func read(
    _ reader: RowReader, types: [String],
    onChunk: @escaping (_ fileBytes: Int64, _ rows: Int) throws -> Void
  ) throws -> any FileRows {
    throw SeedbedError(.sql, "PostgreSQL: not written yet.")
  }
}
