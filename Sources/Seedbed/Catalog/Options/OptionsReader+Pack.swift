/// The options that make a catalog a pack: its name, and the release of the base that it needs.
extension OptionsReader {
  /// It becomes a part of the names of tables, which have 63 bytes on a server.
  func packName(_ member: ParsedJSON.Member) throws -> String {
    let name = try string(member)
    let isPlain = name.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F
    }
    if isPlain, name != "base", (1...32).contains(name.utf8.count) { return name }
    throw value(
      member, name, " Use up to 32 of the letters a to z, digits and _, and not 'base'.")
  }

  func baseVersion(_ member: ParsedJSON.Member) throws -> Migrator.Version {
    let members = try object(member, #"an object like {"base": 12}"#)
    for other in members where other.key != "base" {
      throw SeedbedError.catalog(
        "'requires' holds '\(other.key.shortened(to: 40))', and a pack needs nothing but a release "
          + "of the base. Write {\"base\": 12} with its number.", other.place)
    }
    guard let base = members.first else {
      throw SeedbedError.catalog(
        "'requires' is empty. Write {\"base\": 12} with the number of a release.", member.place)
    }
    return try number(base, to: .max, like: 12)
  }

  /// - Throws: if only one of the two is there, or if a policy acts on rows of the base.
  func checkPack(
    _ options: MigrationOptions, _ members: [ParsedJSON.Member], _ place: SeedbedError.Place
  ) throws {
    guard let name = options.packName else {
      guard options.baseVersion != nil else { return }
      throw SeedbedError.catalog(
        "'requires' is for packs, and a pack has a 'name'. Give it one, or remove 'requires'.",
        members.first { $0.key == "requires" }?.place ?? place)
    }
    if options.baseVersion == nil {
      throw SeedbedError.catalog(
        "'name' makes the catalog a pack. Say which release of the base '\(name)' needs: "
          + "\"requires\": {\"base\": 12}.", members.first { $0.key == "name" }?.place ?? place)
    }
    if let adopt = members.first(where: { $0.key == "adopt" }) {
      throw SeedbedError.catalog(
        "'adopt' is for a base: only that is adopted. Remove it.", adopt.place)
    }
    for (table, policies) in options.tables {
      if policies.per != nil {
        throw SeedbedError.catalog(
          "The table '\(table.text.shortened(to: 40))' has \"per\", and rows of a pack come once. "
            + "Let the base have what each owner gets.",
          members.first { $0.key == "tables" }?.place ?? place)
      }
      guard let policy = policies.onTaken, policy.strength < 2 else { continue }
      throw SeedbedError.catalog(
        "The table '\(table.text.shortened(to: 40))' has \"onTaken\": \"\(policy.rawValue)\", and "
          + "in a pack the row in the way may be the base's. Use keepUser or fail.",
        members.first { $0.key == "tables" }?.place ?? place)
    }
  }
}
