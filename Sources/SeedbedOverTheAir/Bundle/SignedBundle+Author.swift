package import Seedbed

extension SignedBundle {
  /// Reads a whole bundle as a device does that trusts its keys, and every file in it.
  ///
  /// - Throws: for the first thing that a device would refuse.
  package static func check(_ path: String, trusting keys: [PublicKey]) throws(SeedbedError) {
    try SeedbedError.catching {
      let bundle: SignedBundle
      do {
        bundle = try SignedBundle(at: path, trusting: keys)
      } catch let refusal as Refusal {
        throw SeedbedError(
          .catalog, "\(Migrator.PassedOver(path: path, reason: refusal.reason))")
      }
      let layout = bundle.folder.layout
      let catalog = Catalog(download: bundle.folder, bundle.lock, since: layout.since)
      if let finding = try catalog.findings().first { throw finding }
    }
  }
}
