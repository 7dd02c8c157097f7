public import CSeedbedExtension
internal import CSeedbedSQLite
internal import Seedbed
internal import SeedbedOptions

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

// The functions of seedbed.h, by `@_cdecl`, since Swift 6.2 has no `@c`.

/// Where an answer goes.
public typealias Answer = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// `seedbed_free()` of seedbed.h.
@_cdecl("seedbed_free")
public func free(answer: UnsafeMutablePointer<CChar>?) {
  free(answer)
}

/// `seedbed_abi()` of seedbed.h.
@_cdecl("seedbed_abi")
public func abi() -> Int32 { SEEDBED_ABI }

/// `seedbed_version()` of seedbed.h.
@_cdecl("seedbed_version")
public func version() -> UnsafePointer<CChar> { versionText }

/// Never freed.
nonisolated(unsafe) private let versionText = UnsafePointer<CChar>(strdup(Tool.version)!)

/// Each verb of seedbed.h comes here, see `verbs.c`.
@_cdecl("seedbed_call")
public func call(_ given: UnsafePointer<seedbed_arguments>?, _ answer: Answer?) -> Int32 {
  answer?.pointee = nil
  do {
    guard let given = given?.pointee, let verb = Call.Verb(rawValue: String(cString: given.verb))
    else { throw SeedbedError(.usage, "There is no such verb.") }
    let (database, context) = (given.database?.pointee, given.context)
    var call = try Call(
      verb: verb, catalog: text(given.catalog, "The catalog"), database: opened(database),
      options: CallOptions(
        given.options.map { try text($0, "The text of the options") }, of: verb, in: .c))
    call.observe(given.progress, context)
    if let function = database?.on_connection {
      let (setup, further) = (Setup(function: function, context: context), call.hooks.onConnection)
      call.hooks.onConnection = { connection in
        let code = setup.function(connection, setup.context)
        try ConnectionFailure.check(code, of: "on_connection")
        try further?(connection)
      }
    }
    let (document, code) = try call.answer()
    answer?.pointee = strdup(document.text)
    return code
  } catch {
    let error = SeedbedError.from(error)
    answer?.pointee = strdup(error.json)
    return error.code.exitCode
  }
}

private func text(_ pointer: UnsafePointer<CChar>?, _ what: String) throws -> String {
  guard let pointer else { throw SeedbedError(.usage, "\(what) is NULL. Give a path.") }
  guard let text = String(validatingCString: pointer), !text.isEmpty else {
    throw SeedbedError(.usage, "\(what) is empty or no UTF-8. Give text in UTF-8.")
  }
  return text
}

private func opened(_ database: seedbed_database?) throws -> Call.Database {
  guard seedbed_host_is_known() != 0 else {
    throw SeedbedError(
      .needsConnection,
      "SQLite has not loaded Seedbed yet. Load the extension on a connection first, or register "
        + "sqlite3_seedbed_init with sqlite3_auto_extension.")
  }
  switch (database?.path, database?.connection) {
  case (let path?, nil): return .file(try text(path, "The path of the database"))
  case (nil, let connection?): return .connection(connection)
  default:
    throw SeedbedError(
      .usage, "Give the path of a database, or a connection to it, and not both.")
  }
}

/// The caller's function for new connections. It is called on the thread of the call.
private struct Setup: @unchecked Sendable {
  let function: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32
  let context: UnsafeMutableRawPointer?
}

extension Call {
  /// Calls the caller's function with the progress, and cancels if it says so.
  fileprivate mutating func observe(
    _ function: seedbed_progress?, _ context: UnsafeMutableRawPointer?
  ) {
    guard let function else { return }
    progress = { [cancellation] progress in
      let table = progress.table.map { strdup($0) }
      defer { free(table.flatMap(\.self)) }
      let isCancelled = progress.phase.rawValue.withCString { phase in
        function(
          context, progress.fraction, phase, table.flatMap { UnsafePointer($0) }, progress.rows)
      }
      if isCancelled != 0 { cancellation.cancel() }
    }
  }
}
