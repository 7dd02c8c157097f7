/// A history in words.
extension History {
  func disagreement(_ text: String) -> Disagreement {
    Disagreement(
      seed: seed,
      description: "SEEDBED_SEED=\(seed) disagrees: \(text)\n"
        + log.map(describe).joined(separator: "\n"))
  }

  private func describe(_ event: Event) -> String {
    switch event {
    case .text(let text): text
    case .release(let release): describe(release)
    }
  }

  private func describe(_ release: Release) -> String {
    let policies = catalogPolicies.indices.map {
      (release.policies?[$0] ?? Policy()).over(catalogPolicies[$0])
    }
    return
      "release \(release.version) \(zip(shape.tables, policies).map { $1.json($0) })\n"
      + release.files.map {
        "  \($0.name(in: source.shape))\n    "
          + $0.csv(source.shape.tables[$0.table]).split(separator: "\n").joined(separator: "\n    ")
      }.joined(separator: "\n")
  }
}
