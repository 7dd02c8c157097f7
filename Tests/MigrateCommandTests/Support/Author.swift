/// An author's key, and what is signed with it.
extension Sandbox {
  /// The first test vector of RFC 8032: the same text in each run.
  static let privateKey = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
    -----END PRIVATE KEY-----

    """
  static let publicKey = "ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="

  /// A catalog of one release, locked, with the key in `author.pem`.
  static func withAuthor(_ files: [String: String] = [:]) throws -> Sandbox {
    let sandbox = try withElements(["author.pem": privateKey].merging(files) { $1 })
    try sandbox.do("lock")
    return sandbox
  }

  /// The same with an app that ships release 1 in `App`, and `june.seedbed` with release 2.
  static func withDownload(_ release: [String: String] = more) throws -> Sandbox {
    let sandbox = try withAuthor()
    try sandbox.do("sign --key author.pem")
    for (file, data) in try sandbox.contents() where file.hasPrefix("Migrations/") {
      let name = "App/" + file.dropFirst("Migrations/".count)
      if name.contains(".") { try sandbox.write([name: String(decoding: data, as: UTF8.self)]) }
    }
    try sandbox.write(release)
    for line in ["lock", "sign --key author.pem", "bundle june.seedbed --since 1"] {
      try sandbox.do(line)
    }
    return sandbox
  }

  /// Runs a line that must succeed.
  @discardableResult func `do`(_ line: String) throws -> String {
    let outcome = try Program.run(line.split(separator: " ").map(String.init), in: self)
    guard outcome.code == 0 else { throw Failure(description: "\(line): \(outcome)") }
    return outcome.output
  }
}
