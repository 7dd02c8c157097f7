import Foundation
import Testing
import TestSupport

@Suite struct `Numbers fit a watch` {
  @Test func `each that needs more than 32 bits says its type`() throws {
    expectNone(try Project.swiftFiles().flatMap { Widths.narrow(in: $0) })
  }

  @Test(arguments: [
    ("min(value * 10, 1 << 40)", 1), ("let a = 3 << 31", 1), ("let a = 1 << 30", 0),
    ("let a: Int64 = 1 << 40", 0), ("f(UInt64(1) << 53)", 0), ("a << 40", 0), ("// 1 << 40", 0),
  ])
  func `such a number is found`(line: String, count: Int) {
    #expect(
      Widths.narrow(in: SourceFile(path: "Sources/Seedbed/A.swift", text: line)).count == count)
    #expect(Widths.narrow(in: SourceFile(path: "Sources/A/A.swift", text: line)).isEmpty)
  }

  // Xcode's toolchain does not compile for WebAssembly.
  @Test(.enabled(if: !Apple.isHere)) func `they are read there as elsewhere`() throws {
    let place = try Place()
    func run(_ words: String...) throws -> String {
      let run = try Shell.run(words, in: place.url)
      try #require(run.status == 0, "\(run.output)")
      return run.output
    }
    func path(_ place: String) -> String { Project.root.appending(path: place).path }
    _ = try run(
      "swiftc", "-target", "wasm32-unknown-none-wasm", "-enable-experimental-feature", "Embedded",
      "-swift-version", "6", "-package-name", "seedbed", "-parse-as-library", "-wmo", "-O",
      "-Xfrontend", "-disable-stack-protector", "-c", "-o", "watch.o",
      path("Tests/Apple/Watch/Watch.swift"), path("Sources/SeedbedCells/NumberText.swift"))
    _ = try run(
      "clang", "--target=wasm32", "-c", "-o", "memory.o", path("Tests/Apple/Watch/memory.c"))
    // What these numbers do not need is missing, such as strtod: a call of it would end the run.
    _ = try run(
      "wasm-ld", "--no-entry", "--export=firstFailure", "--unresolved-symbols=ignore-all",
      "-o", "watch.wasm", "watch.o", "memory.o")
    #expect(
      try run("wasmkit", "run", "watch.wasm", "firstFailure").contains("[WasmTypes.Value.i32(0)]")
    )
  }
}
