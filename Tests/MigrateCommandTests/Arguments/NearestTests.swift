import Seedbed
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
    Case("the first letter of two", "s", nil),
    Case("the first letter of one", "c", "conflicts"),
  ]

  @Test(arguments: cases) func `the nearest word is`(_ c: Case) {
    #expect(
      Nearest.known(to: c.given, among: ["up", "status", "conflicts", "restore", "show"])
        == c.expected)
  }
}
