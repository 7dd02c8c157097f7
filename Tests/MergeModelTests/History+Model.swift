/// The model of the database that a history is played on.
extension History {
  /// The model of the database as it is.
  func model(_ rows: [[[Cell]]], isNew: Bool = false) throws -> Model {
    var lastIds: [Int: Int64] = [:]
    for (index, table) in shape.tables.enumerated() where table.isAutoincrement {
      lastIds[index] = isNew ? 0 : try lastID(of: table)
    }
    var model = Model(shape, rows, left: left, lastIds: lastIds)
    if !isNew {
      model.holders = try holders()
      model.skipped = try skipped()
    }
    return model
  }

  /// The rows that the log says were skipped for want of a parent. A name that no row has is no
  /// key.
  private func skipped() throws -> Set<Skipped> {
    guard try bench.device.has("seedbed_conflicts") else { return [] }
    let rows = try bench.device.rows(
      """
      SELECT table_name, version, key FROM seedbed_conflicts
      WHERE resolution = 'skipped' AND base IS NULL
      """)
    return Set(
      rows.compactMap { row in
        guard case .text(let name) = row[0], case .integer(let version) = row[1],
          case .text(let json) = row[2],
          let table = shape.tables.firstIndex(where: { $0.name == name })
        else { return nil }
        let target = shape.tables[table]
        let values = CellJSON.columns(json) ?? [:]
        let key = target.key.compactMap { values[target.columns[$0].name] }
        if key.count < target.key.count { return nil }
        return Skipped(version: Int(version), key: shape.rowKey(key, table))
      })
  }

  private func holders() throws -> [Holder] {
    guard try bench.device.has("seedbed_conflicts") else { return [] }
    let rows = try bench.device.rows(
      """
      SELECT table_name, CASE WHEN moved_to IS NULL THEN mine ELSE key END, seed, moved_to
      FROM seedbed_conflicts
      WHERE moved_to IS NOT NULL OR kind = 'uniqueTaken' AND resolution = 'keptUser'
        AND mine IS NOT NULL AND base IS NULL
      ORDER BY id
      """)
    var holders: [Holder] = []
    for row in rows {
      guard case .text(let name) = row[0], case .text(let mine) = row[1],
        case .text(let seed) = row[2],
        let table = shape.tables.firstIndex(where: { $0.name == name })
      else { continue }
      let whole = { (json: String) in
        let values = CellJSON.columns(json) ?? [:]
        return shape.tables[table].columns.map { values[$0.name] ?? .null }
      }
      guard case .text(let new) = row[3] else {
        holders.append(Holder(table: table, mine: whole(mine), seed: whole(seed)))
        continue
      }
      // Who made way since has another id.
      let key = shape.tables[table].key[0]
      for index in holders.indices
      where holders[index].table == table && holders[index].mine[key] == whole(mine)[key] {
        holders[index].mine[key] = whole(new)[key]
      }
    }
    return holders
  }
}
