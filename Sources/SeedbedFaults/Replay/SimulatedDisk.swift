package import Seedbed

/// A folder as a disk may hold it: what is certain, and what only the kernel knows yet.
///
/// Names are paths below the folder. A file is durable as of its last fsync, a name as of the last
/// fsync of its folder; nothing else is.
package struct SimulatedDisk: Sendable {
  private var files: [File] = []
  /// Names that survive a power cut for certain.
  private var durable: [String: Node] = [:]
  /// Names as every process sees them.
  private var current: [String: Node] = [:]
  /// By folder: what was done to names in it since its last fsync.
  private var unsynced: [String: [NameChange]] = [:]

  private enum Node: Equatable, Sendable {
    case folder
    case file(Int)
  }

  private struct NameChange: Sendable {
    /// A rename changes two names in one step.
    var names: [(String, Node?)]
  }

  private struct File: Sendable {
    var durable: [UInt8]
    var current: [UInt8]
    var unsynced: [Edit] = []
  }

  private enum Edit: Sendable {
    case write(Int, [UInt8])
    case truncate(Int)
  }

  /// A disk on which everything is durable.
  package init(_ image: DiskImage) {
    for folder in image.folders { durable[folder] = .folder }
    for (name, bytes) in image.files {
      durable[name] = .file(files.count)
      files.append(File(durable: bytes, current: bytes))
    }
    current = durable
  }

  /// Of all files that have a name.
  var totalBytes: Int64 {
    current.values.reduce(0) { sum, node in
      if case .file(let index) = node { sum + Int64(files[index].current.count) } else { sum }
    }
  }

  // MARK: what happens

  package mutating func apply(_ change: DiskChange) {
    switch change {
    case .created(let name):
      files.append(File(durable: [], current: []))
      rename([(name, .file(files.count - 1))])
    case .written(let name, let offset, let bytes):
      edit(name, .write(Int(offset), bytes))
    case .truncated(let name, let size):
      edit(name, .truncate(Int(size)))
    case .synced(let name):
      guard case .file(let index)? = current[name] else { return }
      files[index].durable = files[index].current
      files[index].unsynced = []
    case .linked(let from, let to): rename([(to, current[from])])
    case .renamed(let from, let to): rename([(from, nil), (to, current[from])])
    case .removed(let name): rename([(name, nil)])
    case .madeFolder(let name): rename([(name, .folder)])
    case .syncedFolder(let folder):
      for change in unsynced.removeValue(forKey: folder) ?? [] {
        for (name, node) in change.names { durable[name] = node }
      }
    }
  }

  private mutating func rename(_ names: [(String, Node?)]) {
    for (name, node) in names { current[name] = node }
    unsynced[DiskLayer.folder(of: names[0].0), default: []].append(NameChange(names: names))
  }

  private mutating func edit(_ name: String, _ edit: Edit) {
    // A file without a name has no reader after a crash.
    guard case .file(let index)? = current[name] else { return }
    Self.apply(edit, to: &files[index].current)
    files[index].unsynced.append(edit)
  }

  private static func apply(_ edit: Edit, to bytes: inout [UInt8]) {
    switch edit {
    case .write(let offset, let new): write(new[...], at: offset, to: &bytes)
    case .truncate(let size): resize(&bytes, to: size)
    }
  }

  private static func write(_ new: ArraySlice<UInt8>, at offset: Int, to bytes: inout [UInt8]) {
    if bytes.count < offset + new.count { resize(&bytes, to: offset + new.count) }
    bytes.withUnsafeMutableBytes { whole in
      new.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: whole[offset...]).copyMemory(from: $0)
      }
    }
  }

  /// Whole blocks at a time: this is what a replay does most.
  private static func resize(_ bytes: inout [UInt8], to size: Int) {
    let old = bytes
    bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let kept = min(old.count, size)
      old.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(buffer).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: $0[..<kept]))
      }
      UnsafeMutableBufferPointer(rebasing: buffer[kept...]).initialize(repeating: 0)
      count = size
    }
  }

  // MARK: what a crash leaves

  /// After a kill: the kernel lives on and keeps every write.
  package func afterKill() -> DiskImage { image(current) { files[$0].current } }

  /// Whether a power cut could leave anything but what a kill leaves.
  package var hasUnsynced: Bool {
    !unsynced.isEmpty || files.contains { !$0.unsynced.isEmpty }
  }

  /// After a power cut: what was not synced is there, is not there, or is there in part.
  package func afterPowerLoss(_ luck: PowerLoss, _ dice: inout Dice) -> DiskImage {
    var names = durable
    for folder in unsynced.keys.sorted() {
      for change in unsynced[folder] ?? [] where luck.keepsWhole(&dice) {
        for (name, node) in change.names { names[name] = node }
      }
    }
    // In the order of their numbers, so that a seed draws the same again.
    var contents: [Int: [UInt8]] = [:]
    let indices = names.values.compactMap { if case .file(let index) = $0 { index } else { nil } }
    for index in Set(indices).sorted() {
      contents[index] = content(of: files[index], luck, &dice)
    }
    return image(names) { contents[$0] ?? [] }
  }

  private func content(of file: File, _ luck: PowerLoss, _ dice: inout Dice) -> [UInt8] {
    var bytes = file.durable
    for edit in file.unsynced {
      guard case .write(let offset, let new) = edit, luck.tears(&dice) else {
        if luck.keepsWhole(&dice) { Self.apply(edit, to: &bytes) }
        continue
      }
      var place = offset
      while place < offset + new.count {
        let end = min((place / luck.sector + 1) * luck.sector, offset + new.count)
        if dice.chance(50) {
          Self.write(new[(place - offset)..<(end - offset)], at: place, to: &bytes)
        }
        place = end
      }
    }
    return bytes
  }

  private func image(_ names: [String: Node], _ content: (Int) -> [UInt8]) -> DiskImage {
    var image = DiskImage()
    for (name, node) in names {
      // Without its folder a name leads nowhere.
      let folder = DiskLayer.folder(of: name)
      guard folder.isEmpty || names[folder] == .folder else { continue }
      switch node {
      case .folder: image.folders.insert(name)
      case .file(let index): image.files[name] = content(index)
      }
    }
    return image
  }
}

/// What becomes of writes and names that no fsync covered.
package enum PowerLoss: Sendable, Equatable {
  case losesAll
  /// Each one is kept or dropped.
  case drops
  /// Each one is kept, dropped, or kept in part, by sectors of so many bytes.
  case tears(sector: Int)

  fileprivate var sector: Int { if case .tears(let sector) = self { sector } else { 512 } }

  fileprivate func keepsWhole(_ dice: inout Dice) -> Bool {
    self == .losesAll ? false : dice.chance(50)
  }

  fileprivate func tears(_ dice: inout Dice) -> Bool {
    if case .tears = self { dice.chance(40) } else { false }
  }
}
