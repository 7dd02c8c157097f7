package import Seedbed

// Changes that `make` and `sign` make to catalog.json.

extension Catalog {
  /// Whether a migration has a file with the app's own schema.
  package var hasSchemaFile: Bool {
    get throws { try migrations().contains { try authored($0).file(.schema) != nil } }
  }

  /// The path of a file as `source` names it: in the catalog's folder, but not in a migration; nil
  /// for other files.
  package func pathOfSource(_ file: String) -> String? {
    let folder = Paths.absolute(path) + "/"
    let file = Paths.absolute(file)
    guard file.hasPrefix(folder) else { return nil }
    let inside = String(file.dropFirst(folder.count))
    let parts = inside.split(separator: "/", omittingEmptySubsequences: false)
    // A star would match any characters.
    guard !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }),
      !inside.contains("*"), FolderName(String(parts[0])) == .other
    else { return nil }
    return inside
  }

  /// The bytes of catalog.json after a source was added for a table that has none. The rest stays
  /// as it is written.
  ///
  /// - Parameter bytes: the file's present bytes; nil if there is no such file yet.
  package static func optionsFile(
    source: String, of table: String, in bytes: [UInt8]?
  ) throws -> [UInt8] {
    let entry = "\"source\": " + source.json
    let tableEntry = "\(table.json): {\(entry)}"
    guard let bytes else { return Array("{\"tables\": {\(tableEntry)}}\n".utf8) }
    let root = try JSONParser.parse(bytes, file: Lock.optionsName)
    guard let tables = root["tables"] else {
      return inserting("\"tables\": {\(tableEntry)}", into: root, bytes)
    }
    guard case .object(let members) = tables.value,
      let own = members.first(where: { $0.key.isSameName(as: table) })
    else { return inserting(tableEntry, into: tables, bytes) }
    return inserting(entry, into: own.value, bytes)
  }

  /// The bytes of catalog.json after an id was added. The rest stays as it is written.
  ///
  /// - Parameter bytes: the file's present bytes; nil if there is no such file yet.
  static func optionsFile(id: String, in bytes: [UInt8]?) throws -> [UInt8] {
    let member = "\"id\": " + id.json
    guard let bytes else { return Array("{\n  \(member)\n}\n".utf8) }
    let root = try JSONParser.parse(bytes, file: Lock.optionsName)
    return inserting(member, into: root, bytes)
  }

  /// Inserts a first member into an object, with the same white space as the old first member.
  private static func inserting(
    _ member: String, into object: ParsedJSON, _ bytes: [UInt8]
  ) -> [UInt8] {
    guard case .object(let members) = object.value, let lineNumber = object.place.line,
      let column = object.place.column
    else { return bytes }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let start = lines[lineNumber - 1].startIndex + column
    let space = bytes[start...].prefix { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let new = members.isEmpty ? Array(member.utf8) : Array(space) + Array((member + ",").utf8)
    // On a single line, members are separated by a space.
    let gap: [UInt8] = members.isEmpty || !space.isEmpty ? [] : [0x20]
    return Array(bytes[..<start]) + new + gap + Array(bytes[start...])
  }
}
