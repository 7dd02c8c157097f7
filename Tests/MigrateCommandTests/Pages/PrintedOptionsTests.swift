import Foundation
import SeedbedOptions
import TestSupport
import Testing

@testable import MigrateCommand

/// What is printed from the table of options outside the command: for C, SQL, Python and Node.
struct PrintedOptionsTests {
  private static let again: Comment =
    "Print it again: SEEDBED_WRITE_PAGES=1 Scripts/test --filter PrintedOptions"

  @Test func `Python has the types of the options`() throws {
    let made = PythonOptions.text
    #expect(
      try Checkout.printed(made, in: "Python/seedbed/_options.py") == made, Self.again)
    for line in made.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
  }

  @Test func `Node has the names and the types of the options`() throws {
    for (made, file) in [(NodeOptions.kinds, "options.cjs"), (NodeOptions.types, "options.d.cts")] {
      #expect(try Checkout.printed(made, in: "Node/\(file)") == made, Self.again)
    }
  }

  @Test func `seedbed.h lists the options`() throws {
    let made = HeaderOptions.text
    let found = try Checkout.printed(
      made, in: "Sources/CSeedbedExtension/include/seedbed.h",
      between: ("SeedbedOptions. */\n\n", "/* Those of catalog.json"))
    #expect(found == made, Self.again)
  }

  @Test func `the page for every language lists the options`() throws {
    let made = PageOptions.text
    let found = try Checkout.printed(
      made, in: "Documentation/FromAnyLanguage.md",
      between: ("<!-- options: printed by a test -->\n\n", "\n\n<!-- end -->"))
    #expect(found == made, Self.again)
  }

  @Test func `each option is in the table once for each verb`() {
    let all = VerbOption.all + VerbOption.common + VerbOption.last
    for verb in Verb.all {
      let names = verb.allOptions.map(\.name)
      #expect(Set(names).count == names.count, "\(verb.name)")
    }
    for verb in VerbName.allCases {
      for interface in [VerbOption.Interfaces.c, .sql] {
        let names = all.filter { $0.isTaken(by: verb.rawValue, in: interface) }.map(\.name)
        #expect(Set(names).isSubset(of: VerbOption.shared.map(\.name)))
      }
    }
  }

  @Test func `the table knows the verbs of the command, and 'outlook'`() {
    let named = Set(VerbName.allCases.map(\.rawValue))
    #expect(named == Set(Verb.all.map(\.name) + ["outlook"]))
  }
}

// MARK: Python

/// `Python/seedbed/_options.py`
enum PythonOptions {
  static var text: String {
    let options = VerbOption.shared.filter { $0.interfaces.contains(.c) }
    let given = options.filter { !$0.isArgument }
    let verbs: [VerbName] = [.up, .plan, .down, .reseed]
    let classes = verbs.map { verb in
      let bases = verb == .reseed ? "Options" : "Options, Watched"
      return declaration(
        "\(verb.rawValue.capitalized)Options(\(bases), total=False)",
        given.filter { $0.verbs?.contains(verb) == true })
    }
    let operands = unique(options.filter(\.isArgument)).map {
      "\"\($0.python)\": \(type(of: $0.kind))"
    }
    let extensions = unique(given).filter { option in
      !VerbOption.shared.contains { $0.name == option.name && $0.interfaces.contains(.command) }
    }
    let mayBeEmpty = given.filter(\.mayBeEmpty)
    return """
      \"""The options of calls, printed by a test from the table in Sources/SeedbedOptions.\"""

      from typing import Any, Dict, Literal, Mapping, Optional, Sequence, TypedDict, Union

      from ._types import Key, Path, Watched

      \(declaration("Options(TypedDict, total=False)", given.filter { $0.verbs == nil }))
      \(classes.joined(separator: "\n"))

      # What some verbs cannot do without.
      OPERANDS: Dict[str, Any] = {
          \(operands.joined(separator: ",\n    "))}
      # Of the extension alone; and those that may be empty.
      OF_EXTENSION = (\(names(extensions)))
      MAY_BE_EMPTY = (\(names(mayBeEmpty)))

      """
  }

  private static func declaration(_ head: String, _ options: [VerbOption]) -> String {
    let members = options.map { "    \($0.python): \(optional($0.kind))\n" }
    return "\nclass \(head):\n\(members.joined())"
  }

  private static func unique(_ options: [VerbOption]) -> [VerbOption] {
    var names: Set<String> = []
    return options.filter { names.insert($0.name).inserted }
  }

  private static func names(_ options: [VerbOption]) -> String {
    options.map { "\"\($0.python)\"" }.joined(separator: ", ")
  }

  private static func optional(_ kind: VerbOption.Kind) -> String {
    kind.value == .flag ? "bool" : "Optional[\(type(of: kind))]"
  }

  private static func type(of kind: VerbOption.Kind) -> String {
    let one = typeOfOne(kind)
    return kind.isList ? "Union[\(one), Sequence[\(one)]]" : one
  }

  private static func typeOfOne(_ kind: VerbOption.Kind) -> String {
    switch kind.value {
    case .flag: "bool"
    case .text: "str"
    case .path: "Path"
    case .number: "int"
    case .seconds: "float"
    case .choice: "Literal[\(kind.choices.map { "\"\($0)\"" }.joined(separator: ", "))]"
    case .versions: "Mapping[str, int]"
    case .key: "Key"
    }
  }
}

extension VerbOption.Kind {
  fileprivate var isList: Bool { [.several, .severalOrNone].contains(count) }
}

extension VerbOption {
  fileprivate var python: String { name.replacing("-", with: "_") }

  fileprivate var mayBeEmpty: Bool { kind.value == .versions || kind.count == .severalOrNone }

  /// What to write for it in JSON.
  fileprivate func value(quoted: (String) -> String) -> String {
    switch kind.value {
    case .flag: "true or false"
    case .text: "a string"
    case .path: "a path"
    case .number: kind.expected
    case .seconds: "a number of seconds"
    case .choice: list(kind.choices.map(quoted), "or")
    case .versions: "an object with a version for each public key"
    case .key: "a value, an array of the key's values, or an object of its columns"
    }
  }

  /// The value, with what it is for.
  fileprivate func described(quoted: (String) -> String) -> String {
    "\(value(quoted: quoted))\(isRepeatable ? ", or an array of them" : ""). \(purpose)"
  }

  /// What it is for, as a sentence.
  fileprivate var purpose: String {
    let facts = (isRequired ? ["required"] : []) + (defaultText.map { ["default: \($0)"] } ?? [])
    let more = facts.isEmpty ? "" : " (\(facts.joined(separator: "; ")))"
    return help.prefix(1).uppercased() + help.dropFirst() + more + "."
  }

  /// The verbs of calls that take it.
  fileprivate var callers: String? {
    let calls: [VerbName] = [
      .up, .plan, .down, .status, .resolve, .pin, .unpin, .origin, .absent, .reseed, .fill,
    ]
    guard let verbs else { return nil }
    return calls.filter(verbs.contains).map(\.rawValue).joined(separator: ", ")
  }
}

// MARK: Node

/// `Node/options.cjs` and `Node/options.d.cts`
enum NodeOptions {
  private static let options = VerbOption.shared.filter {
    $0.interfaces.isSuperset(of: [.command, .c]) && !$0.isArgument
  }
  private static let verbs: [VerbName] = [
    .up, .plan, .down, .status, .conflicts, .resolve, .pin, .unpin, .origin, .absent, .reseed,
    .fill,
  ]
  private static let watched: [VerbName] = [.up, .plan, .down]

  /// For each verb the names, each with how often it may be given.
  static var kinds: String {
    let lines = verbs.map { verb in
      let taken = options.filter { $0.isTaken(by: verb.rawValue, in: .command) }
      let members =
        taken.map { "  \($0.node): \"\($0.kind.value == .flag ? "flag" : "\($0.kind.count)")\",\n" }
        + ["  signal: \"watch\",\n"] + (watched.contains(verb) ? ["  progress: \"watch\",\n"] : [])
      return "exports.\(verb.rawValue) = {\n\(members.joined())};\n"
    }
    return """
      "use strict";
      // The options of calls, printed by a test from the table in Sources/SeedbedOptions.
      \(lines.joined())
      """
  }

  static var types: String {
    let heads: [(String, VerbName?)] = [
      ("Options extends Cancellable", nil), ("UpOptions extends Options, Watched", .up),
      ("PlanOptions extends Options, Watched", .plan),
      ("DownOptions extends Options, Watched", .down), ("ReseedOptions extends Options", .reseed),
    ]
    let interfaces = heads.map { head, verb in
      let members = options.filter { option in
        verb.map { option.verbs?.contains($0) == true } ?? (option.verbs == nil)
      }
      return "\nexport interface \(head) {\n\(members.map(member).joined())}\n"
    }
    return """
      // The options of calls, printed by a test from the table in Sources/SeedbedOptions.
      import { Cancellable, Path, Watched } from "./index.cjs";
      \(interfaces.joined())
      """
  }

  private static func member(_ option: VerbOption) -> String {
    let comment = HeaderOptions.wrapped(option.purpose, by: "\n   *")
    return "  /** \(comment) */\n  \(option.node)?: \(type(of: option.kind)) | null | undefined;\n"
  }

  private static func type(of kind: VerbOption.Kind) -> String {
    let one =
      switch kind.value {
      case .flag: "boolean"
      case .path: "Path"
      case .number, .seconds: "number"
      case .choice: kind.choices.map { "\"\($0)\"" }.joined(separator: " | ")
      case .text, .versions, .key: "string"
      }
    return kind.isList ? "\(one) | readonly \(one)[]" : one
  }
}

extension VerbOption {
  /// Its name there: `onEdited`.
  fileprivate var node: String {
    let words = name.split(separator: "-")
    return words[0] + words.dropFirst().map(\.capitalized).joined()
  }
}

// MARK: C and SQL

/// The comment in `seedbed.h`.
enum HeaderOptions {
  static var text: String {
    let lines = VerbOption.shared.filter { $0.interfaces.contains(.c) }.map { option in
      let words = option.described { "\"\($0)\"" }
      return "\"\(option.name)\"\(option.callers.map { " of \($0)" } ?? ""): \(words)"
    }
    return "/* " + lines.map { wrapped($0) }.joined(separator: "\n * ") + " */\n\n"
  }

  fileprivate static func wrapped(_ text: String, by separator: String = "\n * ") -> String {
    var (lines, line) = ([String](), "")
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > 94 {
        lines.append(line)
        line = "   "
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return (lines + [line]).joined(separator: separator)
  }
}

/// The table in `Documentation/FromAnyLanguage.md`.
enum PageOptions {
  static var text: String {
    let rows = VerbOption.shared.filter { $0.interfaces.contains(.sql) && !$0.isArgument }.map {
      "| `\($0.name)` | \($0.callers ?? "all") | \($0.described { "`\($0)`" }) |"
    }
    return (["| option | of | value |", "|---|---|---|"] + rows).joined(separator: "\n")
  }
}
