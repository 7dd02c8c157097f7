/// Lists the catalog's folder and the numbered folders in it, while the caller reads the lock.
///
/// With a thousand migrations these listings are most of what `status` costs. So a thread begins
/// with the last folders at once, and who asks for the result helps from the first ones on.
final class CatalogWalk {
  let root: any ReadableFolder
  private let work: Guarded<Work>
  private let thread: Thread?

  /// Below this size of the lock, some 50 migrations, a thread costs more than it saves.
  private static let sizeForThread: Int64 = 16 << 10

  init(_ root: any ReadableFolder, inParallel: Bool? = nil) {
    self.root = root
    let work = Guarded(Work())
    self.work = work
    let size = root.size(of: Lock.fileName) ?? 0
    guard inParallel ?? (size > Self.sizeForThread) else {
      thread = nil
      return
    }
    // Where no thread can be had, the caller does it all.
    thread = try? Thread {
      Self.listRoot(root, work)
      Self.listFolders(root, work, last: true)
    }
  }

  /// What is in the folders; nil where one of them cannot be listed.
  func result() -> CatalogListing? {
    if thread == nil { Self.listRoot(root, work) }
    Self.listFolders(root, work, last: false)
    thread?.join()
    return work.withLock { work in
      guard !work.hasFailed, let root = work.root else { return nil }
      return CatalogListing(root: root, parts: work.parts)
    }
  }

  private struct Work: Sendable {
    /// nil while it is not listed yet.
    var root: Listing?
    var hasFailed = false
    /// The numbered folders, as places in the root's items, that nobody has taken yet.
    var folders: ArraySlice<Int> = []
    var parts: [CatalogListing.Part] = []

    /// A few of them, so that two threads end at nearly the same time.
    mutating func take(last: Bool) -> ArraySlice<Int> {
      let some = last ? folders.suffix(16) : folders.prefix(16)
      if last { folders.removeLast(some.count) } else { folders.removeFirst(some.count) }
      return some
    }
  }

  private static func listRoot(_ folder: any ReadableFolder, _ work: Guarded<Work>) {
    var root = Listing()
    let isListed = (try? folder.list(".", into: &root)) != nil  // The comparison tells why not.
    work.wait(until: { _ in true }) { work in
      work.hasFailed = !isListed
      work.folders =
        root.items.indices.filter { item in
          root.items[item].kind == .folder
            && root.bytes[root.items[item].range].first?.isDigit == true
        }[...]
      work.root = root
    }
  }

  private static func listFolders(_ folder: any ReadableFolder, _ work: Guarded<Work>, last: Bool) {
    let root = work.wait(until: { $0.root != nil }) { $0.root ?? Listing() }
    var part = CatalogListing.Part()
    var isListed = true
    while isListed {
      let some = work.withLock { $0.take(last: last) }
      if some.isEmpty { break }
      for item in some where isListed {
        let start = part.listing.items.count
        let name = root.name(of: root.items[item])
        // The comparison tells why not.
        isListed = (try? folder.list(name, into: &part.listing)) != nil
        part.folders.append((item, start..<part.listing.items.count))
      }
    }
    work.withLock { work in
      work.parts.append(part)
      if !isListed { work.hasFailed = true }
    }
  }
}

/// What is in the catalog's folder and in its numbered folders, by name only.
struct CatalogListing: Sendable {
  /// What one thread listed.
  struct Part: Sendable {
    var listing = Listing()
    /// Places in the root's items, and those of what is in these folders in the part's own.
    var folders: [(item: Int, files: Range<Int>)] = []
  }

  var root: Listing
  var parts: [Part]
}
