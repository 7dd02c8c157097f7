/// Where a thing may stand.
enum Places {
  /// The library shows its values and errors, and the few files that a reader must know.
  static func publicCode(_ file: SourceFile) -> [Violation] {
    guard file.path.hasPrefix("Sources/"), !isFace(file.path) else { return [] }
    return publicLines(in: Token.all(in: file.text)).map { line in
      Violation(
        path: file.path, line: line, found: "this is public outside the faces of the libraries",
        remedy: "Make it internal, or move what users need into Model/, Migrator/ or Beside/.")
    }
  }

  private static func publicLines(in tokens: [Token]) -> [Int] {
    let declarations: Set = ["class", "func", "var", "subscript", "override"]
    return tokens.indices.filter { index in
      // `open` is also the name of a system call.
      let next = index + 1 < tokens.count ? tokens[index + 1].text : ""
      let isOpen = tokens[index].text == "open" && declarations.contains(next)
      return tokens[index].text == "public" || isOpen
    }.map { tokens[$0].line }
  }

  private static let faces: Set = [
    "Sources/Seedbed/Catalog/Catalog.swift",
    "Sources/SeedbedOverTheAir/Catalog+Newest.swift",
    "Sources/SeedbedOverTheAir/Catalog+NewestURL.swift",
    "Sources/MigrateCommand/MigrateCommand.swift",
    "Sources/SeedbedChecks/DeviceChecks.swift",
    "Sources/SeedbedExtension/CFunctions.swift",
    "Sources/SeedbedExtension/Extension.swift",
  ]

  private static func isFace(_ path: String) -> Bool {
    ["Model", "Migrator", "Beside"].contains { path.hasPrefix("Sources/Seedbed/\($0)/") }
      || faces.contains(path)
  }

  /// C is spoken in a few folders only, where faults are injected, and by the example's own
  /// connection, so that everything else is safe Swift.
  static func cModules(_ file: SourceFile) -> [Violation] {
    let folders =
      ["SQLite", "Script", "Stream", "Backup", "System"].map { "Sources/Seedbed/\($0)/" }
      + ["SQLite", "Stream"].map { "Sources/SeedbedAuthoring/\($0)/" }
      + [
        "SeedbedCells/RowCursor.swift", "SeedbedFaults/", "SeedbedPostgres/", "SeedbedExtension/",
        "FieldGuide/Database.swift", "SeedbedChecks/System/",
        "SeedbedOverTheAir/Signature/Ed25519.swift",
      ].map { "Sources/\($0)" }
    let link = "CSeedbedSQLiteLink"
    let linking = "Sources/Seedbed/SQLite/SystemSQLite.swift"
    guard file.path.hasPrefix("Sources/") else { return [] }
    let mayUseC = folders.contains(where: file.path.hasPrefix)
    let modules: Set = [
      "CSeedbedSQLite", "CSeedbedZlib", "CSeedbedCrypto", "CSeedbedPostgres", "CSeedbedSodium",
    ]
    return imports(in: file).filter {
      $0.module == link ? file.path != linking : !mayUseC && modules.contains($0.module)
    }.map {
      Violation(
        path: file.path, line: $0.line, found: "'\($0.module)' is imported here",
        remedy: $0.module == link
          ? "Leave the link to SQLite/SystemSQLite.swift, and import CSeedbedSQLite."
          : "Put a Swift function for it into SQLite/, Stream/, Backup/ or System/.")
    }
  }

  /// Foundation costs a process more time at its start than Seedbed has for all its work.
  static func foundation(_ file: SourceFile) -> [Violation] {
    let isLibrary = ["Seedbed", "SeedbedCells"].contains { file.path.hasPrefix("Sources/\($0)/") }
    guard isLibrary else { return [] }
    let isAllowed = file.path == "Sources/Seedbed/Migrator/Migrator+URL.swift"
    return imports(in: file)
      .filter { $0.module.hasPrefix("Foundation") }
      // Apple's systems have no FoundationEssentials: there it is all in Foundation.
      .filter { !(isAllowed && ["FoundationEssentials", "Foundation"].contains($0.module)) }
      .map {
        Violation(
          path: file.path, line: $0.line, found: "'\($0.module)' is imported here",
          remedy: "Do without: only Migrator/Migrator+URL.swift may, for URL.")
      }
  }

  /// A folder that a test makes for itself stays if the test fails, or has a name of its own.
  static func temporaryFolders(_ file: SourceFile) -> [Violation] {
    guard file.path.hasPrefix("Tests/"), file.path != "Tests/TestSupport/Place.swift" else {
      return []
    }
    let names: Set = ["NSTemporaryDirectory", "temporaryDirectory", "mkdtemp"]
    return Token.all(in: file.text).filter { names.contains($0.text) }.map {
      Violation(
        path: file.path, line: $0.line, found: "'\($0.text)' is called here",
        remedy: "Make a Place, which goes with its test.")
    }
  }

  /// The modules that a file imports, with or without an access level or an attribute.
  static func imports(in file: SourceFile) -> [(module: String, line: Int)] {
    let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
    let tokens = Token.all(in: file.text)
    return tokens.indices.filter { tokens[$0].text == "import" }.compactMap { index in
      tokens[(index + 1)...].first { !kinds.contains($0.text) }.map { ($0.text, $0.line) }
    }
  }
}
