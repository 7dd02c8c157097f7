import Foundation
import Testing
import TestSupport

@testable import Seedbed
@testable import SeedbedAuthoring

/// A catalog and a database of one test, gone with the last reference.
final class Workbench {
  let place: Place

  /// In memory: hundreds of small releases are written.
  init(_ files: [String: String] = [:]) throws {
    place = try Place(in: Place.memory)
    try write(files)
  }

  var path: String { place.path }
  var catalog: String { path + "/Migrations" }
  var database: String { path + "/app.sqlite" }

  @discardableResult
  func write(_ files: [String: String]) throws -> Workbench {
    for (file, text) in files { try place.write("Migrations/" + file, text) }
    return self
  }

  func remove(_ file: String) throws {
    let file = "Migrations/" + file
    if FileManager.default.fileExists(atPath: path + "/" + file) { try place.remove(file) }
  }

  func write(_ file: String, _ bytes: [UInt8]) throws {
    try place.write("Migrations/" + file, bytes)
  }

  func bytes(_ file: String) throws -> [UInt8] { try place.bytes("Migrations/" + file) }

  /// The text of a file, decompressed where its name says so.
  func text(_ file: String) throws -> String {
    let name = URL(fileURLWithPath: file).lastPathComponent
    let folder = URL(fileURLWithPath: catalog + "/" + file).deletingLastPathComponent().path
    let content = try ContentReader(
      try Folder(folder).open(name), place: file, isCompressed: name.hasSuffix(".gz"))
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = try buffer.withUnsafeMutableBytes { try content.read(into: $0) }
      if count == 0 { return String(decoding: text, as: UTF8.self) }
      text += buffer[..<count]
    }
  }

  /// All files of the catalog, their folders included.
  var names: [String] {
    get throws { try FileManager.default.subpathsOfDirectory(atPath: catalog).sorted() }
  }

  func release(
    _ name: String = "next", _ change: (inout Release) throws -> Void = { _ in }
  ) rethrows -> Release {
    var release = Release(directory: catalog, name: name)
    try change(&release)
    return release
  }

  /// The rows that the catalog makes of a table, as a readable CSV.
  func export(_ table: String) throws -> String {
    var csv: [UInt8] = []
    _ = try TableExport.seedRows(of: table, directory: catalog) { csv += $0 }
    return String(decoding: csv, as: UTF8.self)
  }

  @discardableResult
  func make(
    _ name: String = "next", _ change: (inout Release) throws -> Void = { _ in }
  ) throws -> ReleaseSummary { try release(name, change).make() }

  /// A table's seed rows as CSV.
  func exported(_ table: String) throws -> String {
    let pieces = Pieces()
    _ = try TableExport.seedRows(of: table, directory: catalog) { pieces.all.append($0) }
    return pieces.text
  }

  func migrator() throws -> Migrator {
    var options = Migrator.Options()
    options.takesBackup = false
    return Migrator(
      catalog: try Catalog(directory: catalog), at: database, options: options)
  }

  func rows(_ sql: String) throws -> [[Value]] {
    try Connection(database, .readOnly, setup: nil).rows(sql)
  }

  func execute(_ sql: String) throws {
    try Connection(database, .readWrite, setup: nil).executeAll(sql)
  }

  /// What `body` fails with, in one line.
  func failure(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "nothing"
    } catch {
      return "\(error)"
    }
  }
}

/// What somebody handed over piece by piece.
final class Pieces {
  var all: [[UInt8]] = []
  var text: String { String(decoding: all.joined(), as: UTF8.self) }
}
