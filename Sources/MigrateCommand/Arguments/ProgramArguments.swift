internal import CSeedbedProgram

/// The arguments of this process, with its name first.
enum ProgramArguments {
  /// Swift reads them from /proc, which a container FROM scratch may not have.
  static let all = CommandLine.arguments.isEmpty ? fromSystem() : CommandLine.arguments

  private static func fromSystem() -> [String] {
    var (next, arguments) = (seedbed_arguments(), [String]())
    while let argument = next?.pointee {
      arguments.append(String(cString: argument))
      next = next?.successor()
    }
    return arguments
  }
}
