internal import Seedbed
internal import SeedbedAuthoring

// Rows that seem to have got only another key.

extension MakeCommand {
  static func note(_ summary: ReleaseSummary, _ context: CommandContext) -> String {
    let arguments = context.arguments
    // Each of several folders contains some of them.
    let isOne = summary.folders.count == 1
    let given = context.settings.givenMigrations
    var words = ["make"] + (arguments.operands.isEmpty ? ["NAME"] : arguments.operands)
    if isOne || arguments.has(.amend) { words.append("--amend") }
    for renames in summary.renames {
      let file = (summary.renames.count > 1 ? renames.table + "." : "") + "renamed.csv"
      words += ["--renamed", (summary.compared > 1 ? renames.table + "=" : "") + file]
    }
    if given != Settings.defaultMigrations { words += ["--migrations", given] }
    return summary.renames.map(sentence).joined()
      + "If only their key changed, --renamed keeps users' edits with them. "
      + (summary.folders.count > 1 ? "Remove the new folders first. " : "")
      + "The first time, this writes the file for you to look at; the second time, it uses it: "
      + "\(context.program) \(words.map(\.shellWord).joined(separator: " "))"
  }

  private static func sentence(_ renames: ReleaseSummary.Renames) -> String {
    let count = Measures.grouped(renames.rows)
    let (one, other) = renames.rows == 1 ? ("is", "was") : ("are", "were")
    return "\(count) of the added rows of '\(renames.table.printable)' \(one) as \(count) of the "
      + "retired ones \(other), such as \(renames.newKey.printable), which was "
      + "\(renames.oldKey.printable). "
  }

  static func document(_ renames: ReleaseSummary.Renames) -> JSON {
    .object([
      ("table", .string(renames.table)), ("rows", .number(Int64(renames.rows))),
      ("file", .string(renames.file)),
    ])
  }

  /// Writes these files, and nothing else before their author has checked them.
  static func writeRenamed(
    _ files: [Release.TableFile], _ release: Release, _ context: CommandContext
  ) throws -> ExitCode {
    var summary = try release.likelyRenames()
    let all = summary.renames
    summary.renames = try files.map { file in
      let found = all.filter { file.table?.isSameName(as: $0.table) ?? true }
      if found.count > 1 {
        throw SeedbedError(
          .usage,
          "Rows of several tables seem to have another key. Name the table: --renamed "
            + "\(found[0].table)=\(file.shownAs).")
      }
      guard let renames = found.first else {
        throw SeedbedError(
          .io,
          "There is no file '\(file.shownAs)', and no added row is as a retired one was. Name a "
            + "CSV with the columns was:KEY and KEY.")
      }
      return renames
    }
    var lines: [String] = []
    for (file, renames) in zip(files, summary.renames) {
      let place = Files.split(file.path)
      try AtomicFile.write(Array(renames.file.utf8), to: place.name, in: place.folder)
      lines.append(
        "Wrote \(file.shownAs.printable): \(Measures.count(renames.rows, "row")) of "
          + "'\(renames.table.printable)' that \(renames.rows == 1 ? "seems" : "seem") to have "
          + "another key. Look at it, then run this again.")
    }
    try context.result(lines, document(summary, isCheck: false, context.settings.migrations))
    return .failed
  }
}
