internal import SeedbedOptions

// What the command makes of the declaration of an option.

extension VerbOption {
  var spelling: String { "--" + name }
  var placeholder: String? { kind.placeholder }
  var isSwitch: Bool { placeholder == nil }
  var isValueOptional: Bool { kind.count == .oneOrNone }
  var isRepeatable: Bool { [.several, .severalOrNone].contains(kind.count) }
  /// Whether a shell completes its value with names of files.
  var isPath: Bool { kind.value == .path }
}
