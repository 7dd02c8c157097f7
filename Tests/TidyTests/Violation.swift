import Testing

/// A house rule that was broken: where, how, and what to do about it.
struct Violation: CustomStringConvertible, Equatable {
  let path: String
  var line: Int?
  /// What was found; it finishes a sentence that starts with the place.
  let found: String
  let remedy: String

  var description: String {
    "\(path)\(line.map { ":\($0)" } ?? ""): \(found). \(remedy)"
  }
}

/// Fails once for each violation, with its remedy.
func expectNone(_ violations: [Violation], _ location: SourceLocation = #_sourceLocation) {
  for violation in violations {
    Issue.record(Comment(rawValue: violation.description), sourceLocation: location)
  }
}
