/// Finds out why the lock's lines are not those that its head promises: the likeliest reason first.
struct LockDamage {
  let bytes: [UInt8]
  let head: LockHead

  func error() -> SeedbedError {
    let lines = bytes[head.length...].split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, text) in lines.enumerated() {
      if let marker = Self.conflictMarker(text) {
        return SeedbedError.lockConflict(marker, line: index + 4)
      }
      if text.last == 0x0D { return SeedbedError.lockLineEndings(line: index + 4) }
    }
    let complete = lines.count - 1
    if complete < head.lines {
      return SeedbedError.lockTruncated(found: complete + 3, expected: head.lines + 3)
    }
    return SeedbedError.lockEdited(line: editedLine())
  }

  /// What begins a line that git left where two branches disagree.
  static func conflictMarker(_ line: some Collection<UInt8>) -> String? {
    let markers = ["<<<<<<< ", "||||||| ", "=======", ">>>>>>> "]
    guard markers.contains(where: { line.starts(with: $0.utf8) }) else { return nil }
    return String(decoding: line, as: UTF8.self)
  }

  /// The first line that is malformed or disagrees with those before it; nil if all agree.
  private func editedLine() -> Int? {
    let lock: Lock
    do {
      lock = try LockReader.readUnchecked(bytes, head)
    } catch let error {
      return (error as? SeedbedError)?.place?.line
    }
    guard let forged = lock.migrations.firstForged(after: lock.base) else { return nil }
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    return lines.firstIndex { $0.starts(with: (forged.folder + "/ ").utf8) }.map { $0 + 1 }
  }
}
