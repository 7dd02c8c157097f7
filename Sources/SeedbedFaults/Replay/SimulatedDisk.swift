package import Seedbed

/// A folder on a simulated disk: the durable state, and the changes that only the kernel has so
/// far.
///
/// Names are paths in the folder. The content of a file is durable since its last fsync, and a name
/// since the last fsync of its folder. Nothing else is durable.
package struct SimulatedDisk: Sendable {
  private var files: [File] = []
  /// The names that survive a power cut for certain.
  private var durable: [String: Node] = [:]
  /// The names as every process sees them.
  private var current: [String: Node] = [:]
  /// By folder: the changes to names in it since its last fsync.
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
    for (name, bytes) in image.files where image.links[name] == nil {
      durable[name] = .file(files.count)
      files.append(File(durable: bytes, current: bytes))
    }
    for (name, first) in image.links { durable[name] = durable[first] }
    current = durable
  }

  /// The size of all files that have a name.
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
    // Without a name, no process reads the file after a crash.
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

  /// In whole blocks, since a replay spends most of its time here.
  private static func resize(_ bytes: inout [UInt8], to size: Int) {
    // All empty arrays share one storage, and Swift would write the count there: a race for others.
    guard size > 0 else { return bytes = [] }
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

  /// The disk after a kill: the kernel goes on, and keeps every write.
  package func afterKill() -> DiskImage { image(current) { files[$0].current } }

  /// Whether a power cut could leave anything but the state after a kill.
  package var hasUnsynced: Bool {
    !unsynced.isEmpty || files.contains { !$0.unsynced.isEmpty }
  }

  /// The disk after a power cut: changes without an fsync are kept, lost, or kept in part.
  package func afterPowerLoss(_ luck: PowerLoss, _ dice: inout Dice) -> DiskImage {
    var names = durable
    for folder in unsynced.keys.sorted() {
      for change in unsynced[folder] ?? [] where luck.keepsWhole(&dice) {
        for (name, node) in change.names { names[name] = node }
      }
    }
    // In the order of their numbers, so that a seed repeats the same losses.
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
    var first: [Int: String] = [:]
    for (name, node) in names.sorted(by: { $0.key < $1.key }) {
      // A name is lost with its folder.
      let folder = DiskLayer.folder(of: name)
      guard folder.isEmpty || names[folder] == .folder else { continue }
      switch node {
      case .folder: image.folders.insert(name)
      case .file(let index):
        image.files[name] = content(index)
        if let other = first[index] { image.links[name] = other } else { first[index] = name }
      }
    }
    return image
  }
}

/// The fate of writes and names without an fsync.
package enum PowerLoss: Sendable, Equatable {
  case losesAll
  /// Each one is kept or lost.
  case drops
  /// Each one is kept, lost, or kept in part, in sectors of `sector` bytes.
  case tears(sector: Int)

  fileprivate var sector: Int { if case .tears(let sector) = self { sector } else { 512 } }

  fileprivate func keepsWhole(_ dice: inout Dice) -> Bool {
    self == .losesAll ? false : dice.chance(50)
  }

  fileprivate func tears(_ dice: inout Dice) -> Bool {
    if case .tears = self { dice.chance(40) } else { false }
  }
}
