extension String {
  /// At most so many characters, the cut marked with an ellipsis; line breaks become spaces.
  func shortened(to limit: Int) -> String {
    let flat = String(map { $0.isNewline ? " " : $0 })
    return flat.count <= limit ? flat : flat.prefix(limit - 1) + "…"
  }
}
