/// Something that a run needs from a database, and the result of trying it.
package struct EngineNeed: Sendable, Equatable {
  package let name: String
  package let found: String
  /// One sentence; nil if nothing is missing.
  package let remedy: String?

  package init(_ name: String, found: String, remedy: String? = nil) {
    (self.name, self.found, self.remedy) = (name, found, remedy)
  }

  package var isMet: Bool { remedy == nil }
}
