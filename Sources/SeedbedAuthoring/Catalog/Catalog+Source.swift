package import Seedbed

// What `make` adds to a catalog.json.

extension Catalog {
  /// Whether a migration says what the app does to its own schema.
  package var hasSchemaFile: Bool {
    get throws { try migrations().contains { $0.file(.schema) != nil } }
  }

  /// A path as `source` would name it: below the catalog's folder, in no migration; nil for others.
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

  /// The bytes of catalog.json with the source of a table that has none; everything else stays as
  /// written.
  ///
  /// - Parameter bytes: nil if there is no such file yet.
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

  /// The object gets a first member, set off as the one that was first.
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
    // Between two on one line there is a space.
    let gap: [UInt8] = members.isEmpty || !space.isEmpty ? [] : [0x20]
    return Array(bytes[..<start]) + new + gap + Array(bytes[start...])
  }
}
