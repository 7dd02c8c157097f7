/// The check of a migration that runs with foreign keys off, since it rebuilds tables: no
/// violation may be there at the end that was not there before.
///
/// Where enforcement is on, SQLite's own check at COMMIT and that of the merge do this at a cost
/// that follows the change.
final class ForeignKeyChecks {
  private let connection: Connection
  private let isNeeded: Bool
  private var before: [Relation: Int] = [:]

  private struct Relation: Hashable {
    var child: String
    var parent: String
  }

  init(connection: Connection, isNeeded: Bool) {
    self.connection = connection
    self.isNeeded = isNeeded
  }

  func noteOldViolations() throws {
    if isNeeded { before = try count() }
  }

  func refuseNewViolations() throws {
    guard isNeeded else { return }
    for (relation, count) in try count().sorted(by: { $0.key.child < $1.key.child })
    where count > before[relation, default: 0] {
      let more = count - before[relation, default: 0]
      throw SeedbedError(
        .foreignKey,
        "\(more) \(more == 1 ? "row" : "rows") of '\(relation.child)' would refer to "
          + "rows of '\(relation.parent)' that do not exist. The migration was rolled back.")
    }
  }

  private func count() throws -> [Relation: Int] {
    var counts: [Relation: Int] = [:]
    for name in try connection.tableNames() where try connection.object(named: name)?.kind == .table
    {
      let schema = try connection.schema(of: name)
      // SQLite cannot check a table with a broken declaration; preflight names it.
      guard try connection.parentKeys(of: schema).broken.isEmpty else { continue }
      let rows = try connection.rows(
        "SELECT parent, count(*) FROM pragma_foreign_key_check(?) GROUP BY parent", [.text(name)])
      for row in rows {
        let relation = Relation(child: name, parent: row[0].text ?? "")
        counts[relation] = Int(row[1].integer ?? 0)
      }
    }
    return counts
  }

  /// Names the rows behind a COMMIT that SQLite refused.
  static func refusedCommit(on connection: Connection) -> SeedbedError {
    // A check that cannot run says nothing new: the refusal is the error.
    let culprits =
      (try? connection.rows("SELECT \"table\", parent FROM pragma_foreign_key_check LIMIT 1")) ?? []
    let detail = culprits.first.map { row in
      " One is a row of '\(row[0].text ?? "")' whose row of '\(row[1].text ?? "")' is missing."
    }
    return SeedbedError(
      .foreignKey,
      "The SQL of this migration leaves rows that refer to rows which do not exist."
        + (detail ?? "") + " The migration was rolled back.")
  }
}
