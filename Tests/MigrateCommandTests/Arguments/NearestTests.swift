import Testing

@testable import MigrateCommand

struct NearestTests {
  typealias Case = Named<String, String?>

  static let cases: [Case] = [
    Case("the word itself", "status", "status"),
    Case("a letter missing", "statu", "status"),
    Case("a letter too many", "statuss", "status"),
    Case("two letters swapped", "sttaus", "status"),
    Case("two letters wrong of six", "ststis", "status"),
    Case("three letters wrong of six", "stotis?", nil),
    Case("the start of one word only", "conf", "conflicts"),
    Case("the start of none", "xy", nil),
    Case("nothing", "", nil),
    Case("one letter says too little", "s", nil),
  ]

  @Test(arguments: cases) func `the nearest word is`(_ c: Case) {
    #expect(Nearest.to(c.given, among: ["up", "status", "conflicts", "restore"]) == c.expected)
  }

  typealias Pair = Named<(String, String), Int>

  static let pairs: [Pair] = [
    Pair("equal", ("abc", "abc"), 0), Pair("from nothing", ("", "abc"), 3),
    Pair("to nothing", ("abc", ""), 3), Pair("substitution", ("abc", "axc"), 1),
    Pair("insertion", ("abc", "abxc"), 1), Pair("deletion", ("abc", "ac"), 1),
    Pair("swap", ("abcd", "abdc"), 1), Pair("swap at the start", ("ba", "ab"), 1),
    Pair("all of it", ("abc", "xyz"), 3),
  ]

  @Test(arguments: pairs) func `the distance is`(_ c: Pair) {
    #expect(Nearest.distance(c.given.0, c.given.1) == c.expected)
  }
}
