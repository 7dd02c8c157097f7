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
  static func timestamp() -> String {
    let (date, milliseconds) = utc()
    return padded(Int(date.tm_year) + 1900, 4) + "-" + padded(Int(date.tm_mon) + 1, 2) + "-"
      + padded(Int(date.tm_mday), 2) + "T" + padded(Int(date.tm_hour), 2) + ":"
      + padded(Int(date.tm_min), 2) + ":" + padded(Int(date.tm_sec), 2) + "."
      + padded(milliseconds, 3) + "Z"
  }

  /// The same for a file name: `20261120T081244.120Z`.
  static func fileTimestamp() -> String {
    timestamp().filter { $0 != "-" && $0 != ":" }
  }

  static func sleep(milliseconds: Int) {
    usleep(UInt32(milliseconds) * 1000)
  }

  private static func utc() -> (tm, Int) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    var seconds = now.tv_sec
    var date = tm()
    gmtime_r(&seconds, &date)
    return (date, Int(now.tv_nsec / 1_000_000))
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
