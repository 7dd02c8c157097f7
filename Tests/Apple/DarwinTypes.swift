// swift-format-ignore-file: AlwaysUseLowerCamelCase, NoLeadingUnderscores
// swift-format-ignore-file: TypeNamesShouldBeCapitalized, NeverUseImplicitlyUnwrappedOptionals
// Apple's types and macros, with as many members as Sources use. Names, types and optionality are those with
// which Swift imports the headers of the macOS and iOS SDKs.

/// Short for the functions.
public typealias CText = UnsafePointer<CChar>
public typealias CBytes = UnsafeMutableRawPointer

public typealias attrgroup_t = UInt32
public typealias blkcnt_t = Int64
public typealias dev_t = Int32
public typealias gid_t = UInt32
public typealias ino_t = UInt64
public typealias mode_t = UInt16
public typealias nlink_t = UInt16
public typealias nfds_t = UInt32
public typealias off_t = Int64
public typealias pid_t = Int32
public typealias sig_t = @convention(c) (Int32) -> Void
public typealias sigset_t = UInt32
public typealias time_t = Int
public typealias uid_t = UInt32
public typealias useconds_t = UInt32

public let LOCK_EX: Int32 = 2
public let LOCK_NB: Int32 = 4
public let LOCK_UN: Int32 = 8
public typealias posix_spawn_file_actions_t = UnsafeMutableRawPointer
public typealias posix_spawnattr_t = UnsafeMutableRawPointer
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>

public struct _opaque_pthread_t {}
public struct pthread_attr_t { public init() {} }
public struct pthread_mutex_t { public init() {} }
public struct pthread_mutexattr_t { public init() {} }
public struct pthread_cond_t { public init() {} }
public struct pthread_condattr_t { public init() {} }

/// An enum of C.
public struct clockid_t: RawRepresentable, Equatable, Sendable {
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public var rawValue: UInt32
}

/// An enum of C.
public struct qos_class_t: RawRepresentable, Equatable, Sendable {
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public var rawValue: UInt32
}

public struct timespec {
  public init() { (tv_sec, tv_nsec) = (0, 0) }
  public var tv_sec: Int
  public var tv_nsec: Int
}

public struct timeval {
  public init() { (tv_sec, tv_usec) = (0, 0) }
  public var tv_sec: Int
  public var tv_usec: Int32
}

public struct tm {
  public init() { (tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year) = (0, 0, 0, 0, 0, 0) }
  public var tm_sec: Int32
  public var tm_min: Int32
  public var tm_hour: Int32
  public var tm_mday: Int32
  public var tm_mon: Int32
  public var tm_year: Int32
}

public struct stat {
  public init() {
    (st_dev, st_mode, st_nlink, st_ino, st_uid, st_gid, st_size) = (0, 0, 0, 0, 0, 0, 0)
    (st_mtimespec, st_ctimespec) = (timespec(), timespec())
  }
  public var st_dev: dev_t
  public var st_mode: mode_t
  public var st_nlink: nlink_t
  public var st_ino: ino_t
  public var st_uid: uid_t
  public var st_gid: gid_t
  public var st_mtimespec: timespec
  public var st_ctimespec: timespec
  public var st_size: off_t
}

public struct glob_t {
  public init() { fatalError() }
  public var gl_pathc: Int
  public var gl_pathv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!
}

public struct rlimit {
  public var rlim_cur: UInt64
  public var rlim_max: UInt64
  public init() { fatalError() }
}

public struct statfs {
  public init() { (f_bsize, f_bavail) = (0, 0) }
  public var f_bsize: UInt32
  public var f_bavail: UInt64
}

public struct attrlist {
  public init() { (bitmapcount, commonattr) = (0, 0) }
  public var bitmapcount: UInt16
  public var commonattr: attrgroup_t
}

public struct DIR {}

public struct dirent {
  public var d_type: UInt8
  /// 1,024 of them.
  public var d_name: (CChar, CChar, CChar, CChar)
}

public struct pollfd {
  public init(fd: Int32, events: Int16, revents: Int16) {
    (self.fd, self.events, self.revents) = (fd, events, revents)
  }
  public var fd: Int32
  public var events: Int16
  public var revents: Int16
}

public struct winsize {
  public init() { ws_col = 0 }
  public var ws_col: UInt16
}

public struct Dl_info {
  public init() { (dli_fname, dli_fbase, dli_sname, dli_saddr) = (nil, nil, nil, nil) }
  public var dli_fname: CText!
  public var dli_fbase: CBytes!
  public var dli_sname: CText!
  public var dli_saddr: CBytes!
}

public struct rusage {
  public init() { ru_maxrss = 0 }
  public var ru_maxrss: Int
}

public struct sigaction {
  public init() { __sigaction_u = __sigaction_u_() }
  public var __sigaction_u: __sigaction_u_
}

/// A union, whose name in C is that of the member above.
public struct __sigaction_u_ {
  public var __sa_handler: (@convention(c) (Int32) -> Void)!
}

public struct kinfo_proc {
  public init() { kp_proc = extern_proc() }
  public var kp_proc: extern_proc
}

public struct extern_proc {
  public var p_un = Start()

  /// A union without a name.
  public struct Start { public var __p_starttime = timeval() }
}

// Macros.
public let AT_FDCWD: Int32 = -2
public let AT_SYMLINK_NOFOLLOW: Int32 = 32
public let ATTR_BIT_MAP_COUNT: Int32 = 5
public let ATTR_CMN_DATA_PROTECT_FLAGS: Int32 = 0x4000_0000
public let CLONE_NOOWNERCOPY: Int32 = 2
public let CTL_KERN: Int32 = 1
public let DT_DIR: Int32 = 4
public let DT_REG: Int32 = 8
public let DT_UNKNOWN: Int32 = 0
public let EACCES: Int32 = 13
public let EAGAIN: Int32 = 35
public let EDQUOT: Int32 = 69
public let EEXIST: Int32 = 17
public let EINTR: Int32 = 4
public let EIO: Int32 = 5
public let EMLINK: Int32 = 31
public let ENOENT: Int32 = 2
public let ENOSPC: Int32 = 28
public let ENOSYS: Int32 = 78
public let ENOTDIR: Int32 = 20
public let ENOTSUP: Int32 = 45
public let EOPNOTSUPP: Int32 = 102
public let EPERM: Int32 = 1
public let EWOULDBLOCK: Int32 = 35
public let EPIPE: Int32 = 32
public let EROFS: Int32 = 30
public let F_FULLFSYNC: Int32 = 51
public let F_GETFD: Int32 = 1
public let F_SETPROTECTIONCLASS: Int32 = 64
public let KERN_PROC: Int32 = 14
public let KERN_PROC_PID: Int32 = 1
public let O_CLOEXEC: Int32 = 0x0100_0000
public let O_CREAT: Int32 = 0x200
public let O_DIRECTORY: Int32 = 0x10_0000
public let O_EXCL: Int32 = 0x800
public let O_NOFOLLOW: Int32 = 0x100
public let O_NONBLOCK: Int32 = 4
public let O_RDONLY: Int32 = 0
public let O_RDWR: Int32 = 2
public let POLLIN: Int32 = 1
public let POLLOUT: Int32 = 4
public let RENAME_EXCL: Int32 = 4
public let R_OK: Int32 = 4
public let RTLD_LAZY: Int32 = 0x1
public let RTLD_NOLOAD: Int32 = 0x10
public let RUSAGE_SELF: Int32 = 0
public let SEEK_CUR: Int32 = 1
public let SEEK_SET: Int32 = 0
public let SIGINT: Int32 = 2
public let SIGPIPE: Int32 = 13
public let SIGTERM: Int32 = 15
public let SIG_BLOCK: Int32 = 1
public let SIG_SETMASK: Int32 = 3
public let STDERR_FILENO: Int32 = 2
public let STDIN_FILENO: Int32 = 0
public let STDOUT_FILENO: Int32 = 1
public let W_OK: Int32 = 2
public let X_OK: Int32 = 1

// The overlay's.
public var errno: Int32 {
  get { 0 }
  set {}
}
public var environ: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> { fatalError() }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFIFO: mode_t { 0o010000 }
public var S_IFMT: mode_t { 0o170000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFSOCK: mode_t { 0o140000 }
public var SIG_IGN: sig_t? { nil }
public var TIOCGWINSZ: UInt { 0x4008_7468 }
public var CLOCK_MONOTONIC: clockid_t { clockid_t(6) }
public var CLOCK_REALTIME: clockid_t { clockid_t(0) }
