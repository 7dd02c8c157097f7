import Seedbed
import SeedbedLines

/// The lines of a text file, one after the other.
final class TextLines {
  private let place: String
  private let mostBytes: Int
  private let read: (UnsafeMutableRawBufferPointer) throws -> Int
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false
  /// The number of the line that `next` returned, from 1.
  private(set) var number = 0
  /// Whether the line that `next` returned has its LF.
  private(set) var isEnded = true
  /// The bytes read from the file.
  private(set) var totalBytes: Int64 = 0

  /// - Parameter read: fills a buffer as far as it can; 0 at the end.
  init(
    place: String, mostBytes: Int, _ read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
  ) {
    (self.place, self.mostBytes, self.read) = (place, mostBytes, read)
  }

  /// The next line without its LF; nil at the end of the file.
  func next() throws -> [UInt8]? {
    number += 1
    var searched = start
    while true {
      if let end = buffer.lineEnd(from: searched) {
        defer { start = end + 1 }
        return Array(buffer[start..<end])
      }
      if isAtEnd {
        isEnded = false
        defer { start = buffer.count }
        return start < buffer.count ? Array(buffer[start...]) : nil
      }
      guard buffer.count - start <= mostBytes else {
        throw SeedbedError(
          .csv, "This line has more than \(mostBytes >> 20) MiB.", at: .init(place, line: number))
      }
      buffer.removeFirst(start)
      start = 0
      searched = buffer.count
      try fill()
    }
  }

  private func fill() throws {
    var block = [UInt8](repeating: 0, count: 256 << 10)
    let count = try block.withUnsafeMutableBytes { try read($0) }
    if count == 0 { isAtEnd = true }
    totalBytes += Int64(count)
    buffer += block.prefix(count)
  }
}
