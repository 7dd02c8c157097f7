package import Seedbed

/// The rows of a file after they were copied to the server.
package final class PostgresFileRows: FileRows {
  private let session: PostgresSession
  private let reader: RowReader
  /// The number of the temporary table for the file's rows; nil for none. A connection has one such
  /// table at a time.
  private let number: Int?
  package internal(set) var rowCount = 0
  /// The line of a row that the server refused.
  package internal(set) var currentLine: Int?
  /// An error in a file is thrown while it is read.
  package var failure: (any Error)? { nil }
  package var totals: RowReader.Totals { reader.totals }
  /// The lines of rows that do not begin on the line after the row before.
  private var breaks: [(row: Int, line: Int)] = []
  private var nextLine = Int.min

  init(_ reader: RowReader, on session: PostgresSession, number: Int?) {
    (self.reader, self.session, self.number) = (reader, session, number)
  }

  deinit {
    if let number, number == session.fileRowsNumber { session.dropFileRows() }
  }

  func add(line: Int) {
    rowCount += 1
    if line != nextLine { breaks.append((rowCount, line)) }
    nextLine = line + 1
  }

  /// The line of the row with this number, counted from 1.
  func line(of row: Int) -> Int? {
    guard row >= 1, row <= rowCount, let last = breaks.last(where: { $0.row <= row }) else {
      return nil
    }
    return last.line + row - last.row
  }
}
