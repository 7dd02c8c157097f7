#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Error {
  /// Why a file could not be written, in the system's words: Foundation prints an error of its own
  /// as the program sees it.
  var reason: String {
    var next: (any Error)? = self
    while let error = next {
      if let error = error as? POSIXError { return String(cString: strerror(error.code.rawValue)) }
      next = (error as? CocoaError)?.underlying
    }
    return "\(self)"
  }
}
