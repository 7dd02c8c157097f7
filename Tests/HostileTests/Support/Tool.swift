import TestSupport

/// Another program, asked for its opinion.
enum Tool {
  /// What it prints, errors too; `input` is its stdin.
  static func run(
    _ name: String, _ arguments: [String], in place: Place, input: [UInt8] = []
  ) throws -> String {
    try Child.run([name] + arguments, in: place.path, input: input).output
  }
}
