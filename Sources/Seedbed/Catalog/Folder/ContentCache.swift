/// The decompressed content of a catalog's row files, for a run over many databases.
final class ContentCache: Sendable {
  private struct State {
    /// The content of each file; nil if it was too large for the remaining room.
    var contents: [String: [UInt8]?] = [:]
    /// The remaining room in bytes. A file that does not fit is read again each time.
    var room: Int64
  }

  private let state: Guarded<State>

  init(limit: Int64 = 64 << 20) { state = Guarded(State(room: limit)) }

  /// The content of a file, which is read once; nil if there is no room for it.
  func content(
    of file: MigrationFile, in migration: Migration, of catalog: Catalog
  ) throws -> [UInt8]? {
    let place = migration.place(of: file)
    // Two downloads may be the same part of their catalogs.
    let key = "\(migration.part) \(catalog.owner(of: migration).path)/\(place)"
    // Another thread that wants the same file waits for this one instead of reading it too.
    return try state.withLock { state in
      if let known = state.contents[key] { return known }
      let promised = file.locked?.contentSize ?? (file.isCompressed ? 0 : file.size)
      let room = state.room
      if promised > room { return nil }
      var content: [UInt8] = []
      content.reserveCapacity(Int(promised))
      let reader = try ContentReader(
        catalog.open(file, in: migration), place: place, isCompressed: file.isCompressed)
      try reader.readAll {
        content += $0
        return Int64(content.count) <= room
      }
      let fits = Int64(content.count) <= room
      if fits { state.room -= Int64(content.count) }
      state.contents[key] = .some(fits ? content : nil)
      return fits ? content : nil
    }
  }
}
