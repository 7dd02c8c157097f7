import TestSupport

/// What the author does, in releases of two tables of which one refers to the other.
extension DevicesLaw {
  private mutating func text(_ word: String) -> String {
    number += 1
    return "\(word) \(number)"
  }

  mutating func next(_ release: Int) -> Edition {
    var edition = editions[release - 1]
    for id in edition.topics.keys.sorted() {
      if dice.chance(25) { edition.topics[id] = [text("topic")] }
      if dice.chance(12) { edition.topics[id] = nil }
    }
    for _ in 0..<(release == 1 ? 4 : dice.below(3)) {
      edition.topics[1 + dice.below(8)] = [text("topic")]
    }
    let topics = edition.topics.keys.sorted().map { "\($0)" } + [nil]
    for word in edition.words.keys.sorted() {
      if dice.chance(30) { edition.words[word]?[0] = text("gloss") }
      if dice.chance(30) { edition.words[word]?[1] = text("hint") }
      if dice.chance(12) { edition.words[word] = nil }
      let topic = edition.words[word]?[2]
      if dice.chance(20) || !topics.contains(topic) { edition.words[word]?[2] = dice.pick(topics) }
    }
    for _ in 0..<(release == 1 ? 6 : dice.below(4)) {
      edition.words["w\(dice.below(10))"] = [text("gloss"), text("hint"), dice.pick(topics)]
    }
    return edition
  }

  mutating func write(_ release: Int) {
    let (before, after) = (editions[release - 1], editions[release])
    write(
      "\(release)_release/topics", ["id", "name"], before.topics.mapKeys { "\($0)" },
      after.topics.mapKeys { "\($0)" })
    write(
      "\(release)_release/words", ["word", "gloss", "hint", "topic"], before.words, after.words)
  }

  private mutating func write(
    _ name: String, _ header: [String], _ before: [String: [String?]],
    _ after: [String: [String?]]
  ) {
    func put(_ suffix: String, _ header: [String], _ rows: [[String?]]) {
      if rows.isEmpty { return }
      files[name + suffix] = ([header] + rows).map {
        $0.map { $0 ?? "" }.joined(separator: ",") + "\n"
      }.joined()
      log.append("\(name)\(suffix)\n\(files[name + suffix] ?? "")")
    }
    let keys = Set(before.keys).union(after.keys).sorted()
    put(
      ".csv", header,
      keys.compactMap { key in
        before[key] == nil ? after[key].map { [key] + $0 } : nil
      })
    put(
      ".delete.csv", header,
      keys.compactMap { key in
        after[key] == nil ? before[key].map { [key] + $0 } : nil
      })
    put(
      ".update.csv", header + header.dropFirst().map { "was:\($0)" },
      keys.compactMap { key in
        guard let old = before[key], let new = after[key], old != new else { return nil }
        return [key] + new + old
      })
  }
}

extension Dictionary {
  fileprivate func mapKeys<New: Hashable>(_ body: (Key) -> New) -> [New: Value] {
    Dictionary<New, Value>(uniqueKeysWithValues: map { (body($0.key), $0.value) })
  }
}
