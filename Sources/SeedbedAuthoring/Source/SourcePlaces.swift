import Seedbed

/// Reports errors of a tested release at the lines of its source, because the release's own files
/// no longer exist when the error is read.
struct SourcePlaces {
  let folders: [ReleaseWriter.FolderContent]
  /// The folder in which they are now.
  let directory: String

  func told(_ error: any Error) -> any Error {
    guard let error = error as? SeedbedError, let place = error.place,
      let origin = origin(of: place)
    else { return error }
    let told = SeedbedError(error.code, told(error.message, of: place.file), at: origin)
      .remedied(as: error)
    return error.cause.map { told.because(of: $0) } ?? told
  }

  /// A message may name a second place, where the same key came first.
  private func told(_ message: String, of file: String) -> String {
    for (words, name) in [("first in line ", file)] + names.map({ ($0 + ":", $0) }) {
      guard let found = message.firstRange(of: words) else { continue }
      let digits = message[found.upperBound...].prefix { $0.isASCII && $0.isNumber }
      guard let line = Int(digits), let origin = origin(of: .init(name, line: line)) else {
        continue
      }
      let before = message[..<found.lowerBound]
      let first = words.hasSuffix(":") ? "" : "first at "
      return "\(before)\(first)\(origin.description)\(message[digits.endIndex...])"
    }
    return message
  }

  private var names: [String] {
    folders.flatMap { folder in
      folder.files.filter { $0.origin != nil }.map { "\(folder.name)/\($0.name)" }
    }
  }

  private func origin(of place: SeedbedError.Place) -> SeedbedError.Place? {
    for folder in folders {
      for file in folder.files where "\(folder.name)/\(file.name)" == place.file {
        if let name = file.copied { return .init(name, line: place.line, column: place.column) }
        // The error is reported in any case. This only improves its place.
        guard let origin = file.origin else { continue }
        let record = place.line.flatMap { try? self.record(onLine: $0, of: place.file) }
        guard let found = try? origin(record ?? 0) else { continue }
        return record == nil ? SeedbedError.Place(found.file) : found
      }
    }
    return nil
  }

  /// The number of the record on a line: fields may contain line breaks, so records are counted;
  /// nil if there is none.
  private func record(onLine line: Int, of file: String) throws -> Int? {
    let records = try SourceFile(directory + "/" + file, place: file).records()
    var number = 0
    while try records.advance() {
      if records.line == line { return number }
      number += 1
    }
    return nil
  }
}
