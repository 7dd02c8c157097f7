import SeedbedCells

extension FieldDecoder {
  init(column: ColumnSchema, isStrict: Bool, blob: BlobEncoding?) throws {
    if let blob {
      // Whatever the declared type is, only a blob encoding can put bytes in such a column.
      self = blob == .hex ? .hex : .base64
      return
    }
    let type = column.declaredType.asciiLowercased()
    switch Affinity(of: column, isStrict: isStrict) {
    case .text: self = .verbatim
    case .blob:
      if type.contains("blob") {
        throw SeedbedError(
          .catalog,
          "The column '\(column.name)' is a BLOB. State in catalog.json how its bytes are written: "
            + "\"blobs\": { \"\(column.name)\": \"base64\" } or \"hex\".")
      }
      self = .verbatim
    case .integer: self = type.hasPrefix("bool") ? .boolean : .integer
    case .real: self = .real
    case .numeric where type.hasPrefix("bool"): self = .boolean
    case .numeric:
      let isNumber = ["numeric", "decimal", "number"].contains(where: type.hasPrefix)
      self = isNumber ? .number : .numberOrText
    }
  }
}
