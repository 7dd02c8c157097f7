// swift-tools-version: 6.0
import PackageDescription

// A package of its own, as an app would be: nothing of it is built with Seedbed.
let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "seedbed", path: "..")],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .executableTarget(
      name: "startup", dependencies: [.product(name: "Seedbed", package: "seedbed")]),
    .executableTarget(
      name: "first", dependencies: [.product(name: "Seedbed", package: "seedbed")]),
    .executableTarget(
      name: "download",
      dependencies: [
        .product(name: "Seedbed", package: "seedbed"),
        .product(name: "SeedbedOverTheAir", package: "seedbed"),
      ]),
    .executableTarget(
      name: "cancel", dependencies: [.product(name: "Seedbed", package: "seedbed")]),
    .executableTarget(
      name: "busy", dependencies: ["CSQLite", .product(name: "Seedbed", package: "seedbed")]),
  ]
)
