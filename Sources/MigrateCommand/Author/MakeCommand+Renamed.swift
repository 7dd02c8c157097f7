internal import Seedbed
internal import SeedbedAuthoring

// Rows that seem to have got only another key.

extension MakeCommand {
  static func note(
    _ renames: ReleaseSummary.Renames, _ summary: ReleaseSummary, _ context: CommandContext
  ) -> String {
    let (arguments, count) = (context.arguments, Measures.grouped(renames.rows))
    let (one, other) = renames.rows == 1 ? ("is", "was") : ("are", "were")
    // Each of several folders contains some of them.
    let isOne = summary.folders.count == 1
    let file = (summary.compared > 1 ? renames.table + "=" : "") + "renamed.csv"
    let given = context.settings.givenMigrations
    var words = ["make"] + (arguments.operands.isEmpty ? ["NAME"] : arguments.operands)
    if isOne || arguments.has(.amend) { words.append("--amend") }
    words += ["--renamed", file]
    if given != Settings.defaultMigrations { words += ["--migrations", given] }
    return "\(count) of the added rows of '\(renames.table.printable)' \(one) as \(count) of the "
      + "retired ones \(other), such as \(renames.newKey.printable), which was "
      + "\(renames.oldKey.printable). If only their key changed, --renamed keeps users' edits with "
      + "them. "
      + (summary.folders.count > 1 ? "Remove the new folders first. " : "")
      + "The first time, this writes the file for you to look at; the second time, it uses it: "
      + "\(context.program) \(words.map(\.shellWord).joined(separator: " "))"
  }

  static func document(_ renames: ReleaseSummary.Renames) -> JSON {
    .object([
      ("table", .string(renames.table)), ("rows", .number(Int64(renames.rows))),
      ("file", .string(renames.file)),
    ])
  }

  /// Writes the file, and nothing else before its author has checked it.
  static func writeRenamed(
    _ file: Release.TableFile, _ release: Release, _ context: CommandContext
  ) throws -> ExitCode {
    let summary = try release.likelyRenames(of: file.table)
    let found = summary.renames
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
    let place = Files.split(file.path)
    try AtomicFile.write(Array(renames.file.utf8), to: place.name, in: place.folder)
    try context.result(
      [
        "Wrote \(file.shownAs.printable): \(Measures.count(renames.rows, "row")) of "
          + "'\(renames.table.printable)' that \(renames.rows == 1 ? "seems" : "seem") to have "
          + "another key. Look at it, then run this again."
      ], document(summary, isCheck: false, context.settings.migrations))
    return .failed
  }
}
