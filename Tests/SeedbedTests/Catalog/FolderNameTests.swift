import Testing

@testable import Seedbed

struct FolderNameTests {
  @Test(arguments: [
    ("0001_elements", 1, "elements"),
    ("1_a", 1, "a"),
    ("003_iupac-2016_b", 3, "iupac-2016_b"),
    ("20260101120000_weights", 20_260_101_120_000, "weights"),
    ("9223372036854775807_last", Int64.max, "last"),
    ("0000000000000000000000000007_long", 7, "long"),
    ("7__", 7, "_"),
    ("7_-", 7, "-"),
  ])
  func `a migration's folder`(_ name: String, _ version: Version, _ words: String) {
    #expect(FolderName(name) == .migration(version, words: words))
  }

  @Test func `a snapshot's folder`() {
    #expect(FolderName("0120_weights.snapshot") == .snapshot(120, words: "weights"))
    #expect(FolderName("0120.snapshot") == .malformed(nearest: "0120_name"))
    #expect(FolderName("0120_a.b.snapshot") == .malformed(nearest: "0120_a_b"))
    #expect(FolderName("0_a.snapshot") == .zero)
  }

  @Test(arguments: ["data", "README.md", "seedbed.lock", "v0001_x", "_0001_x", "", "٣_x", "１_x"])
  func `not the engine's`(_ name: String) {
    #expect(FolderName(name) == .other)
  }

  @Test(arguments: [
    ("0001", "0001_name"),
    ("0001_", "0001_name"),
    ("0001-elements", "0001_elements"),
    ("0001 elements", "0001_elements"),
    ("0001elements", "0001_elements"),
    ("0001.elements", "0001_elements"),
    ("0001_éléments", "0001_l_ments"),
    ("0001_new elements", "0001_new_elements"),
    ("0003_x.csv", "0003_x_csv"),
  ])
  func `a number without the right words`(_ name: String, _ nearest: String) {
    #expect(FolderName(name) == .malformed(nearest: nearest))
  }

  @Test(arguments: ["9223372036854775808_x", "99999999999999999999_x"])
  func `more than an Int64 holds`(_ name: String) {
    #expect(FolderName(name) == .tooLarge)
  }

  @Test(arguments: ["0_x", "0000_x"])
  func `zero stands for no migration`(_ name: String) {
    #expect(FolderName(name) == .zero)
  }
}
