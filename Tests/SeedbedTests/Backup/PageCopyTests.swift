import Testing

@testable import Seedbed

/// A copy, page by page.
struct PageCopyTests {
  @Test func `the step that commits is known before it`() throws {
    let shop = try Workshop()
    try shop.make("delete", pageSize: 512, notes: 5000)
    let source = try shop.open()
    let target = try Connection("", .temporary, setup: nil)
    let count = Int32(try #require(try source.value("PRAGMA page_count")?.integer))
    let copy = try PageCopy(from: source, to: target)
    let (first, isFar) = (try copy.step(pages: count - PageCopy.pagesPerStep - 1), copy.isNearEnd)
    let (second, isNear) = (try copy.step(pages: 1), copy.isNearEnd)
    let last = try copy.step()
    #expect([first, isFar, second, isNear, last] == [false, false, false, true, true])
  }
}
