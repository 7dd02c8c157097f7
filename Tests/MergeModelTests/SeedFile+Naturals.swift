/// A reference by natural key, as a file's header says it.
struct NaturalNames: Sendable {
  /// The columns that receive a key.
  var columns: [Int]
  /// The columns of the parent that they receive, and those that name its row.
  var parent: Int
  var received: [Int]
  var names: [Int]
  /// Whether it stands for what was there before.
  var isBase = false
  /// `f00:t0.u0`, without `was:`.
  var headers: [String]

  /// As the file has them, and the log where no row has the name.
  var fullHeaders: [String] { headers.map { isBase ? "was:" + $0 : $0 } }
}

extension SeedFile {
  /// One column of the file.
  struct Field {
    var header: String
    var column: Int?
    var isBase = false
    var value: (SeedRow) -> Cell
  }

  /// In the order of the header.
  func fields(_ table: TableShape) -> [Field] {
    var fields: [Field] = []
    if kind == .update {
      for (place, column) in table.key.enumerated() {
        fields.append(
          Field(header: table.columns[column].name, column: column) { ($0.newKey ?? $0.key)[place] }
        )
      }
    }
    for (place, column) in columns.enumerated() {
      fields.append(Field(header: table.columns[column].name, column: column) { $0.values[place] })
    }
    for (place, column) in table.key.enumerated() where keyChanges.contains(column) {
      let header = "was:" + table.columns[column].name
      fields.append(Field(header: header, column: column, isBase: true) { $0.key[place] })
    }
    if kind == .update, !isBaseless {
      for (place, column) in columns.enumerated() {
        let header = "was:" + table.columns[column].name
        fields.append(Field(header: header, column: column, isBase: true) { $0.was[place] })
      }
    }
    for number in naturals.indices { name(number, among: &fields) }
    return fields
  }

  /// Puts the names where the first column that they fill would be.
  private func name(_ number: Int, among fields: inout [Field]) {
    let natural = naturals[number]
    let isFilled = { (field: Field) in
      field.isBase == natural.isBase && field.column.map { natural.columns.contains($0) } ?? false
    }
    guard let place = fields.firstIndex(where: isFilled) else { return }
    fields.removeAll(where: isFilled)
    let names = natural.fullHeaders.enumerated().map { nth, header in
      Field(header: header.contains(",") ? "\"\(header)\"" : header) { $0.names[number][nth] }
    }
    fields.insert(contentsOf: names, at: place)
  }

  /// Whether the name is looked up in the data as it was before the migration.
  func isOld(_ natural: NaturalNames, _ table: TableShape) -> Bool {
    natural.isBase || kind == .delete
      || kind == .update && natural.columns.allSatisfy(table.key.contains)
  }
}
