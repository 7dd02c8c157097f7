// swift-tools-version: 6.1
import PackageDescription

// Traits need 6.1. Scripts/checks/test-compiler builds with 6.2.3, the oldest Swift tried, and all tests run
// with 6.3.

// No unsafe flags here: a package that depends on a tag of ours must build.
// The strict flags (warnings as errors and the like) are for our own scripts.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// What our own scripts build in a clone, to run and to test it: quickly. Only what is hot is
// optimised there, and keeps its assertions; a dependent package and what ships is optimised as a
// whole. Unsafe flags would keep others from depending on us, so that only Scripts/build sets this.
let isClone = Context.environment["SEEDBED_CLONE"] == "1"
let isOptimized = Context.environment["SEEDBED_OPTIMIZED"] == "1"
let optimizing = [
  "-O", "-wmo", "-num-threads", "2", "-disable-batch-mode", "-assert-config", "Debug",
]
let strict = ["-warnings-as-errors"]
let tests = settings + (isClone ? [.unsafeFlags(strict)] : [])
let hot = settings + (isClone ? [.unsafeFlags(strict + optimizing)] : [])
let shipped = isOptimized ? hot : tests

// How the programs are linked, which only Scripts/build knows.
let linkFlags = Context.environment["SEEDBED_LINKING"]?.split(separator: " ").map(String.init)
// A program is never the app: it links the system's SQLite even if the trait OwnSQLite is on, since
// a trait holds for all that is built, plugins' tools too.
let sqlite: [LinkerSetting] = [.linkedLibrary("sqlite3")]
let linking = sqlite + (linkFlags.map { linkFlags in [.unsafeFlags(linkFlags)] } ?? [])

// The commit for `migrate --version`, which only our scripts know.
let commit: [CSetting] =
  Context.environment["SEEDBED_COMMIT"].map {
    [.define("SEEDBED_COMMIT", to: "\"\($0)\"")]
  } ?? []

// A program that is installed, which the plugins then run in place of building one.
let tool: [Target.Dependency] =
  Context.environment["SEEDBED_COMMAND"] == nil ? [.target(name: "migrate")] : []

#if os(macOS)
  // Apple's SDKs have SQLite and zlib. What pkg-config finds is Homebrew's, which fits no iPhone.
  let zlib: String? = nil
  let libcrypto: String? = nil
  let libsodium: String? = nil
  // Xcode puts this declaration into the app. On Linux nobody reads it, and a resource would cost
  // a bundle and, for its accessor, Foundation.
  let resources: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
  let excluded: [String] = []
#else
  let zlib: String? = "zlib"
  let libcrypto: String? = "libcrypto"
  let libsodium: String? = "libsodium"
  let resources: [Resource] = []
  let excluded = ["PrivacyInfo.xcprivacy"]
#endif

let package = Package(
  name: "seedbed",
  platforms: [
    .macOS(.v13), .macCatalyst(.v16), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1),
  ],
  products: [
    .library(name: "Seedbed", targets: ["Seedbed"]),
    .library(name: "SeedbedOverTheAir", targets: ["SeedbedOverTheAir"]),
    .library(name: "SeedbedChecks", targets: ["SeedbedChecks"]),
    .library(name: "MigrateCommand", targets: ["MigrateCommand"]),
    .executable(name: "migrate", targets: ["migrate"]),
    .plugin(name: "SeedbedCommand", targets: ["SeedbedCommand"]),
    .plugin(name: "SeedbedCatalog", targets: ["SeedbedCatalog"]),
  ],
  traits: [
    .trait(
      name: "OwnSQLite",
      description: "The app links a copy of SQLite of its own: here only the header is used.")
  ],
  targets: [
    .systemLibrary(name: "CSeedbedSQLite"),
    // Nothing but the flag that links the system's copy.
    .systemLibrary(name: "CSeedbedSQLiteLink"),
    .systemLibrary(name: "CSeedbedZlib", pkgConfig: zlib, providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CSeedbedCrypto", pkgConfig: libcrypto, providers: [.apt(["libssl-dev"])]),
    // Ed25519 alone. That of libcrypto brings all of libcrypto.
    .systemLibrary(
      name: "CSeedbedSodium", pkgConfig: libsodium, providers: [.apt(["libsodium-dev"])]),
    // The loops over the bytes of row files and over their cells: all that is hot.
    .target(name: "SeedbedCells", dependencies: ["CSeedbedSQLite"], swiftSettings: hot),
    .target(
      name: "Seedbed",
      dependencies: [
        "SeedbedCells", "CSeedbedSQLite", "CSeedbedSQLiteLink", "CSeedbedZlib",
        .target(name: "CSeedbedCrypto", condition: .when(platforms: [.linux])),
      ],
      exclude: excluded, resources: resources, swiftSettings: shipped),
    // Signed downloads. An app that has none does not link it.
    .target(
      name: "SeedbedOverTheAir",
      dependencies: [
        "Seedbed", .target(name: "CSeedbedSodium", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: shipped),
    // What a device does, seen on the device: for an app's tests and its debug menu.
    .target(
      name: "SeedbedChecks", dependencies: ["Seedbed", "CSeedbedSQLite"], swiftSettings: shipped),
    // The loops over the bytes of JSON lines. No app links it.
    .target(name: "SeedbedLines", dependencies: ["SeedbedCells"], swiftSettings: hot),
    .target(
      name: "SeedbedAuthoring",
      dependencies: [
        "Seedbed", "SeedbedCells", "SeedbedLines", "SeedbedOverTheAir", "CSeedbedSQLite",
        "CSeedbedZlib",
      ],
      swiftSettings: shipped),
    .target(
      name: "SeedbedFaults", dependencies: ["Seedbed", "CSeedbedSQLite"], swiftSettings: hot),
    // The options of the verbs, for the command and for the extension. No app links it.
    .target(name: "SeedbedOptions", dependencies: ["Seedbed"], swiftSettings: shipped),
    .target(name: "CSeedbedProgram"),
    .target(name: "CSeedbedCommit", cSettings: commit),
    .target(
      name: "MigrateCommand",
      dependencies: [
        "Seedbed", "SeedbedOptions", "SeedbedOverTheAir", "SeedbedAuthoring", "SeedbedFaults",
        "CSeedbedProgram",
      ],
      // What these files hold is compiled in as strings.
      exclude: ["Report/Pages"], swiftSettings: shipped),
    .executableTarget(
      name: "migrate", dependencies: ["MigrateCommand", "CSeedbedCommit"], swiftSettings: shipped,
      linkerSettings: linking),
    // An example, and no product: who depends on us does not build it. The catalog is that of the
    // repository; that of an app lies in the folder of its target, and is checked by our plugin.
    .executableTarget(
      name: "fieldguide", dependencies: ["Seedbed", "CSeedbedSQLite"], path: "Sources/FieldGuide",
      resources: [.copy("../../Migrations")], swiftSettings: shipped, linkerSettings: sqlite,
      plugins: ["FieldGuideDatabase"]),
    .plugin(
      name: "SeedbedCommand",
      capability: .command(
        intent: .custom(verb: "seedbed", description: "Run a verb of Seedbed's migrate"),
        permissions: [
          .writeToPackageDirectory(
            reason: "Verbs such as 'up' and 'lock' write a database, backups or the lock.")
        ]),
      dependencies: tool),
    .plugin(name: "SeedbedCatalog", capability: .buildTool(), dependencies: tool),
    .plugin(name: "FieldGuideDatabase", capability: .buildTool(), dependencies: ["migrate"]),
    .target(name: "CTestSupport", path: "Tests/CTestSupport"),
    .target(
      name: "TestSupport",
      dependencies: ["Seedbed", "SeedbedFaults", "CSeedbedZlib", "CTestSupport"],
      path: "Tests/TestSupport", swiftSettings: tests, linkerSettings: sqlite),
    .testTarget(
      name: "SeedbedTests",
      dependencies: [
        "Seedbed", "SeedbedCells", "SeedbedAuthoring", "SeedbedFaults", "SeedbedChecks",
        "TestSupport", "CSeedbedSQLite", "CSeedbedZlib",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "SeedbedAuthoringTests",
      dependencies: [
        "SeedbedAuthoring", "SeedbedLines", "SeedbedOverTheAir", "Seedbed", "TestSupport",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "MigrateCommandTests",
      dependencies: [
        "MigrateCommand", "SeedbedOptions", "SeedbedAuthoring", "SeedbedOverTheAir", "Seedbed",
        "TestSupport", "CSeedbedSQLite",
      ],
      exclude: ["Transcripts"], swiftSettings: tests),
    .testTarget(
      name: "MergeModelTests",
      dependencies: [
        "Seedbed", "SeedbedAuthoring", "SeedbedOverTheAir", "TestSupport", "CSeedbedSQLite",
      ],
      // The model merges millions of cases where what ships is optimised.
      swiftSettings: shipped),
    .testTarget(
      name: "CrashTests",
      dependencies: [
        "SeedbedFaults", "Seedbed", "SeedbedAuthoring", "SeedbedOverTheAir", "TestSupport",
        "CSeedbedSQLite",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "HostileTests",
      dependencies: [
        "Seedbed", "SeedbedCells", "SeedbedOverTheAir", "SeedbedAuthoring", "TestSupport",
        "CSeedbedSQLite", "CSeedbedZlib",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "FieldGuideTests",
      dependencies: ["fieldguide", "Seedbed", "TestSupport", "CSeedbedSQLite"],
      swiftSettings: tests),
    .testTarget(name: "TidyTests", dependencies: ["TestSupport"], swiftSettings: tests),
  ]
)

// The server's engine needs libpq, which an app never links: only who asks for it builds it.
if Context.environment["SEEDBED_POSTGRESQL"] == "1" {
  package.products.append(
    .executable(name: "migrate-postgresql", targets: ["migrate-postgresql"]))
  package.targets += [
    .systemLibrary(
      name: "CSeedbedPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(
      name: "SeedbedPostgres", dependencies: ["Seedbed", "SeedbedCells", "CSeedbedPostgres"],
      swiftSettings: shipped),
    .executableTarget(
      name: "migrate-postgresql",
      dependencies: ["MigrateCommand", "SeedbedPostgres", "CSeedbedCommit"],
      path: "Sources/MigratePostgres", swiftSettings: shipped, linkerSettings: linking),
    .testTarget(
      name: "SeedbedPostgresTests",
      dependencies: [
        "SeedbedPostgres", "SeedbedAuthoring", "Seedbed", "SeedbedCells", "TestSupport",
        "MergeModelTests",
      ],
      swiftSettings: tests),
  ]
}

// One file for every language: it uses the SQLite of its host, and has no Foundation. The flags that
// link it stand in Scripts/extension.
if Context.environment["SEEDBED_EXTENSION"] == "1" {
  package.targets += [
    .target(name: "CSeedbedExtension"),
    .target(
      name: "SeedbedExtension",
      dependencies: [
        "Seedbed", "SeedbedOptions", "SeedbedOverTheAir", "CSeedbedExtension", "CSeedbedSQLite",
      ],
      swiftSettings: shipped),
  ]
  for target in package.targets where target.name == "Seedbed" {
    target.exclude.append("Migrator/Migrator+URL.swift")
    target.swiftSettings?.append(.define("OwnSQLite"))
  }
  for target in package.targets where target.name == "SeedbedOverTheAir" {
    target.exclude.append("Catalog+NewestURL.swift")
  }
}

// Some of the tests, so that a second build compiles no more of them than it plays.
if let suites = Context.environment["SEEDBED_SUITES"]?.split(separator: " ").map(String.init) {
  package.targets.removeAll { $0.type == .test && !suites.contains($0.name) }
}

// SwiftPM builds the tool of a plugin, and so the library, a second time. The tests do without.
if Context.environment["SEEDBED_PLUGINS"] == "0" {
  package.products.removeAll { $0 is Product.Plugin }
  package.targets.removeAll { $0.type == .plugin }
  for target in package.targets { target.plugins = nil }
}
