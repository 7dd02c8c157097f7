#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The resources of the machine that this process may use.
enum Machine {
  /// The number of processor cores.
  static var coreCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// The number of files that may be open at once.
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
