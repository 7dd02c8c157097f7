// swift-tools-version: 6.0
import PackageDescription

// A package of its own, as an app is: it sees what is public, and a build for release.
let package = Package(
  name: "stranger",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "seedbed", path: "../..")],
  targets: [
    .systemLibrary(name: "StrangerSQLite", pkgConfig: "sqlite3"),
    .executableTarget(
      name: "Stranger",
      dependencies: [
        "StrangerSQLite", .product(name: "Seedbed", package: "seedbed"),
        .product(name: "SeedbedOverTheAir", package: "seedbed"),
      ]),
  ],
  swiftLanguageModes: [.v6])
