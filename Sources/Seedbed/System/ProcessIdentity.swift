#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A process as the ledger records it: its number, when it started, and in which boot. Systems use
/// process numbers again.
struct ProcessIdentity: Equatable {
  var text: String

  static func current() -> ProcessIdentity { of(getpid()) }

  /// Whether this same process is still running, as far as this machine can tell.
  var isRunning: Bool {
    guard let number = text.split(separator: ":").first.flatMap({ pid_t($0) }) else {
      return false
    }
    return isSame(as: Self.of(number))
  }

  /// A sandbox shows that there is a process, but not when it began. In the same boot, it counts.
  func isSame(as found: ProcessIdentity) -> Bool {
    let (mine, theirs) = (text.split(separator: ":"), found.text.split(separator: ":"))
    guard mine.count == 3, mine[1] != Self.gone else { return false }
    if found == self { return true }
    return mine[2] != Self.unknown && theirs == [mine[0], Substring(Self.hidden), mine[2]]
  }

  private static let (hidden, gone, unknown) = ("hidden", "gone", "unknown")

  private static func of(_ number: pid_t) -> ProcessIdentity {
    let isHidden = kill(number, 0) != 0 && errno == EPERM
    let start = start(of: number) ?? (isHidden ? hidden : gone)
    return ProcessIdentity(text: "\(number):\(start):\(boot())")
  }

  #if canImport(Darwin)
    private static func start(of number: pid_t) -> String? {
      var request: [Int32] = [CTL_KERN, KERN_PROC, KERN_PROC_PID, number]
      var facts = kinfo_proc()
      var size = MemoryLayout<kinfo_proc>.stride
      guard sysctl(&request, 4, &facts, &size, nil, 0) == 0, size > 0 else { return nil }
      let time = facts.kp_proc.p_un.__p_starttime
      return "\(time.tv_sec).\(time.tv_usec)"
    }

    private static func boot() -> String {
      // Not the time of the boot, which moves when the clock is set.
      var letters = [UInt8](repeating: 0, count: 64)
      var size = letters.count
      guard sysctlbyname("kern.bootsessionuuid", &letters, &size, nil, 0) == 0 else {
        return unknown
      }
      return String(decoding: letters.prefix { $0 != 0 }, as: UTF8.self)
    }
  #else
    /// Field 22 of `/proc/N/stat`; the second field is a name in parentheses with any bytes.
    private static func start(of number: pid_t) -> String? {
      guard let text = smallFile("/proc/\(number)/stat"),
        let parenthesis = text.lastIndex(of: ")")
      else { return nil }
      let fields = text[text.index(after: parenthesis)...].split(separator: " ")
      return fields.count > 19 ? String(fields[19]) : nil
    }

    private static func boot() -> String {
      let text = smallFile("/proc/sys/kernel/random/boot_id") ?? unknown
      return text.filter { $0 != "\n" }
    }

    private static func smallFile(_ path: String) -> String? {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0 else { return nil }
      return String(decoding: bytes[..<count], as: UTF8.self)
    }
  #endif
}
