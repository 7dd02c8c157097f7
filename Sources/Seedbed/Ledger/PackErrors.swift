extension SeedbedError {
  static func baseNotNamed(_ pack: Pack) -> SeedbedError {
    SeedbedError(
      .usage,
      "The catalog is the pack '\(pack.name)', whose rows may refer to those of its base, and the "
        + "base is not named."
    ).remedied(by: .nameBase)
  }

  static func ledgerOfPack(_ pack: Pack) -> SeedbedError {
    SeedbedError(
      .usage,
      "The ledger of a pack follows from its name, and the name that is given is that of the "
        + "base's ledger. Leave '\(pack.ledger)' out.")
  }

  static func ledgerByHand(_ pack: Pack, _ prefix: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "The releases of the pack '\(pack.name)' are in the ledger '\(prefix)'. Bring the pack up to "
        + "date first, which gives it the name '\(pack.ledger)'."
    ).remedied(by: .apply)
  }

  static func notRegistered(_ pack: Pack, _ base: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "The pack '\(pack.name)' is not in the register of packs '\(base)_packs'. Name the ledger of "
        + "its base.")
  }

  static func notAdopted(_ pack: Pack) -> SeedbedError {
    SeedbedError(
      .usage,
      "The catalog is the pack '\(pack.name)', and only a base is adopted. Rows that an app put "
        + "there before are the user's to a pack: let the base have them, or remove them first.")
  }

  /// A new database begins with the base, and then gets the pack.
  package static func begins(_ pack: Pack) -> SeedbedError {
    SeedbedError(
      .usage,
      "The catalog is the pack '\(pack.name)', and a database begins with its base. Make that of "
        + "the base.")
  }

  static func baseLacks(
    _ pack: Pack, _ version: Migrator.Version, of base: Catalog, _ last: Migrator.Version
  ) -> SeedbedError {
    let remedy =
      version == pack.needs ? ", or correct 'requires' in the catalog.json of the pack." : "."
    return SeedbedError(
      .catalog,
      "The pack '\(pack.name)' is played after release \(version) of the base, and the catalog in "
        + "'\(base.path)' has none with that number: its last is \(last). Name the base as it is "
        + "now\(remedy)")
  }

  static func baseTooOld(_ pack: Pack, _ version: Migrator.Version) -> SeedbedError {
    SeedbedError(
      .tooOld,
      "The pack '\(pack.name)' needs release \(pack.needs) of the base, and the database "
        + (version == 0 ? "has no release of it. " : "is at \(version). ")
        + "Bring the base up to date first."
    ).remedied(by: .apply)
  }

  static func packsNeed(_ version: Migrator.Version, _ packs: [Migrator.Pack]) -> SeedbedError {
    let names = packs.map { "'\($0.name)', which needs \($0.needs)" }.listed
    return SeedbedError(
      .usage,
      "At \(version), the base lacks what its packs need: \(names). Remove each first, by its own "
        + "catalog."
    ).remedied(by: .down(to: 0))
  }

  /// What catalog.json of a pack cannot say, no option can.
  static func mayTakeRows(_ pack: Pack, _ policy: Migrator.CollisionPolicy) -> SeedbedError {
    SeedbedError(
      .usage,
      "The pack '\(pack.name)' does not take the policy \(policy.rawValue): the row in the way may "
        + "be the base's. Use keepUser or fail.")
  }
}
