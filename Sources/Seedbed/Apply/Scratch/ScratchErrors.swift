extension SeedbedError {
  /// The seed's rows cannot be determined. The versions applied before the error are those of the
  /// scratch database.
  static func unplayable(_ cause: SeedbedError) -> SeedbedError {
    let ofMachine: Set<Code> = [.cancelled, .diskFull, .io, .busy, .protected]
    return cause.with {
      ($0.applied, $0.isDatabaseUnchanged) = ([], true)
      if ofMachine.contains(cause.code) { return }
      $0.message =
        "The database is unchanged. The catalog cannot be played on a scratch database, which "
        + "shows what the seed's rows are: \(cause.message)"
    }
  }

  static func nothingSeeded() -> SeedbedError {
    SeedbedError(.usage, "No applied migration has rows. Apply what is pending first.")
      .remedied(by: .apply)
  }
}
