/// The decompressed content of a catalog's row files, for a run over many databases.
final class ContentCache: Sendable {
  /// In bytes. What does not fit is read from its file each time.
  static let limit: Int64 = 64 << 20

  private struct State {
    var contents: [String: [UInt8]] = [:]
    var room: Int64
    /// Too large for the room there was.
    var passedOver: Set<String> = []
  }

  private let state: Guarded<State>

  init(limit: Int64 = limit) { state = Guarded(State(room: limit)) }

  /// The content of a file, which is read once; nil if there is no room for it.
  func content(
    of file: MigrationFile, in migration: Migration, of catalog: Catalog
  ) throws -> [UInt8]? {
    let place = migration.folder + "/" + file.name
    let key = "\(migration.part)/\(place)"
    // Whoever wants the same file waits for this reader instead of reading it, too.
    return try state.withLock { state in
      if let known = state.contents[key] { return known }
      let promised = file.locked?.contentSize ?? (file.isCompressed ? 0 : file.size)
      if promised > state.room || state.passedOver.contains(key) { return nil }
      var content: [UInt8] = []
      content.reserveCapacity(Int(promised))
      let reader = try ContentReader(
        catalog.open(file, in: migration), place: place, isCompressed: file.isCompressed)
      let room = state.room
      try reader.readAll {
        content += $0
        return Int64(content.count) <= room
      }
      guard Int64(content.count) <= room else {
        state.passedOver.insert(key)
        return nil
      }
      state.room -= Int64(content.count)
      state.contents[key] = content
      return content
    }
  }
}

extension Catalog {
  /// The same, for a run over many databases.
  func cached() -> Catalog {
    var catalog = self
    catalog.cache = ContentCache()
    return catalog
  }
}
