/// How every connection is opened that Seedbed opens for an app or a program.
package struct ConnectionSetup: Sendable {
  /// The app's own setup: it gives the key, or registers the functions, collations and tokenizers
  /// that its databases need.
  package var body: (@Sendable (_ handle: OpaquePointer) throws -> Void)?
  /// The VFS of the app's own connection to the same file, whose locks and encryption are those of
  /// the file; nil for SQLite's default.
  package var vfs: String?

  package init(
    vfs: String? = nil, _ body: (@Sendable (_ handle: OpaquePointer) throws -> Void)? = nil
  ) {
    (self.vfs, self.body) = (vfs, body)
  }
}
