internal import Seedbed
internal import SeedbedAuthoring
internal import SeedbedOptions
internal import SeedbedOverTheAir

extension Verb {
  static let sign = Verb(
    name: "sign",
    summary: "sign the lock, for devices that download releases",
    about: "Writes seedbed.lock.sig: the signature of seedbed.lock by an Ed25519 key. An app that "
      + "knows the public key takes bundles that are signed with it. Sign again when the lock has "
      + "changed; several keys may sign. The first signature gives the catalog an id, in "
      + "catalog.json. A key that must not leave its device signs the bytes that --message "
      + "writes. The private key is never printed.",
    examples: [
      Example("sign --new-key author.pem", "make a key, and print the public one for the app"),
      Example("sign --key author.pem", "sign Migrations/seedbed.lock"),
      Example("sign --key - < author.pem", "the same with the key from stdin"),
      Example("sign --message lock.msg", "write what is to be signed elsewhere"),
      Example(
        "sign --message lock.msg --signature lock.bin --public-key ed25519:…",
        "add the signature that was made there"),
    ],
    usesDatabase: false,
    exitCodes: [.done, .failed, .disagreement, .busy, .usage],
    run: SignCommand.run)
}

enum SignCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    let arguments = context.arguments
    try refuseMixture(arguments)
    if let path = try arguments.text(.newKey) {
      try make(path, context)
    } else if let path = try arguments.text(.signingKey) {
      try context.requireMigrations()
      let key = try privateKey(path, context)
      try show(
        try context.namingTheFlag {
          try CatalogSigning.sign(directory: context.settings.migrations, with: key)
        }, context)
    } else if let path = try arguments.text(.message) {
      try context.requireMigrations()
      if let signature = try arguments.text(.signature) {
        try add(signature, of: path, context)
      } else {
        try writeMessage(path, context)
      }
    }
    return .done
  }

  private static func refuseMixture(_ arguments: Arguments) throws {
    let has = { (option: VerbOption) in arguments.names(option) }
    guard [VerbOption.newKey, .signingKey, .message].count(where: has) == 1 else {
      throw SeedbedError(
        .usage,
        "'sign' needs one of '--key FILE', '--new-key FILE' and '--message FILE'. Give one.")
    }
    if has(.signature) != has(.publicKey) || has(.signature) && !has(.message) {
      throw SeedbedError(
        .usage,
        "A signature that was made elsewhere needs '--message FILE', '--signature FILE' and "
          + "'--public-key KEY'. Give all three.")
    }
  }

  /// More than a key, a message or a signature has, with comments around it.
  private static let mostBytes = 64 << 10

  private static func privateKey(_ given: String, _ context: CommandContext) throws -> SigningKey {
    let name = given == "-" ? "stdin" : given
    // The key itself may have been given by mistake, and must not be repeated.
    if given != "-", Files.kind(context.settings.absolute(given)) == .nothing {
      throw SeedbedError(
        .io,
        "'--key' names no file that is here. Name the key's file, or give the key itself by "
          + "standard input: --key -.")
    }
    let bytes =
      given == "-"
      ? try Files.input(of: context, limit: mostBytes)
      : try Files.bytes(of: context.settings.absolute(given), name, limit: mostBytes)
    return try SigningKey(pem: bytes, named: name.printable)
  }

  private static func make(_ given: String, _ context: CommandContext) throws {
    let path = context.settings.absolute(given)
    try refuseMissingFolder(of: path)
    let key = try KeyFile.make(at: path)
    try context.result(
      [
        "Wrote \(context.shown(path)). The public key, for the app:", key.text,
        "Keep a copy of the file where no one else can read it: with it, anyone can sign. Nothing "
          + "can replace it in apps that know this key alone.",
      ], .signing(path, outcome: "keyWritten", keys: [key], context))
  }

  // MARK: a key that is elsewhere

  private static func writeMessage(_ given: String, _ context: CommandContext) throws {
    let path = context.settings.absolute(given)
    try refuseOther(path, given)
    let bytes = try context.namingTheFlag {
      try CatalogSigning.message(directory: context.settings.migrations)
    }
    try ExportCommand.write(path) { try $0(bytes) }
    try context.result(
      ["Wrote \(context.shown(path)). Sign it, and add the signature with --signature."],
      .signing(path, outcome: "messageWritten", keys: [], context))
  }

  /// A slip must not write over a key.
  private static func refuseOther(_ path: String, _ given: String) throws {
    if Files.kind(path) != .file { return }
    let bytes = try? Files.bytes(of: path, given, limit: mostBytes)
    if let bytes, (try? LockSignature(message: bytes, named: given)) != nil { return }
    throw SeedbedError(
      .usage, "'\(given.printable)' exists, and is no message to sign. Name a new file.")
  }

  private static func add(
    _ given: String, of message: String, _ context: CommandContext
  ) throws {
    let settings = context.settings
    let key = try PublicKey(try context.arguments.text(.publicKey) ?? "")
    let bytes = try LockSignature.signature(
      in: try Files.bytes(of: settings.absolute(given), given, limit: mostBytes),
      named: given.printable)
    let signed = try Files.bytes(of: settings.absolute(message), message, limit: mostBytes)
    try show(
      try context.namingTheFlag {
        try CatalogSigning.add(
          bytes, by: key, of: signed, named: message.printable, directory: settings.migrations)
      }, context)
  }

  private static func refuseMissingFolder(of path: String) throws {
    if Files.kind(Files.split(path).folder) == .nothing {
      throw SeedbedError(.io, "There is no folder for that file. Create it first.")
    }
  }

  // MARK: words

  private static func show(_ summary: SigningSummary, _ context: CommandContext) throws {
    let path = context.shown(summary.path)
    let what =
      summary.isChanged ? "Wrote \(path): releases" : "\(path) is up to date: releases"
    try context.result(
      ["\(what) up to \(summary.head)."] + lines(of: summary.keys), .signing(summary, context))
  }

  /// Says what is not signed yet, where releases were only added since.
  static func noteGrowth(_ check: SignatureCheck, _ context: CommandContext) {
    guard let version = check.signedUpTo else { return }
    context.message(
      "\(LockSignature.fileName) is of version \(version). Sign the later releases before you "
        + "bundle them: \(context.program) sign --key FILE.")
  }

  /// `Signed by ed25519:…`
  static func lines(of keys: [PublicKey]) -> [String] { keys.map { "Signed by \($0)" } }
}
