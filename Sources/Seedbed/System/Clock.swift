#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

package enum Clock {
  /// Seconds on a clock that never goes back.
  package static func monotonic() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }

  /// UTC to the millisecond: `2026-11-20T08:12:44.120Z`.
  package static func timestamp() -> String {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    var date = tm()
    gmtime_r(&now.tv_sec, &date)
    var text = [CChar](repeating: 0, count: 40)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &date)
    let seconds = String(decoding: text[..<count].map { UInt8($0) }, as: UTF8.self)
    return seconds + "." + String(1000 + now.tv_nsec / 1_000_000).dropFirst() + "Z"
  }

  /// The same for a file name: `20261120T081244.120Z`.
  static func fileTimestamp() -> String {
    timestamp().filter { $0 != "-" && $0 != ":" }
  }

  package static func sleep(milliseconds: Int) {
    usleep(UInt32(milliseconds) * 1000)
  }
}
