/// The names in a folder, in the order in which the system tells them, "." and ".." left out.
///
/// All names stand in one array of bytes, and those of several folders may follow each other: a
/// thousand folders are looked through without making a string of each name.
package struct Listing: Sendable {
  struct Item: Sendable {
    /// Where in `bytes` its name stands.
    var range: Range<Int>
    var kind: Folder.Entry.Kind
  }

  private(set) var bytes: [UInt8] = []
  private(set) var items: [Item] = []

  func name(of item: Item) -> String { String(decoding: bytes[item.range], as: UTF8.self) }

  mutating func append(_ name: UnsafeRawBufferPointer, _ kind: Folder.Entry.Kind) {
    let start = bytes.count
    bytes.append(contentsOf: name)
    items.append(Item(range: start..<bytes.count, kind: kind))
  }
}
