#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What this process may use of the machine.
enum Machine {
  /// The cores.
  static var coreCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// How many files may be open at a time.
  static var mostOpenFiles: Int {
    var limit = rlimit()
    #if canImport(Darwin)
      getrlimit(RLIMIT_NOFILE, &limit)
    #else
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    #endif
    return Int(clamping: limit.rlim_cur)
  }
}
