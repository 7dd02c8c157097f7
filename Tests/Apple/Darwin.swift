// swift-format-ignore-file: AlwaysUseLowerCamelCase, NoLeadingUnderscores
// As much of Apple's module Darwin as Sources use, as Swift imports it from the headers of the
// macOS and iOS SDKs or as Apple's overlay declares it. A struct and a function may not share a
// name in one module of Swift, as `stat` does in C: hence the module of types.
@_exported public import DarwinTypes

public func open(_: UnsafePointer<CChar>, _: Int32) -> Int32 { fatalError() }
public func open(_: UnsafePointer<CChar>, _: Int32, _: mode_t) -> Int32 { fatalError() }
public func openat(_: Int32, _: UnsafePointer<CChar>, _: Int32) -> Int32 { fatalError() }
public func openat(_: Int32, _: UnsafePointer<CChar>, _: Int32, _: mode_t) -> Int32 { fatalError() }
public func fcntl(_: Int32, _: Int32) -> Int32 { fatalError() }
public func fcntl(_: Int32, _: Int32, _: Int32) -> Int32 { fatalError() }
public func fcntl(_: Int32, _: Int32, _: UnsafeMutableRawPointer) -> Int32 { fatalError() }
public func ioctl(_: Int32, _: UInt, _: UnsafeMutableRawPointer) -> Int32 { fatalError() }

// fcntl.h, sys/stat.h, sys/mount.h, sys/attr.h, sys/xattr.h, dirent.h, stdio.h.
@discardableResult
public func stat(_: CText!, _: UnsafeMutablePointer<stat>!) -> Int32 { fatalError() }
@discardableResult
public func fstat(_: Int32, _: UnsafeMutablePointer<stat>!) -> Int32 { fatalError() }
@discardableResult
public func fstatat(_: Int32, _: CText!, _: UnsafeMutablePointer<stat>!, _: Int32) -> Int32 {
  fatalError()
}
@discardableResult public func fchmod(_: Int32, _: mode_t) -> Int32 { fatalError() }
@discardableResult public func mkdirat(_: Int32, _: CText!, _: mode_t) -> Int32 { fatalError() }
@discardableResult
public func statfs(_: CText!, _: UnsafeMutablePointer<statfs>!) -> Int32 { fatalError() }
@discardableResult
public func getattrlist(_: CText!, _: CBytes!, _: CBytes!, _: Int, _: UInt32) -> Int32 {
  fatalError()
}
@discardableResult
public func fsetxattr(_: Int32, _: CText!, _: UnsafeRawPointer!, _: Int, _: UInt32, _: Int32)
  -> Int32
{ fatalError() }
@discardableResult public func opendir(_: CText!) -> UnsafeMutablePointer<DIR>! { fatalError() }
@discardableResult public func fdopendir(_: Int32) -> UnsafeMutablePointer<DIR>! { fatalError() }
@discardableResult
public func readdir(_: UnsafeMutablePointer<DIR>!) -> UnsafeMutablePointer<dirent>! { fatalError() }
@discardableResult public func closedir(_: UnsafeMutablePointer<DIR>!) -> Int32 { fatalError() }
@discardableResult
public func clonefile(_: CText!, _: CText!, _: UInt32) -> Int32 { fatalError() }
public func fclonefileat(_: Int32, _: Int32, _: CText!, _: UInt32) -> Int32 { fatalError() }
@discardableResult
public func renameatx_np(_: Int32, _: CText!, _: Int32, _: CText!, _: UInt32) -> Int32 {
  fatalError()
}
@discardableResult
public func renameat(_: Int32, _: CText!, _: Int32, _: CText!) -> Int32 { fatalError() }

// unistd.h, stdlib.h, string.h, poll.h, sys/ioctl.h, sys/wait.h, sys/resource.h, sys/sysctl.h.
@discardableResult public func access(_: CText!, _: Int32) -> Int32 { fatalError() }
@discardableResult public func close(_: Int32) -> Int32 { fatalError() }
@discardableResult public func read(_: Int32, _: CBytes!, _: Int) -> Int { fatalError() }
@discardableResult public func write(_: Int32, _: UnsafeRawPointer!, _: Int) -> Int { fatalError() }
@discardableResult public func lseek(_: Int32, _: off_t, _: Int32) -> off_t { fatalError() }
@discardableResult public func ftruncate(_: Int32, _: off_t) -> Int32 { fatalError() }
public func flock(_: Int32, _: Int32) -> Int32 { fatalError() }
@discardableResult public func fsync(_: Int32) -> Int32 { fatalError() }
@discardableResult public func fchown(_: Int32, _: uid_t, _: gid_t) -> Int32 { fatalError() }
@discardableResult
public func linkat(_: Int32, _: CText!, _: Int32, _: CText!, _: Int32) -> Int32 { fatalError() }
@discardableResult public func unlinkat(_: Int32, _: CText!, _: Int32) -> Int32 { fatalError() }
@discardableResult public func getpid() -> pid_t { fatalError() }
@discardableResult public func glob(
  _: CText!, _: Int32, _: (@convention(c) (CText?, Int32) -> Int32)!,
  _: UnsafeMutablePointer<glob_t>!
) -> Int32 { fatalError() }
public func globfree(_: UnsafeMutablePointer<glob_t>!) { fatalError() }
public var FNM_PATHNAME: Int32 { fatalError() }
public var PATH_MAX: Int32 { fatalError() }
@discardableResult public func fnmatch(_: CText!, _: CText!, _: Int32) -> Int32 { fatalError() }
@discardableResult public func sysconf(_: Int32) -> Int { fatalError() }
public var _SC_NPROCESSORS_ONLN: Int32 { fatalError() }
@discardableResult public func getrlimit(
  _: Int32, _: UnsafeMutablePointer<rlimit>!
) -> Int32 { fatalError() }
public var RLIMIT_NOFILE: Int32 { fatalError() }
@discardableResult public func isatty(_: Int32) -> Int32 { fatalError() }
@discardableResult public func pipe(_: UnsafeMutablePointer<Int32>!) -> Int32 { fatalError() }
@discardableResult public func usleep(_: useconds_t) -> Int32 { fatalError() }
@discardableResult
public func getcwd(_: UnsafeMutablePointer<CChar>!, _: Int) -> UnsafeMutablePointer<CChar>! {
  fatalError()
}
@discardableResult
public func realpath(_: CText!, _: UnsafeMutablePointer<CChar>!) -> UnsafeMutablePointer<CChar>! {
  fatalError()
}
@discardableResult public func getenv(_: CText!) -> UnsafeMutablePointer<CChar>! { fatalError() }
@discardableResult public func setenv(_: CText!, _: CText!, _: Int32) -> Int32 { fatalError() }
@discardableResult public func unsetenv(_: CText!) -> Int32 { fatalError() }
public func free(_: CBytes!) {}
public func exit(_: Int32) -> Never { fatalError() }
public func dladdr(_: UnsafeRawPointer!, _: UnsafeMutablePointer<Dl_info>!) -> Int32 {
  fatalError()
}
@discardableResult public func dlclose(_: CBytes!) -> Int32 { fatalError() }
public func dlopen(_: CText!, _: Int32) -> CBytes! { fatalError() }
public func dlsym(_: CBytes!, _: CText!) -> CBytes! { fatalError() }
public func _dyld_get_image_name(_: UInt32) -> CText! { fatalError() }
public func _dyld_image_count() -> UInt32 { fatalError() }
public func _exit(_: Int32) -> Never { fatalError() }
@discardableResult public func strdup(_: CText!) -> UnsafeMutablePointer<CChar>! { fatalError() }
@discardableResult public func strerror(_: Int32) -> UnsafeMutablePointer<CChar>! { fatalError() }
#if !os(tvOS) && !os(watchOS)
  @discardableResult public func execv(
    _: CText!, _: UnsafePointer<UnsafeMutablePointer<CChar>?>!
  ) -> Int32 { fatalError() }
#endif
@discardableResult
public func poll(_: UnsafeMutablePointer<pollfd>!, _: nfds_t, _: Int32) -> Int32 { fatalError() }
@discardableResult
public func waitpid(_: pid_t, _: UnsafeMutablePointer<Int32>!, _: Int32) -> pid_t { fatalError() }
@discardableResult
public func getrusage(_: Int32, _: UnsafeMutablePointer<rusage>!) -> Int32 { fatalError() }
@discardableResult
public func sysctl(
  _: UnsafeMutablePointer<Int32>!, _: UInt32, _: CBytes!, _: UnsafeMutablePointer<Int>!, _: CBytes!,
  _: Int
) -> Int32 { fatalError() }
@discardableResult
public func sysctlbyname(
  _: CText!, _: CBytes!, _: UnsafeMutablePointer<Int>!, _: CBytes!, _: Int
) -> Int32 { fatalError() }

// stdio.h.
@discardableResult
public func vsnprintf(
  _: UnsafeMutablePointer<CChar>!, _: Int, _: UnsafePointer<CChar>!, _: CVaListPointer
) -> Int32 { fatalError() }

// time.h.
@discardableResult
public func clock_gettime(_: clockid_t, _: UnsafeMutablePointer<timespec>!) -> Int32 {
  fatalError()
}
@discardableResult
public func gmtime_r(_: UnsafePointer<time_t>!, _: UnsafeMutablePointer<tm>!)
  -> UnsafeMutablePointer<tm>!
{ fatalError() }

public func strftime(
  _: UnsafeMutablePointer<CChar>!, _: Int, _: UnsafePointer<CChar>!, _: UnsafePointer<tm>!
) -> Int { fatalError() }

// signal.h.
@discardableResult public func kill(_: pid_t, _: Int32) -> Int32 { fatalError() }
@discardableResult public func signal(_: Int32, _: sig_t!) -> sig_t! { fatalError() }
@discardableResult
public func sigaction(_: Int32, _: UnsafePointer<sigaction>!, _: UnsafeMutablePointer<sigaction>!)
  -> Int32
{ fatalError() }
@discardableResult
public func sigemptyset(_: UnsafeMutablePointer<sigset_t>!) -> Int32 { fatalError() }
@discardableResult
public func sigaddset(_: UnsafeMutablePointer<sigset_t>!, _: Int32) -> Int32 { fatalError() }
@discardableResult
public func sigwait(_: UnsafePointer<sigset_t>!, _: UnsafeMutablePointer<Int32>!) -> Int32 {
  fatalError()
}
@discardableResult
public func pthread_sigmask(
  _: Int32, _: UnsafePointer<sigset_t>!, _: UnsafeMutablePointer<sigset_t>!
) -> Int32 { fatalError() }

// pthread.h, which says what may be null.
@discardableResult
public func pthread_create(
  _: UnsafeMutablePointer<pthread_t?>, _: UnsafePointer<pthread_attr_t>?,
  _: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?,
  _: UnsafeMutableRawPointer?
) -> Int32 { fatalError() }
@discardableResult
public func pthread_join(_: pthread_t, _: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> Int32
{ fatalError() }
@discardableResult public func pthread_detach(_: pthread_t) -> Int32 { fatalError() }
@discardableResult
public func pthread_attr_init(_: UnsafeMutablePointer<pthread_attr_t>) -> Int32 { fatalError() }
@discardableResult
public func pthread_attr_destroy(_: UnsafeMutablePointer<pthread_attr_t>) -> Int32 { fatalError() }
@discardableResult
public func pthread_attr_setstacksize(_: UnsafeMutablePointer<pthread_attr_t>, _: Int) -> Int32 {
  fatalError()
}
@discardableResult
public func pthread_attr_set_qos_class_np(
  _: UnsafeMutablePointer<pthread_attr_t>, _: qos_class_t, _: Int32
) -> Int32 { fatalError() }
public func qos_class_self() -> qos_class_t { fatalError() }
@discardableResult
public func pthread_mutex_init(
  _: UnsafeMutablePointer<pthread_mutex_t>, _: UnsafePointer<pthread_mutexattr_t>?
) -> Int32 { fatalError() }
@discardableResult
public func pthread_mutex_destroy(_: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 {
  fatalError()
}
@discardableResult
public func pthread_mutex_lock(_: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 { fatalError() }
@discardableResult
public func pthread_mutex_unlock(_: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 { fatalError() }
@discardableResult
public func pthread_cond_init(
  _: UnsafeMutablePointer<pthread_cond_t>, _: UnsafePointer<pthread_condattr_t>?
) -> Int32 { fatalError() }
@discardableResult
public func pthread_cond_destroy(_: UnsafeMutablePointer<pthread_cond_t>) -> Int32 { fatalError() }
@discardableResult
public func pthread_cond_broadcast(_: UnsafeMutablePointer<pthread_cond_t>) -> Int32 {
  fatalError()
}
@discardableResult
public func pthread_cond_wait(
  _: UnsafeMutablePointer<pthread_cond_t>, _: UnsafeMutablePointer<pthread_mutex_t>
) -> Int32 { fatalError() }

// spawn.h.
#if !os(tvOS) && !os(watchOS)
  @discardableResult
  public func posix_spawn_file_actions_init(
    _: UnsafeMutablePointer<posix_spawn_file_actions_t?>!
  ) -> Int32 { fatalError() }
  @discardableResult
  public func posix_spawn_file_actions_destroy(
    _: UnsafeMutablePointer<posix_spawn_file_actions_t?>!
  ) -> Int32 { fatalError() }
  @discardableResult
  public func posix_spawn_file_actions_addopen(
    _: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _: Int32, _: CText!, _: Int32, _: mode_t
  ) -> Int32 { fatalError() }
  @discardableResult
  public func posix_spawn_file_actions_adddup2(
    _: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _: Int32, _: Int32
  ) -> Int32 { fatalError() }
  @discardableResult
  public func posix_spawn_file_actions_addclose(
    _: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _: Int32
  ) -> Int32 { fatalError() }
  @discardableResult
  public func posix_spawnp(
    _: UnsafeMutablePointer<pid_t>!, _: CText!, _: UnsafePointer<posix_spawn_file_actions_t?>!,
    _: UnsafePointer<posix_spawnattr_t?>!, _: UnsafePointer<UnsafeMutablePointer<CChar>?>!,
    _: UnsafePointer<UnsafeMutablePointer<CChar>?>!
  ) -> Int32 { fatalError() }
#endif
