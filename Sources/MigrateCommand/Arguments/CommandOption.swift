/// The facts about an option for the parser and the help page.
struct OptionSpec: Sendable {
  /// The name without the dashes.
  let name: String
  /// The name of the value in the help; nil for a switch, which takes none.
  let placeholder: String?
  /// One sentence without a full stop.
  let help: String
  /// The default as the help shows it.
  var defaultText: String?
  /// The variables to read, in order, if the option is not given.
  var environment: [String] = []
  /// All valid values, if they can be listed.
  var choices: [String] = []
  /// Whether its value may be left out.
  var isValueOptional = false
  /// Whether a shell completes its value with names of files.
  var isPath = false
  /// Whether it may be given several times.
  var isRepeatable = false

  var spelling: String { "--" + name }
  var isSwitch: Bool { placeholder == nil }
}

/// An option with a value. Parser, help and reading all use this declaration.
struct CommandOption<Value: Sendable>: Sendable {
  let spec: OptionSpec
  /// Finishes the sentence "Option '--keep' takes …".
  let expected: String
  /// nil if the text is not a valid value.
  let read: @Sendable (String) -> Value?
}

extension CommandOption where Value == String {
  static func text(
    _ name: String, _ placeholder: String, _ help: String, expected: String,
    default text: String? = nil, isValueOptional: Bool = false
  ) -> Self {
    Self(
      spec: OptionSpec(
        name: name, placeholder: placeholder, help: help, defaultText: text,
        isValueOptional: isValueOptional),
      expected: expected, read: { $0.isEmpty ? nil : $0 })
  }

  static func path(
    _ name: String, _ placeholder: String, _ help: String, default text: String? = nil,
    environment: [String] = [], isRepeatable: Bool = false
  ) -> Self {
    Self(
      spec: OptionSpec(
        name: name, placeholder: placeholder, help: help, defaultText: text,
        environment: environment, isPath: true, isRepeatable: isRepeatable),
      expected: "a path",
      read: { $0.isEmpty ? nil : $0 })
  }

  static func word(_ name: String, _ placeholder: String, _ help: String, default text: String)
    -> Self
  {
    Self(
      spec: OptionSpec(name: name, placeholder: placeholder, help: help, defaultText: text),
      expected: "a name",
      read: { $0.isEmpty ? nil : $0 })
  }
}

extension CommandOption where Value: FixedWidthInteger {
  /// Digits only: a sign is refused, and leading zeros are ignored, as in the names of migrations.
  static func number(
    _ name: String, _ placeholder: String, _ help: String, default text: String? = nil
  ) -> Self {
    Self(
      spec: OptionSpec(name: name, placeholder: placeholder, help: help, defaultText: text),
      expected: "a whole number from 0",
      read: { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Value($0) : nil })
  }
}

extension CommandOption where Value == Double {
  static func seconds(_ name: String, _ help: String, default text: String) -> Self {
    Self(
      spec: OptionSpec(name: name, placeholder: "SECONDS", help: help, defaultText: text),
      expected: "a number of seconds from 0",
      read: { text in
        // `Double` would also accept `nan`, `1e3` and `0x10`.
        let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        return isPlain ? Double(text) : nil
      })
  }
}

extension CommandOption where Value: RawRepresentable, Value.RawValue == String {
  static func choice(
    _ name: String, _ placeholder: String, of values: [Value], _ help: String,
    default text: String? = nil
  ) -> Self {
    Self(
      spec: OptionSpec(
        name: name, placeholder: placeholder, help: help, defaultText: text,
        choices: values.map(\.rawValue)),
      expected: list(values.map(\.rawValue), "or"),
      read: { Value(rawValue: $0) })
  }
}
