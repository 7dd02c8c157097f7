/// A text that is compared and ordered by its bytes, whatever they mean: the name of a table or
/// file as it is spelled there, or a value. Swift compares Strings by meaning.
package struct ExactText: TextKey {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (one: Self, other: Self) -> Bool { one.text.isSameText(as: other.text) }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }

  package static func < (one: Self, other: Self) -> Bool {
    one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }
}

extension String {
  /// Whether both have the same bytes.
  package func isSameText(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension Sequence<String> {
  package var asTexts: Set<ExactText> { Set(map { ExactText($0) }) }

  package func contains(text: String) -> Bool { contains { $0.isSameText(as: text) } }
}

/// A text as the key of a dictionary, or in a set.
package protocol TextKey: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  init(_ text: String)
  var text: String { get }
}

extension TextKey {
  package init(stringLiteral text: String) { self.init(text) }
}

extension Sequence where Element: TextKey {
  /// The texts in order.
  package var texts: [String] { sorted().map(\.text) }
}

extension Set where Element: TextKey {
  package func contains(_ text: String) -> Bool { contains(Element(text)) }

  /// - Returns: false if the text was there.
  @discardableResult package mutating func insert(_ text: String) -> Bool {
    insert(Element(text)).inserted
  }
}

extension Dictionary where Key: TextKey {
  package subscript(_ text: String) -> Value? {
    get { self[Key(text)] }
    set { self[Key(text)] = newValue }
  }

  package subscript(_ text: String, default value: @autoclosure () -> Value) -> Value {
    get { self[Key(text), default: value()] }
    _modify { yield &self[Key(text), default: value()] }
  }
}
