import Testing

@testable import Seedbed

@Suite struct CSVTests {
  @Test(arguments: CSVCase.accepted) func `a file is read as`(_ test: CSVCase) throws {
    try check(test)
  }

  @Test(arguments: CSVCase.refused) func `a file is refused with`(_ test: CSVCase) throws {
    try check(test)
  }

  @Test func `there are at least 120 cases, each with a name of its own`() {
    let names = (CSVCase.accepted + CSVCase.refused).map(\.name)
    #expect(names.count >= 120)
    #expect(Set(names).count == names.count)
  }

  private func check(_ test: CSVCase) throws {
    let file = try ScratchFile(test.content)
    for cut in Cut.all {
      let found = RowText.outcome(file, types: test.types, cut: cut)
      #expect(found == test.expected, "\(cut.testDescription)")
      if found != test.expected { return }
    }
  }

  @Test(arguments: CSVCase.accepted) func `a summary counts the same records`(
    _ test: CSVCase
  ) throws {
    let file = try ScratchFile(test.content)
    for cut in Cut.all {
      let summary = try LockedFile.read(
        try file.open(), place: file.name, isCompressed: false, isRows: true, limits: cut.limits)
      #expect(summary.rows == test.expected.count)
      #expect(summary.contentSize == test.content.count)
      #expect(summary.digest == Digest.of(test.content))
    }
  }
}
