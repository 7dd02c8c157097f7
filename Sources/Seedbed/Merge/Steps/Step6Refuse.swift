/// Step 6: a policy `fail` that met something refuses the release.
extension MigrationMerge {
  /// Returns streamed files to stage first, so that the error lists all rows, theirs too.
  func refuse(beside streamed: [RowFile]) throws -> [RowFile] {
    guard let error = context.findings.refusals.error else { return [] }
    if streamed.isEmpty { throw error }
    return streamed
  }
}
