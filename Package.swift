// swift-tools-version: 6.0
import PackageDescription

// No unsafe flags here: a package that depends on a tag of ours must build.
// The strict flags (warnings as errors and the like) live in Scripts.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "seedbed",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9)],
  products: [
    .library(name: "Seedbed", targets: ["Seedbed"]),
    .library(name: "MigrateCommand", targets: ["MigrateCommand"]),
    .library(name: "SeedbedFaults", targets: ["SeedbedFaults"]),
    .executable(name: "migrate", targets: ["migrate"]),
    .plugin(name: "SeedbedCommand", targets: ["SeedbedCommand"]),
    .plugin(name: "SeedbedCatalog", targets: ["SeedbedCatalog"]),
  ],
  targets: [
    .systemLibrary(
      name: "CSeedbedSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CSeedbedZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CSeedbedCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CSeedbedLinux"),
    .target(
      name: "Seedbed",
      dependencies: [
        "CSeedbedSQLite", "CSeedbedZlib",
        .target(name: "CSeedbedCrypto", condition: .when(platforms: [.linux])),
        .target(name: "CSeedbedLinux", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: settings),
    .target(name: "SeedbedAuthoring", dependencies: ["Seedbed"], swiftSettings: settings),
    .target(
      name: "SeedbedFaults", dependencies: ["Seedbed", "CSeedbedSQLite"], swiftSettings: settings),
    .target(
      name: "MigrateCommand", dependencies: ["Seedbed", "SeedbedAuthoring", "SeedbedFaults"],
      swiftSettings: settings),
    .executableTarget(name: "migrate", dependencies: ["MigrateCommand"], swiftSettings: settings),
    .plugin(
      name: "SeedbedCommand",
      capability: .command(
        intent: .custom(verb: "seedbed", description: "Run a verb of Seedbed's migrate"),
        permissions: [
          .writeToPackageDirectory(
            reason: "Verbs such as 'up' and 'lock' write a database, backups or the lock.")
        ]),
      dependencies: ["migrate"]),
    .plugin(name: "SeedbedCatalog", capability: .buildTool(), dependencies: ["migrate"]),
    .testTarget(
      name: "SeedbedTests",
      dependencies: [
        "Seedbed", "SeedbedAuthoring", "SeedbedFaults", "CSeedbedSQLite", "CSeedbedZlib",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "SeedbedAuthoringTests",
      dependencies: ["SeedbedAuthoring", "Seedbed", "SeedbedFaults"],
      swiftSettings: settings),
    .testTarget(
      name: "MigrateCommandTests",
      dependencies: ["MigrateCommand", "Seedbed", "SeedbedAuthoring", "CSeedbedSQLite"],
      swiftSettings: settings),
    .testTarget(
      name: "MergeModelTests", dependencies: ["Seedbed", "CSeedbedSQLite"],
      swiftSettings: settings),
    .testTarget(
      name: "CrashTests",
      dependencies: [
        "SeedbedFaults", "Seedbed", "SeedbedAuthoring", "CSeedbedSQLite", "CSeedbedZlib",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "HostileTests",
      dependencies: ["Seedbed", "SeedbedAuthoring", "CSeedbedSQLite", "CSeedbedZlib"],
      swiftSettings: settings),
    .testTarget(name: "TidyTests", swiftSettings: settings),
  ]
)
