/// A server's URL: libpq's, with `schema` as one more parameter. It says what of it may be shown,
/// which is never a password.
struct ServerURL {
  /// Empty if it is not part of the URL.
  private let user: Substring
  /// Hosts and database: `host:5433/app`.
  private let place: Substring
  private let parameters: [(name: Substring, value: Substring)]
  /// The schema that it names, as it is written there.
  private let writtenSchema: Substring?
  /// The URL as libpq understands it.
  let uri: String
  /// The schema of the tables; nil for what the search path says.
  let schema: String?

  init(_ url: String) {
    let rest = url.drop { $0 != "/" }.dropFirst(2)
    let authority = rest.prefix { $0 != "/" }
    // What comes before may be a password, whatever characters it has.
    let end = authority.lastIndex(of: "@").map { authority.index(after: $0) }
    user = end == nil ? "" : authority.prefix { $0 != "@" && $0 != ":" }
    let body = rest[(end ?? rest.startIndex)...]
    place = body.prefix { $0 != "?" }
    let all = body.dropFirst(place.count + 1).split(separator: "&")
    parameters = all.map { parameter in
      let name = parameter.prefix { $0 != "=" }
      return (name, parameter.dropFirst(name.count + 1))
    }
    writtenSchema = parameters.last { $0.name == "schema" && !$0.value.isEmpty }?.value
    schema = writtenSchema.flatMap(DatabaseURL.decoded)
    let others = zip(all, parameters).filter { $0.1.name != "schema" }.map { $0.0 }
    uri =
      schema == nil
      ? url
      : String(url[..<place.endIndex]) + (others.isEmpty ? "" : "?")
        + others.joined(separator: "&")
  }

  /// The same URL with another schema.
  func with(schema: String) -> ServerURL {
    ServerURL(uri + (uri[place.endIndex...].isEmpty ? "?" : "&") + "schema=" + Self.encoded(schema))
  }

  /// The URL without user, password and parameters but the schema.
  var name: String { "postgresql://\(place)" + (writtenSchema.map { "?schema=\($0)" } ?? "") }

  /// What distinguishes databases and schemas from others of the same server.
  private static let distinguishing: Set<Substring> = [
    "host", "hostaddr", "port", "dbname", "user", "service", "schema",
  ]

  /// The name of one of many databases. It is a URL, too.
  var fullName: String {
    let shown =
      parameters.filter { Self.distinguishing.contains($0.name) }.map { "\($0.name)=\($0.value)" }
      + (searchPath.map { ["options=-csearch_path%3D\($0)"] } ?? [])
    return "postgresql://" + (user.isEmpty ? "" : "\(user)@") + place
      + (shown.isEmpty ? "" : "?" + shown.joined(separator: "&"))
  }

  /// The search path among the server's options, as it is encoded there. Other options may be
  /// secrets.
  private var searchPath: String? {
    let options = parameters.last { $0.name == "options" }?.value ?? ""
    let mark = ["search_path%3D", "search_path%3d", "search_path="].compactMap(options.firstRange)
      .first
    return mark.map { mark in
      let value = options[mark.upperBound...]
      let end = ["%20", "+", " "].compactMap { value.firstRange(of: $0)?.lowerBound }.min()
      return String(value[..<(end ?? value.endIndex)])
    }
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      let isPlain = byte < 0x80 && (character.isLetter || character.isNumber || character == "_")
      let digits = String(byte, radix: 16, uppercase: true)
      return isPlain ? String(character) : "%" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
  }
}
