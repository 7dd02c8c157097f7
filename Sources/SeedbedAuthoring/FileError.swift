import Seedbed

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
  // Outside Apple's systems this module has the numbers.
  import enum Glibc.POSIXErrorCode
#else
  import Foundation
#endif

extension SeedbedError {
  /// An error of a file operation in the system's words, because Foundation's own description is
  /// for programmers. A full disk has a code of its own.
  static func file(_ what: String, _ error: any Error) -> SeedbedError {
    if let error = error as? SeedbedError { return error }
    var next: (any Error)? = error
    while let error = next {
      if let error = error as? POSIXError {
        let reason = "Cannot \(what): \(String(cString: strerror(error.code.rawValue)))."
        let isFull = [POSIXError.ENOSPC, POSIXError.EDQUOT].contains(error.code)
        return isFull
          ? SeedbedError(.diskFull, reason + " Free some space and try again.")
          : SeedbedError(.io, reason)
      }
      next = (error as? CocoaError)?.underlying
    }
    return SeedbedError(.io, "Cannot \(what): \(error).")
  }
}
