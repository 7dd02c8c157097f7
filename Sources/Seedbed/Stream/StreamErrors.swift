import SeedbedCells

// Errors of the row files' content.

extension SeedbedError {
  static func gzip(_ message: String, _ file: String) -> SeedbedError {
    SeedbedError(.gzip, message, at: Place(file))
  }

  static func csv(_ message: String, _ place: Place) -> SeedbedError {
    SeedbedError(.csv, message, at: place)
  }

  static func csv(_ fault: CSVFault, _ file: String) -> SeedbedError {
    .csv(CSVWords.of(fault.rule), Place(file, line: fault.line, column: fault.column))
  }

  static func rowsReadTwice(_ file: String) -> SeedbedError {
    SeedbedError(
      .sql,
      "The rows of a file can be read only once by a statement. This is a bug in Seedbed: please "
        + "report it.", at: Place(file))
  }

  static func lockMismatch(_ what: String, found: String, expected: String, _ file: String)
    -> SeedbedError
  {
    // A released migration may not change what it did. The options of later ones may change.
    let mayChange = file == "catalog.json" ? "the change is meant" : "it was never released"
    return SeedbedError(
      .catalog,
      "The file's \(what) is \(found), but seedbed.lock says \(expected): the file "
        + "changed after the lock was written. Put the file back, or, "
        + "if \(mayChange), write the lock again.", at: Place(file)
    ).remedied(by: .writeLock)
  }
}

/// The words for damage in a gzip file.
enum GzipWords {
  static let notGzip =
    "The name ends in .gz, but the content is not gzip. Compress it with gzip, or remove .gz from "
    + "its name."
  static let empty = "The file is empty, so it is not gzip data. Copy the whole file again."
  static let twice = "The gzip data holds gzip data: it was compressed twice. Decompress it once."
  static let padding =
    "Zero bytes follow the end of the gzip data. Compress the file again; tools that pad to a "
    + "block size do this."
  static let garbage = "Other bytes follow the end of the gzip data. \(again)"

  static func truncated(_ bytes: Int64) -> String {
    "The gzip data is truncated: it ends after \(bytes) bytes, before its end mark. Copy the whole "
      + "file again."
  }

  /// The error that zlib reported, in its own words.
  static func damaged(_ message: String) -> String {
    let sums = [
      "incorrect data check": "CRC-32 of the gzip data",
      "incorrect length check": "length that the gzip data states",
    ]
    return sums[message].map {
      "The \($0) does not match its content: the file is damaged. \(again)"
    } ?? "The gzip data is damaged (\(message)). \(again)"
  }

  private static let again =
    "Put the file back as it was released, or compress the same rows again."
}
