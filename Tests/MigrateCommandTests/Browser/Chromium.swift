import Foundation
import TestSupport
import Testing

/// A browser without a window, steered through two pipes: `--remote-debugging-pipe` reads messages
/// from descriptor 3 and writes them to 4, each JSON that ends in a NUL.
final class Chromium {
  struct Failure: Error, CustomStringConvertible { let description: String }

  /// Installed by `Scripts/setup --with browser`.
  private static let path = "/usr/bin/chromium"
  /// Where the browser must be there, a test that finds none fails instead of being skipped.
  private static let isNeeded = ProcessInfo.processInfo.environment["CI"] == "true"
  static var isTested: Bool { isNeeded || FileManager.default.isExecutableFile(atPath: path) }

  private let folder: Sandbox
  private let child: Child
  private let commands: Int32
  private let answers: Int32
  private var received: [UInt8] = []
  private var last = 0
  private var session: String?
  /// What it reported since the page was opened.
  private(set) var events: [(method: String, params: [String: Any])] = []

  init() throws {
    folder = try Sandbox()
    for name in ["in", "out"] { mkfifo("\(folder.path)/\(name)", 0o600) }
    // Both ways, so that neither side waits for the other to open it.
    commands = open("\(folder.path)/in", O_RDWR | O_CLOEXEC)
    answers = open("\(folder.path)/out", O_RDWR | O_CLOEXEC)
    child = try Child(
      [
        "/bin/sh", "-c", #"exec "$@" 3<"$0/in" 4>"$0/out""#, folder.path, Self.path,
        "--headless",
        "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--remote-debugging-pipe", "--user-data-dir=\(folder.path)/profile", "about:blank",
      ], errors: .file("\(folder.path)/err"))
    let target = try send("Target.createTarget", ["url": "about:blank"])
    let attached = try send(
      "Target.attachToTarget", ["targetId": target["targetId"] ?? "", "flatten": true])
    session = attached["sessionId"] as? String
    for domain in ["Page", "Runtime", "Log", "Network"] { try send("\(domain).enable") }
    try send("Performance.enable", ["timeDomain": "threadTicks"])
  }

  deinit {
    // It ends all its processes by itself. If it does not answer, the end of the child kills it.
    _ = try? send("Browser.close")
    for _ in 0..<500 where child.code == nil { usleep(10_000) }
    close(commands)
    close(answers)
  }

  // MARK: the page

  struct Look: Sendable, CustomTestStringConvertible {
    var width = 1280
    var isDark = false

    static let all = [
      Look(), Look(isDark: true), Look(width: 360), Look(width: 360, isDark: true),
    ]
    /// A phone, a tablet, a laptop and a wide screen, by day and by night.
    static let widths = [360, 768, 1200, 1600].flatMap {
      [Look(width: $0), Look(width: $0, isDark: true)]
    }
    var testDescription: String { "\(width) px, \(isDark ? "dark" : "light")" }
  }

  /// Opens a file, as by a double click.
  func visit(_ path: String, _ look: Look = Look()) throws {
    try send(
      "Emulation.setDeviceMetricsOverride",
      ["width": look.width, "height": 900, "deviceScaleFactor": 1, "mobile": false])
    let scheme = ["name": "prefers-color-scheme", "value": look.isDark ? "dark" : "light"]
    try send("Emulation.setEmulatedMedia", ["media": "", "features": [scheme]])
    events = []
    try send("Page.navigate", ["url": URL(fileURLWithPath: path).absoluteString])
    while !events.contains(where: { $0.method == "Page.loadEventFired" }) { try receive() }
    try settle()
  }

  /// Until the page has drawn twice.
  func settle() throws {
    try run("await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
  }

  /// Runs the body of an asynchronous function in the page; what it returns.
  @discardableResult
  func run(_ body: String) throws -> Any? {
    let result = try send(
      "Runtime.evaluate",
      ["expression": "(async () => {\(body)\n})()", "awaitPromise": true, "returnByValue": true])
    if let details = result["exceptionDetails"] { throw Failure(description: "\(details)") }
    return (result["result"] as? [String: Any])?["value"]
  }

  func text(_ expression: String) throws -> String {
    try run("return String(\(expression))") as? String ?? ""
  }

  func strings(_ body: String) throws -> [String] { try run(body) as? [String] ?? ["no answer"] }

  func press(_ key: String, _ code: Int) throws {
    for type in ["rawKeyDown", "keyUp"] {
      try send(
        "Input.dispatchKeyEvent",
        ["type": type, "key": key, "code": key, "windowsVirtualKeyCode": code])
    }
  }

  /// What went wrong or out: errors, warnings, violations of the policy, and any request.
  var problems: [String] {
    events.compactMap { method, params in
      switch method {
      case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded":
        return "\(params)"
      case "Network.requestWillBeSent":
        let url = (params["request"] as? [String: Any])?["url"] as? String ?? ""
        return url.hasPrefix("file:") && url.hasSuffix(".html") ? nil : "request: \(url)"
      default: return nil
      }
    }
  }

  /// How long the page's main thread has worked, in milliseconds; other programs do not count.
  func threadTime() throws -> Double {
    let metrics = try send("Performance.getMetrics")["metrics"] as? [[String: Any]] ?? []
    let time = metrics.first { $0["name"] as? String == "ThreadTime" }?["value"] as? Double
    return (time ?? .infinity) * 1000
  }

  // MARK: messages

  @discardableResult
  func send(_ method: String, _ params: [String: Any] = [:]) throws -> [String: Any] {
    last += 1
    var message: [String: Any] = ["id": last, "method": method, "params": params]
    let isOfBrowser = method.hasPrefix("Target.") || method.hasPrefix("Browser.")
    if let session, !isOfBrowser { message["sessionId"] = session }
    let bytes = try JSONSerialization.data(withJSONObject: message) + [0]
    let written = bytes.withUnsafeBytes { write(commands, $0.baseAddress, $0.count) }
    guard written == bytes.count else { throw Failure(description: "cannot write to the browser") }
    while true {
      guard let answer = try receive(), answer["id"] as? Int == last else { continue }
      if let error = answer["error"] { throw Failure(description: "\(method): \(error)") }
      return answer["result"] as? [String: Any] ?? [:]
    }
  }

  /// The next answer; nil for an event, which is noted.
  @discardableResult
  private func receive() throws -> [String: Any]? {
    while true {
      if let end = received.firstIndex(of: 0) {
        let message = try JSONSerialization.jsonObject(with: Data(received[..<end]))
        received.removeSubrange(...end)
        guard let message = message as? [String: Any] else { return nil }
        guard let method = message["method"] as? String else { return message }
        events.append((method, message["params"] as? [String: Any] ?? [:]))
        return nil
      }
      var ready = pollfd(fd: answers, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, 60_000) > 0 else {
        let errors = (try? folder.text("err")) ?? ""
        throw Failure(description: "The browser says nothing. \(errors.suffix(2000))")
      }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(answers, &buffer, buffer.count)
      if count > 0 { received += buffer[..<count] }
    }
  }
}

extension Sandbox {
  /// Runs the command to a good end; what it printed.
  @discardableResult
  func run(_ words: [String]) throws -> String {
    let outcome = try Program.run(words, in: self)
    guard outcome.code == 0 else { throw Failure(description: "\(words): \(outcome)") }
    return outcome.output
  }
}
