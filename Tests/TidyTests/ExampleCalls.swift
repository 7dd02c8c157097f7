/// Calls of the functions that an example shows, as an app writes them: from a class of the main
/// actor and from `@main`, with closures that change what belongs to the caller.
struct ExampleCalls {
  private(set) var calls: [String] = []
  /// Functions that no call is written for.
  private(set) var missed: [String] = []

  init(of example: String) {
    var type: Substring?
    for line in example.split(separator: "\n", omittingEmptySubsequences: false) {
      if let match = line.prefixMatch(of: Self.type) { type = match.output.1 }
      if line.first == "}" || type != nil && line.first?.isWhitespace == false && line.last == "}" {
        type = nil
      }
      guard let found = line.firstMatch(of: Self.function), !line.isComment else { continue }
      let before = found.output.1
      // What is private is called by what is not.
      if before.contains("private ") { continue }
      let indent = before.prefix { $0 == " " }.count
      let signature = Signature(found.output.2, example[found.range.upperBound...])
      if indent == (type == nil ? 0 : 2), !before.contains("static "), let signature {
        let receiver = type.map { "(given() as \($0))." } ?? ""
        calls.append(signature.call(on: receiver))
      } else {
        missed.append(line.trimmingPrefix { $0 == " " }.description)
      }
    }
  }

  /// The example with its callers behind it, so that its lines keep their numbers.
  func text(after example: String) -> String {
    let inClass = calls.enumerated().map { number, call in
      "  func call\(number)() async throws { \(call) }"
    }
    return example + """
      @MainActor final class Caller {
        var changes = 0
      \(inClass.joined(separator: "\n").replacing("changes", with: "self.changes"))
      }
      @main struct Program {
        static func main() async throws {
          var changes = 0
          \(calls.joined(separator: "\n    "))
          changes += 1
        }
      }
      func given<Value>() -> Value { fatalError() }

      """
  }

  private static var type: Regex<(Substring, Substring)> {
    #/(?:@\w+ |public |final )*(?:class|struct|actor|enum|extension) ([\w.]+)/#
  }
  private static var function: Regex<(Substring, Substring, Substring)> {
    #/^(.*?)\bfunc (`[^`]+`|\w+)(?:<[^>]*>)?\(/#
  }

  /// A function as its call needs to know it.
  private struct Signature {
    let name: Substring
    let parameters: [Parameter]
    /// What stands between the parameters and the body.
    let effects: Substring

    init?(_ name: Substring, _ rest: Substring) {
      guard let end = rest.endOfParentheses,
        let body = rest[end...].firstIndex(of: "{")
      else { return nil }
      self.name = name
      parameters = rest[..<end].splitAtCommas.compactMap(Parameter.init)
      effects = rest[end..<body]
    }

    func call(on receiver: String) -> String {
      let arguments = parameters.map(\.argument).joined(separator: ", ")
      let marks = [("->", "_ = "), ("throws", "try "), ("async", "await ")]
      return marks.filter { effects.contains($0.0) }.map(\.1).joined() + receiver
        + "\(name)(\(arguments))"
    }
  }

  private struct Parameter {
    let label: Substring
    let type: Substring

    /// Nil for one that has a default.
    init?(_ text: Substring) {
      guard let colon = text.firstIndex(of: ":"), !text.contains(" = ") else { return nil }
      let names = text[..<colon].split { $0.isWhitespace }
      guard let first = names.first else { return nil }
      (label, type) = (first, text[text.index(after: colon)...])
    }

    var argument: String { (label == "_" ? "" : "\(label): ") + value }

    private var value: String {
      guard let arrow = type.firstRange(of: "->"), let open = type.firstIndex(of: "("),
        let end = type[type.index(after: open)...].endOfParentheses
      else { return "given()" }
      let count = type[type.index(after: open)..<end].splitAtCommas.count
      let names = Array(repeating: "_", count: count).joined(separator: ", ")
      let returns = type[arrow.upperBound...].contains("Void") ? "" : "; return given()"
      return "{\(count == 0 ? "" : " \(names) in") changes += 1\(returns) }"
    }
  }
}

extension Substring {
  fileprivate var isComment: Bool { trimmingPrefix { $0 == " " }.hasPrefix("//") }

  /// Where the parenthesis closes in which it begins.
  fileprivate var endOfParentheses: Index? {
    var depth = 1
    return indices.first { index in
      depth += self[index] == "(" ? 1 : self[index] == ")" ? -1 : 0
      return depth == 0
    }
  }

  /// Its parts between the commas that stand in no brackets.
  fileprivate var splitAtCommas: [Substring] {
    var depth = 0
    let parts = split { character in
      if "([".contains(character) { depth += 1 }
      if ")]".contains(character) { depth -= 1 }
      return character == "," && depth == 0
    }
    return parts.filter { !$0.allSatisfy(\.isWhitespace) }
  }
}
