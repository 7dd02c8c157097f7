import Seedbed

/// A file of a new migration.
struct NewFile {
  enum Content {
    case bytes([UInt8])
    /// A file to compress, by its content.
    case compressed([UInt8])
    /// A compressed row file: its header, and a closure that passes its records one by one, so that
    /// a million records need no more memory than one.
    case rows(header: [String], (_ add: ([String]) throws -> Void) throws -> Void)
  }

  var name: String
  var content: Content
  /// The place of the source of a record, by the record's number from 0; nil if it is not from a
  /// source CSV.
  var origin: ((Int) throws -> SeedbedError.Place?)?
  /// The name in errors of the file that this one is a copy of; nil for none.
  var copied: String?

  init(_ name: String, _ bytes: [UInt8], copied: String? = nil) {
    (self.name, content, self.copied) = (name, .bytes(bytes), copied)
  }

  init(_ name: String, compressing bytes: [UInt8]) {
    (self.name, content) = (name, .compressed(bytes))
  }

  init(
    _ name: String, header: [String],
    _ records: @escaping (_ add: ([String]) throws -> Void) throws -> Void
  ) {
    (self.name, content) = (name, .rows(header: header, records))
  }
}
