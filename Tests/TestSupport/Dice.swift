@_exported import struct SeedbedFaults.Dice

extension Dice {
  package mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[below(elements.count)]
  }
}
