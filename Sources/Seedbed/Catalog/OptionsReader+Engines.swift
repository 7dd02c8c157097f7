/// The option about engines.
extension OptionsReader {
  private static let example = #"["sqlite", "postgresql"]"#

  /// SQLite's SQL is what the files without an engine in their names hold, so it is always there.
  func engines(_ member: ParsedJSON.Member) throws -> [EngineName] {
    guard case .array(let elements) = member.value.value else {
      throw type(member.key, member.value, "an array of engines, like \(Self.example)")
    }
    var engines: [EngineName] = []
    for element in elements {
      let engine: EngineName = try choice(
        ParsedJSON.Member(key: member.key, position: element.position, value: element))
      if engines.contains(engine) {
        throw error(
          "'engines' holds '\(engine.rawValue)' twice. Keep one of them.", element.position)
      }
      engines.append(engine)
    }
    guard engines.contains(.sqlite) else {
      throw error(
        "'engines' lacks \"sqlite\", which every catalog is for. Write \(Self.example), or leave "
          + "the option out.", member.value.position)
    }
    return engines
  }
}
