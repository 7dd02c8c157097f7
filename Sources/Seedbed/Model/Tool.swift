/// The program that writes the ledger.
package enum Tool {
  /// The only place that has the version: scripts and plugins read this line.
  package static let version = "0.1.0"
  static let name = "seedbed " + version
}
