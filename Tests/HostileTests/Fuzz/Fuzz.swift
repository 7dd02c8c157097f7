@testable import Seedbed

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// libFuzzer calls this with one input after the other. Whatever an input holds, the only things
// that may come of it are a result or a SeedbedError: everything else ends the process.

/// Which parser gets the input: SEEDBED_FUZZ, set by Scripts/checks/fuzz.
private let target: @Sendable (FuzzInput) throws -> Void = {
  let name = getenv("SEEDBED_FUZZ").map { String(cString: $0) } ?? ""
  guard let target = FuzzTargets.byName[name] else {
    print("There is no target '\(name)'. There are: \(FuzzTargets.byName.keys.sorted())")
    exit(64)
  }
  return target
}()

/// Called before the inputs are read: the first of them are made here.
@_cdecl("LLVMFuzzerInitialize")
public func fuzzInitialize(_ count: CInt, _ words: OpaquePointer?) -> CInt {
  do {
    try FuzzSeeds.write(to: FuzzInput.folder)
  } catch {
    print("cannot write the first inputs: \(error)")
    exit(1)
  }
  return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    try target(FuzzInput(bytes: Array(UnsafeBufferPointer(start: start, count: count))))
  } catch is SeedbedError {
    // A refusal is what most inputs deserve.
  } catch {
    print("not a SeedbedError: \(error)")
    abort()
  }
  return 0
}

struct FuzzInput {
  var bytes: [UInt8]

  /// The input as a file in memory; whoever opens it reads from its start.
  func withFile(_ body: (OpenFile) throws -> Void) throws {
    try write(to: Self.folder + "/input")
    try body(try Folder(Self.folder, host: .real).open("input"))
  }

  func write(to path: String) throws {
    try Self.write(bytes, to: path)
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0o600)
    guard file >= 0 else { throw Unusable(what: "cannot write \(path)") }
    defer { close(file) }
    guard writeAll(file, bytes) else { throw Unusable(what: "cannot fill \(path)") }
  }

  struct Unusable: Error {
    var what: String
  }

  /// One for each process: SEEDBED_FUZZ_FOLDER, which Scripts/checks/fuzz makes and removes.
  // Sound: nothing sets it but a test, before it plays.
  nonisolated(unsafe) static var folder =
    getenv("SEEDBED_FUZZ_FOLDER").map { String(cString: $0) } ?? "/tmp"
}

private func writeAll(_ file: CInt, _ bytes: [UInt8]) -> Bool {
  bytes.withUnsafeBytes { $0.isEmpty || write(file, $0.baseAddress, $0.count) == $0.count }
}
