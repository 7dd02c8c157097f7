import Testing

@testable import Seedbed

struct NearestTests {
  private let words = ["up", "status", "verify", "onEdited", "onTaken", "description"]

  @Test(arguments: [
    ("stauts", "status"), ("statsu", "status"), ("Status", "status"), ("verfy", "verify"),
    ("onedited", "onEdited"), ("on_taken", "onTaken"), ("desription", "description"),
    ("upp", "up"),
  ])
  func `a misspelt word`(_ text: String, _ word: String) {
    #expect(Nearest.word(to: text, among: words) == word)
  }

  @Test(arguments: ["down", "", "statistics", "x", "verification"])
  func `a word that is near to none`(_ text: String) {
    #expect(Nearest.word(to: text, among: words) == nil)
  }

  @Test func `the nearest of several`() {
    #expect(
      Nearest.word(to: "elements", among: ["element", "elements2", "elements"]) == "elements")
  }
}
