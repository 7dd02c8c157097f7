/// A database engine, as `"engines"` in catalog.json names it.
package enum EngineName: String, Sendable, CaseIterable { case sqlite, postgresql }
