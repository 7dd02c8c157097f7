#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A destination of text: a file descriptor in the command, memory in a test.
struct Sink: Sendable {
  var isTerminal: Bool
  /// The terminal's present width; 80 if there is none.
  var columns: @Sendable () -> Int
  /// Writes all of it, or returns the error number.
  var write: @Sendable (String) -> Int32?

  init(
    isTerminal: Bool, columns: @escaping @Sendable () -> Int = { 80 },
    write: @escaping @Sendable (String) -> Int32?
  ) {
    self.isTerminal = isTerminal
    self.columns = columns
    self.write = write
  }

  /// A file descriptor of this process.
  static func descriptor(_ descriptor: Int32) -> Sink {
    let isTerminal = isatty(descriptor) == 1
    return Sink(
      isTerminal: isTerminal,
      columns: { isTerminal ? terminalColumns(descriptor) : 80 },
      write: { text in
        var text = text
        return text.withUTF8 { writeAll($0, to: descriptor) }
      })
  }
}

private func terminalColumns(_ descriptor: Int32) -> Int {
  var size = winsize()
  guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
  return Int(size.ws_col)
}

private func writeAll(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) -> Int32? {
  var rest = bytes[...]
  while !rest.isEmpty {
    let written = write(descriptor, UnsafeBufferPointer(rebasing: rest).baseAddress, rest.count)
    if written >= 0 {
      rest = rest.dropFirst(written)
    } else if errno == EAGAIN {
      // Another program made the terminal non-blocking: wait until it accepts more.
      var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&ready, 1, -1)
    } else if errno != EINTR {
      return errno
    }
  }
  return nil
}
