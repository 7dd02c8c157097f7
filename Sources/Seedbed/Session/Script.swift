/// An SQL file of a migration.
package struct Script {
  /// Its path for error messages, such as `0001_elements/up.sql`.
  package var name: String
  package var bytes: [UInt8]

  package init(name: String, bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }

  /// A statement of the file and the offset at which it begins.
  package struct Piece {
    package var sql: String
    package var line: Int
    package var column: Int
    var offset: Int

    init(sql: String, line: Int, column: Int, offset: Int) {
      (self.sql, self.line, self.column, self.offset) = (sql, line, column, offset)
    }
  }

  /// Something that a statement does to a table of the database.
  package enum Effect: Hashable {
    case create(table: String), drop(table: String), insert(table: String), delete(table: String)
    case update(table: String, column: String)
    /// ALTER TABLE, or CREATE or DROP of an index or a trigger.
    case alter(table: String)

    package var table: String {
      switch self {
      case .create(let table), .drop(let table), .insert(let table), .delete(let table),
        .update(let table, _), .alter(let table):
        table
      }
    }
  }

  /// A statement of an SQL file that is about to run, passed to `onStatement`.
  package struct UpcomingStatement {
    package let place: SeedbedError.Place
    /// The text of the statement.
    package let sql: String
    /// What the statement itself does. Its triggers are not counted.
    package let effects: [Effect]

    package init(place: SeedbedError.Place, sql: String, effects: [Effect]) {
      (self.place, self.sql, self.effects) = (place, sql, effects)
    }
  }

  /// Called with each statement before it runs. What it returns is called when the statement has
  /// run.
  package var onStatement: ((UpcomingStatement) throws -> (() throws -> Void)?)?

  package func place(_ piece: Piece) -> SeedbedError.Place {
    SeedbedError.Place(name, line: piece.line, column: piece.column)
  }
}
