internal import Seedbed

extension Verb {
  static let lock = Verb(
    name: "lock",
    summary: "write the lock of the catalog, or check it",
    about: "Writes the sizes, row counts and digests of all files of the catalog to "
      + "seedbed.lock. Commit that file: it is how a device knows that it got what was released.",
    examples: [
      Example("lock", "write Migrations/seedbed.lock"),
      Example("lock --check", "write nothing; exit 3 when it is stale"),
    ],
    options: [LockCommand.check],
    exitCodes: [.done, .failed, .disagreement, .usage],
    run: LockCommand.run)
}

enum LockCommand {
  static let check = OptionSpec(
    name: "check", placeholder: nil, help: "write nothing; exit 3 when the lock is stale")

  static func run(_ session: Session) throws -> ExitCode {
    throw SeedbedError(.usage, "later")
  }
}
