#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

package enum Memory {
  /// The peak memory of this process; 0 if unknown.
  package static func peakBytes() -> Int64 {
    #if canImport(Darwin)
      var usage = rusage()
      return getrusage(RUSAGE_SELF, &usage) == 0 ? Int64(usage.ru_maxrss) : 0
    #else
      // On Linux a process inherits ru_maxrss from its parent. VmHWM is its own.
      guard let file = fopen("/proc/self/status", "r") else { return 0 }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 256)
      while fgets(&line, Int32(line.count), file) != nil {
        let text = String(
          decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard text.hasPrefix("VmHWM:") else { continue }
        return (Int64(text.filter(\.isNumber)) ?? 0) * 1024
      }
      return 0
    #endif
  }
}
