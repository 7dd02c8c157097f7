import Seedbed

/// Where the user and the releases disagreed, in words, the newest last.
struct Mine {
  let migrator: Migrator
  let guide: Guide

  func sentences() throws -> [String] {
    let conflicts = try migrator.conflicts()
    if conflicts.isEmpty { return ["You and the guide agree on everything."] }
    return try conflicts.map { "\($0.id)  \(try sentence(for: $0))" }
  }

  private func sentence(for conflict: Migrator.Conflict) throws -> String {
    let number = conflict.key.values.map(\.description).joined(separator: ", ")
    let name = try guide.name(of: number).map { ", \($0)" } ?? ""
    return "\(number)\(name): \(disagreement(conflict)) \(outcome(conflict))"
  }

  private func disagreement(_ conflict: Migrator.Conflict) -> String {
    switch conflict.kind {
    case .edited:
      conflict.columns.map { column in
        "your \(column.name) is \(words(column.mine)), the guide's was \(words(column.base)) and "
          + "is now \(words(column.seed))."
      }.joined(separator: " ").capitalizedFirst
    case .deletedByUser:
      "You deleted it, and the guide has a new "
        + conflict.columns.map { "\($0.name), \(words($0.seed))" }.joined(separator: "; ") + "."
    case .parentDeleted, .parentTaken:
      "The guide has a new row for it, but it belongs to one that you deleted or replaced."
    case .editedRetired: "The guide dropped it, but you changed it."
    case .referenced: "The guide dropped or renumbered it, but you have notes or answers about it."
    case .keyTaken: "The guide has one with this number, too."
    case .uniqueTaken: "Another one has the symbol or the name that the guide has for it."
    }
  }

  private func outcome(_ conflict: Migrator.Conflict) -> String {
    switch conflict.resolution {
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

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
