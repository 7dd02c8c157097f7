import TestSupport

extension SourceMaker {
  /// The author's editor changes line ends and white space, perhaps nothing else.
  mutating func respell(_ release: inout Release, _ dice: inout Dice) {
    if release.files.contains(where: { !$0.keyChanges.isEmpty }) || !dice.chance(40) { return }
    var isChanged = false
    for (table, target) in shape.tables.enumerated() {
      for column in target.columns.indices where target.columns[column].isPlainText {
        for row in source[table].indices where dice.chance(30) {
          guard case .text(let text) = source[table][row][column] else { continue }
          source[table][row][column] = .text(text + dice.pick([" ", "\n", "  \n\t", "\n\n"]))
          isChanged = true
        }
      }
    }
    if isChanged { release.files = files(of: Array(shape.tables.indices), &dice) }
  }
}
