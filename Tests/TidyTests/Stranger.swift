/// What of the public API the program in Tests/Stranger calls, as far as tokens tell: a variable
/// has the name of its type there, and a call gives all labels.
struct Stranger {
  static let folder = "Tests/Stranger"
  private let files: [[Token]]

  init(_ texts: [String]) { files = texts.map(Token.all) }

  /// - Parameter listed: the lines of Tests/PublicAPI.txt. Overloads of one name need a call each.
  func violations(listed: [String]) -> [Violation] {
    let makeable = Self.makeable(listed)
    var seen: [String: Int] = [:]
    return listed.compactMap { PublicSymbol($0, makeable) }.filter { symbol in
      seen[symbol.name, default: 0] += 1
      return count(of: symbol) < seen[symbol.name, default: 0]
    }.map { symbol in
      Violation(
        path: Self.folder, found: "nothing here has '\(symbol.example)', for '\(symbol.name)'",
        remedy: "Write it there as it stands, with arguments, and expect what comes back.")
    }
  }

  /// The types that an app makes itself, and whose variables it sets.
  private static func makeable(_ listed: [String]) -> Set<Substring> {
    let made = listed.filter { !$0.contains("(rawValue:)") }.compactMap { line in
      line.firstRange(of: ".init(").map { line[..<$0.lowerBound] }
    }
    return Set(made)
  }

  private func count(of symbol: PublicSymbol) -> Int {
    files.map { tokens in
      tokens.indices.filter { symbol.isUsed(in: tokens, at: $0) }.count
    }.reduce(0, +)
  }
}

/// A line of the list, and how its use looks.
private struct PublicSymbol {
  private enum Use { case call, read, assignment, element }

  /// What stands before the colon and its declaration.
  let name: String
  private let words: [String]
  private let labels: [String]
  private let use: Use
  private let isAsync: Bool

  /// Nil for types and cases, and for what `Hashable` asks for.
  init?(_ line: String, _ makeable: Set<Substring>) {
    guard let colon = line.firstRange(of: ": ") else { return nil }
    let declaration = line[colon.upperBound...]
    let (name, list) = Self.split(line[..<colon.lowerBound])
    let path = name.split(separator: ".")
    let kinds = declaration.split { " (?<".contains($0) }
    let isKnown = kinds.contains { ["func", "init", "let", "subscript", "var"].contains($0) }
    guard isKnown, path.count > 1, let member = path.last, member != "==", member != "hash"
    else { return nil }
    let type = path.dropLast()
    self.name = String(line[..<colon.lowerBound])
    isAsync = declaration.contains(" async ")
    // It is the caller's, and never written.
    labels = list.filter { $0 != "isolation" }
    let isStatic = kinds.contains("static")
    let receiver = isStatic ? Self.dotted(type) : [Self.variable(type.last ?? "")]
    switch member {
    case "init": (use, words) = (.call, Self.dotted(type))
    case "subscript": (use, words) = (.element, receiver)
    default:
      words = receiver + [".", String(member)]
      let isSet = kinds.contains("var") && !declaration.hasSuffix("{ get }")
      if kinds.contains("func") {
        use = .call
      } else {
        use =
          isSet && makeable.contains(Substring(type.joined(separator: "."))) ? .assignment : .read
      }
    }
  }

  var example: String {
    let start = (isAsync ? "await " : "") + words.joined()
    return switch use {
    case .call: "\(start)(\(labels.map { "\($0):" }.joined()))"
    case .read: start
    case .assignment: "\(start) ="
    case .element: "\(start)["
    }
  }

  func isUsed(in tokens: [Token], at start: Int) -> Bool {
    let end = start + words.count
    guard end <= tokens.count, tokens[start].text == words.first else { return false }
    let window = tokens[start..<end]
    let before = start > 0 ? tokens[start - 1].text : ""
    guard window.map(\.text) == words, window.dropFirst().allSatisfy(\.isAttached),
      before != ".", isAsync == (before == "await")
    else { return false }
    let rest = tokens[end...]
    switch use {
    case .read: return !rest.beginsAttached("(")
    case .assignment: return rest.first?.text == "=" && !rest.dropFirst().beginsAttached("=")
    case .element: return rest.beginsAttached("[")
    case .call:
      guard rest.beginsAttached("("), let given = Arguments(tokens, after: end) else {
        return false
      }
      return given.labels == labels
        || given.hasClosure && given.labels + labels.suffix(1) == labels
    }
  }

  /// `up(to:progress:)` is `up`, and its labels.
  private static func split(_ name: Substring) -> (Substring, [String]) {
    guard let open = name.firstIndex(of: "(") else { return (name, []) }
    let labels = name[name.index(after: open)...].dropLast().split(separator: ":")
    return (name[..<open], labels.map(String.init))
  }

  private static func dotted(_ path: ArraySlice<Substring>) -> [String] {
    Array(path.map { [String($0)] }.joined(separator: ["."]))
  }

  private static func variable(_ type: Substring) -> String {
    type.prefix(1).lowercased() + type.dropFirst()
  }
}

/// What a call gives.
private struct Arguments {
  private(set) var labels: [String] = []
  /// Whether a closure follows, for the last parameter.
  let hasClosure: Bool

  /// - Parameter open: where its parenthesis opens.
  init?(_ tokens: [Token], after open: Int) {
    var depth = 0
    var parts: [[Token]] = [[]]
    let close = tokens[open...].indices.first { index in
      let token = tokens[index]
      let wasDepth = depth
      if "([{".contains(token.text) { depth += 1 }
      if ")]}".contains(token.text) { depth -= 1 }
      if depth == 1, token.text == "," {
        parts.append([])
      } else if wasDepth > 0, depth > 0 {
        parts[parts.count - 1].append(token)
      }
      return depth == 0
    }
    guard let close else { return nil }
    hasClosure = close + 1 < tokens.count && tokens[close + 1].text == "{"
    // A string has no tokens, but keeps its place.
    if close == open + 1, tokens[close].isAttached { return }
    labels = parts.map { part in
      part.count > 1 && part[1].text == ":" && part[1].isAttached ? part[0].text : "_"
    }
  }
}

extension ArraySlice<Token> {
  fileprivate func beginsAttached(_ text: String) -> Bool {
    first.map { $0.text == text && $0.isAttached } ?? false
  }
}
