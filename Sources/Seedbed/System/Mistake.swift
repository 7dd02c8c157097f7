/// What the code does wrongly on purpose, so that the crash tests show that they would see it.
package enum Mistake: Sendable {
  /// An error from COMMIT is taken for "rolled back".
  case believesCommitErrors
  /// After a failed fsync the same file is synced once more, and the second answer believed.
  case syncsAgain
  /// A row whose place is taken replaces the one that is there.
  case replacesRows
  /// The end of a file closes a quote that is open.
  case endsQuotes
  /// What follows the last gzip member is passed over.
  case ignoresTrailingBytes
  /// A row file is not held against the digest in the lock.
  case skipsDigests
  /// What is pending was decided before the write lock, and is not asked again under it.
  case looksBeforeLocking
}

extension Host {
  /// False in an app, where nobody ever sets one.
  func makes(_ mistake: Mistake) -> Bool { !mistakes.isEmpty && mistakes.contains(mistake) }
}
