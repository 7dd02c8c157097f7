extension Release {
  /// The files turned round.
  var inverse: Release {
    var inverse = self
    for index in files.indices {
      let file = files[index]
      for (number, row) in file.rows.enumerated() where file.kind == .update {
        inverse.files[index].rows[number].values = row.was
        inverse.files[index].rows[number].was = row.values
        guard let key = row.newKey else { continue }
        inverse.files[index].rows[number].key = key
        inverse.files[index].rows[number].newKey = row.key
      }
      switch file.kind {
      case .update:
        for number in file.naturals.indices {
          inverse.files[index].naturals[number].isBase.toggle()
        }
      case .insert: inverse.files[index].kind = .delete
      case .delete: inverse.files[index].kind = .insert
      }
    }
    return inverse
  }
}
