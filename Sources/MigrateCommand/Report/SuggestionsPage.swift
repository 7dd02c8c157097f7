internal import Seedbed
internal import SeedbedAuthoring

/// The data of the page that `suggestions --html` writes, piece by piece.
enum SuggestionsPage {
  static func write(
    _ entries: [SuggestionReview.Entry], _ review: SuggestionReview,
    to write: @escaping HTMLPage.Writer
  ) throws {
    let head = JSON.object(
      ReportJSON.opening("suggestions") + [
        ("files", .count(review.files)), ("refusedCount", .count(review.refusedCount)),
        (
          "refused",
          .array(review.refused.map { .string($0.description.harmless) })
        ),
      ])
    try write(head.text.dropLast() + #","suggestions":["#)
    for (index, entry) in entries.enumerated() {
      try write((index == 0 ? "" : ",") + line(entry).text)
    }
    try write("]}")
  }

  /// Values are texts as the command shows them, with escapes for what no reader could see.
  private static func line(_ entry: SuggestionReview.Entry) -> JSON {
    let text = ReleaseText(columns: nil)
    let key = entry.row.key.map { field in
      "\(field.name.printable)=\(text.text(field.new ?? field.old ?? .null))"
    }
    let whole = entry.row.fields.map { field in
      "\(field.name.printable)=\(text.text(field.new ?? .null))"
    }
    let isEdit = entry.kind == .edit
    let versions = entry.versions
    let place = entry.place.map(\.description)
    return .object([
      ("id", .string(entry.id)), ("count", .count(entry.count)),
      ("state", .string(entry.state.rawValue)), ("kind", .string(entry.kind.rawValue)),
      ("table", .string(entry.table.printable)),
      ("key", .string(key.joined(separator: ", "))),
      ("column", .optional(entry.column?.printable)),
      ("base", .optional(isEdit ? entry.row.fields.first?.old.map(text.text) : nil)),
      (
        "mine",
        .optional(
          isEdit
            ? entry.row.fields.first?.new.map(text.text)
            : entry.kind == .addition ? whole.joined(separator: "  ") : nil)
      ),
      ("now", .optional(entry.now.map(text.text))),
      ("note", .optional(SuggestionsCommand.note(entry))),
      ("versions", .array([.number(versions.lowerBound), .number(versions.upperBound)])),
      ("place", .optional(place?.printable)),
    ])
  }
}
