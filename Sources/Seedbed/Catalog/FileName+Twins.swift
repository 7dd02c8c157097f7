extension FileName {
  /// The same for PostgreSQL: `up.postgresql.sql`.
  static let twins = fixed.filter { $0.name.utf8.hasSuffix(".sql") }.map {
    (name: twin(of: $0.name), kind: $0.kind)
  }

  /// What PostgreSQL runs instead of a SQL file: `up.postgresql.sql` for `up.sql`.
  package static func twin(of name: String) -> String {
    name.dropLast(".sql".utf8.count) + ".\(EngineName.postgresql.rawValue).sql"
  }

  /// What people call the engines.
  private static let nearEngines: [Substring: EngineName] = [
    "sqlite": .sqlite, "sqlite3": .sqlite, "pg": .postgresql, "psql": .postgresql,
    "pgsql": .postgresql, "postgre": .postgresql, "postgres": .postgresql,
    "postgressql": .postgresql, "postgresql": .postgresql,
  ]

  /// The legal name of SQL with another word for its engine, or elsewhere, such as `up.pg.sql`;
  /// nil for others.
  static func ofEngine(_ name: String) -> String? {
    var parts = name.asciiLowercased().split(separator: ".", omittingEmptySubsequences: false)
    guard let place = parts.firstIndex(where: { nearEngines[$0] != nil }) else { return nil }
    let engine = nearEngines[parts.remove(at: place)]
    let plain = parts.joined(separator: ".")
    guard plain.utf8.hasSuffix(".sql"), fixed.contains(where: { $0.name == plain }) else {
      return nil
    }
    return engine == .sqlite ? plain : twin(of: plain)
  }
}
