import TestSupport

extension Dice {
  mutating func digits(_ range: ClosedRange<Int>) -> String {
    let count = Int.random(in: range, using: &self)
    return String((0..<count).map { _ in Character(String(next() % 10)) })
  }

  /// A decimal of any shape and size: `-12.345e-67`.
  mutating func decimal() -> String {
    var text = next() % 2 == 0 ? "" : "-"
    switch next() % 4 {
    case 0: text += digits(1...3)
    case 1: text += digits(1...19)
    case 2: text += digits(1...40)
    default: text += "0"
    }
    if next() % 3 > 0 { text += "." + digits(1...(next() % 2 == 0 ? 4 : 30)) }
    if next() % 2 == 0 {
      text += next() % 2 == 0 ? "e" : "E"
      text += ["", "-", "+"][Int(next() % 3)]
      text += String(next() % (next() % 2 == 0 ? 25 : 340))
    }
    return text
  }

  /// A few characters of those that numbers are made of.
  mutating func nearlyNumber() -> String {
    if next() % 3 == 0 { return decimal() }
    let letters = Array("0011235.-+eE \tx")
    let count = Int.random(in: 0...7, using: &self)
    return String((0..<count).map { _ in letters[Int(next() % UInt64(letters.count))] })
  }
}
