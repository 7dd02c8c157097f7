import Foundation
import Seedbed

/// The disagreements of the user and the releases, in words, the newest last.
struct Mine {
  let migrator: Migrator
  let guide: Guide

  func sentences() throws -> [String] {
    let conflicts = try migrator.conflicts()
    if conflicts.isEmpty { return ["You and the guide agree on everything."] }
    return try conflicts.map { conflict in
      let number = conflict.key.values.map(\.description).joined(separator: ", ")
      let name = try guide.name(of: number).map { ", \($0)" } ?? ""
      return "\(conflict.id)  \(number)\(name): \(disagreement(conflict)) \(outcome(conflict))"
    }
  }

  /// Decides differently from the update, or confirms it. The other side undoes that.
  func settle(_ id: Int64, _ side: Migrator.Conflict.Side) throws {
    guard let conflict = try migrator.conflicts().first(where: { $0.id == id }) else {
      throw Trouble("There is no disagreement \(id). See: fieldguide mine")
    }
    if let refusal = try migrator.resolve([conflict], with: side).refused.first {
      throw Trouble(refusal.error.message)
    }
  }

  /// The owner of an element, and the guide's own values if the user changed it.
  func whose(_ element: String) throws -> [String] {
    let number = Int64(try guide.number(of: element)) ?? 0
    guard let origin = try migrator.origin(of: ["number": .integer(number)], in: "elements") else {
      return []
    }
    switch origin.kind {
    case .user: return ["It is yours."]
    case .seed, .deletedSeed: return ["It is the guide's."]
    case .editedSeed:
      let original = try guide.facts(of: element).compactMap { column, value in
        let words = words(origin.original?[column])
        return words == (value.isEmpty ? "nothing" : value) ? nil : "\(column): \(words)"
      }
      return ["It is the guide's, with changes of yours. The guide says:"] + original
    }
  }

  /// Shows what the user corrected. Only if they name a file, it is written there, for them to send
  /// to the guide's authors: it has no name or time, but the words are theirs.
  func suggest(into file: String?) throws -> [String] {
    let suggestions = try migrator.suggestions(tables: ["elements"])
    if suggestions.isEmpty { return ["You corrected nothing."] }
    let sentences = suggestions.map { suggestion in
      "\(suggestion.key.values.map(\.description).joined(separator: ", ")): "
        + "\(suggestion.column ?? ""), \(words(suggestion.base)) → \(words(suggestion.mine))"
    }
    guard let file else {
      return sentences + [
        "To write this, and nothing else, into a file for the authors: fieldguide suggest FILE"
      ]
    }
    let lines = suggestions.map { $0.json + "\n" }.joined()
    try Data(lines.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
    return sentences + ["Written to \(file)."]
  }

  // MARK: words

  private func disagreement(_ conflict: Migrator.Conflict) -> String {
    switch conflict.kind {
    case .edited:
      conflict.columns.map {
        "You changed the \($0.name) to \(words($0.mine)), and the guide changed it from "
          + "\(words($0.base)) to \(words($0.seed))."
      }.joined(separator: " ")
    case .deletedByUser:
      "You deleted it, and the guide changed it: "
        + conflict.columns.map { "\($0.name) \(words($0.seed))" }.joined(separator: ", ") + "."
    case .parentDeleted, .parentTaken:
      "The guide has a new row for it, but it belongs to one that you deleted or replaced."
    case .editedRetired: "The guide dropped it, but you changed it."
    case .referenced: "The guide dropped or renumbered it, but you have notes or answers about it."
    case .keyTaken: "The guide has one with this number, too."
    case .uniqueTaken: "Another one has the symbol or the name that the guide has for it."
    }
  }

  private func outcome(_ conflict: Migrator.Conflict) -> String {
    switch conflict.settled {
    case .mine: return "You kept yours."
    case .seed: return "You took the guide's."
    case nil: break
    }
    return switch conflict.resolution {
    case .keptUser: conflict.kind == .deletedByUser ? "It stays deleted." : "Yours stays."
    case .merged: "Yours stays, and the rest is up to date."
    case .tookSeed: "The guide's was taken."
    case .skipped: "The guide's was left out."
    case .moved:
      "Yours has the number \(conflict.movedTo?.values.first.map(\.description) ?? "") now."
    }
  }

  private func words(_ value: Migrator.Value?) -> String {
    switch value {
    case nil, .null: "nothing"
    case let value?: "\(value)"
    }
  }
}
