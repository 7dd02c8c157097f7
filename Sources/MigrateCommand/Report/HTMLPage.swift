internal import Seedbed
internal import SeedbedAuthoring

/// A page for a browser in one file. It contains style, scripts and data, and loads nothing.
///
/// Its policy allows only this style and these scripts, by their digests. The data are JSON in a
/// script element that browsers do not run. The scripts show them as text, never as HTML.
enum HTMLPage {
  /// Writes a piece of text.
  typealias Writer = (String) throws -> Void
  /// Writes one JSON object.
  typealias Data = (@escaping Writer) throws -> Void

  static func write(data: Data, to write: @escaping Writer) throws {
    try write(head)
    try data { try write(escaped($0)) }
    try write(tail)
  }

  private static let script =
    "'use strict'\n" + base + difference + columns + grid + report + release + suggestions
    + fleet

  private static var head: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
    script-src \(source(script)); style-src \(source(style)); \
    base-uri 'none'; form-action 'none'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Seedbed</title>
    <style>\(style)</style>
    </head>
    <body>
    <a class="skip" href="#main">Skip to the content</a>
    <header></header>
    <main id="main" tabindex="-1">
    <noscript><p>Switch JavaScript on to read this page.</p></noscript>
    </main>
    <footer></footer>
    <script type="application/json" id="data">
    """
  }

  private static var tail: String { "</script>\n<script>\(script)</script>\n</body>\n</html>\n" }

  /// `'sha256-…'`: the name of a text in the policy.
  private static func source(_ text: String) -> String {
    var digest = Digest.of(text)[...]
    var bytes: [UInt8] = []
    while !digest.isEmpty {
      bytes.append(UInt8(digest.prefix(2), radix: 16) ?? 0)
      digest = digest.dropFirst(2)
    }
    return "'sha256-\(String.base64(bytes))'"
  }

  /// In JSON, `<` occurs only in strings. Without it, no text can end the element or begin a
  /// comment.
  private static func escaped(_ json: String) -> String {
    guard json.utf8.contains(UInt8(ascii: "<")) else { return json }
    return json.split(separator: "<", omittingEmptySubsequences: false).joined(separator: "\\u003c")
  }
}

// MARK: the file

extension HTMLPage {
  /// - Throws: `usage` for a name that is not a page's, so that no other file is replaced by
  ///   mistake.
  static func path(_ given: String, _ context: CommandContext) throws -> String {
    guard given.hasSuffix(".html") || given.hasSuffix(".htm") else {
      throw SeedbedError(
        .usage,
        "'\(given.printable)' is not a page. Use a name that ends in .html, such as 'report.html'.")
    }
    return context.settings.absolute(given)
  }

  /// Writes the page completely or not at all, and reports it.
  static func save(_ path: String, _ context: CommandContext, data: Data) throws {
    let file = Files.split(path)
    if Files.kind(file.folder) == .nothing {
      throw SeedbedError(.io, "There is no folder '\(file.folder)'. Create it first.")
    }
    let size = try AtomicFile.write(to: file.name, in: file.folder) { add in
      var (block, size): ([UInt8], Int64) = ([], 0)
      try write(data: data) { piece in
        block += piece.utf8
        size += Int64(piece.utf8.count)
        guard block.count > 1 << 20 else { return }
        try add(block)
        block.removeAll(keepingCapacity: true)
      }
      try add(block)
      return size
    }
    try context.result(
      ["Wrote \(context.shown(path)) (\(Measures.bytes(size))). Open it in a browser."],
      .document([
        ("file", .string(path)), ("outcome", .string("written")), ("bytes", .number(size)),
      ]))
  }
}
