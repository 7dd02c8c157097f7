internal import CSeedbedExtension
internal import CSeedbedSQLite
internal import Seedbed
internal import SeedbedOptions

/// The last error of one connection's SQL functions.
final class LastError {
  var error: SeedbedError?
}

/// A verb as an SQL function of one connection.
final class SQLFunction {
  private let verb: Call.Verb
  private let connection: OpaquePointer
  private let last: LastError

  private init(_ verb: Call.Verb, on connection: OpaquePointer, _ last: LastError) {
    (self.verb, self.connection, self.last) = (verb, connection, last)
  }

  private var name: String { "seedbed_\(verb.rawValue)" }

  /// The options that are arguments of their own, after the catalog.
  private var arguments: [VerbOption] {
    CallOptions.all(of: verb, in: .sql).filter(\.isArgument)
  }

  // MARK: registering

  /// - Returns: SQLite's code.
  static func register(on connection: OpaquePointer) -> Int32 {
    let last = LastError()
    // The log is a table, `seedbed_conflict_columns`.
    for verb in Call.Verb.allCases where verb != .conflicts {
      let function = SQLFunction(verb, on: connection, last)
      let code = create(function.name, arguments: -1, on: connection, function) {
        SQLFunction.of($0, as: SQLFunction.self).call($0, $1, $2)
      }
      if code != SQLITE_OK { return code }
    }
    let code = create("seedbed_last_error", arguments: 0, on: connection, last) { context, _, _ in
      if let error = SQLFunction.of(context, as: LastError.self).error {
        SQLFunction.answer(error.json, to: context)
      }
    }
    if code != SQLITE_OK { return code }
    return create("seedbed_version", arguments: 0, on: connection, last) { context, _, _ in
      SQLFunction.answer(Tool.version, to: context)
    }
  }

  private static func create(
    _ name: String, arguments: Int32, on connection: OpaquePointer, _ object: AnyObject,
    _ body: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
  ) -> Int32 {
    // > SQLITE_DIRECTONLY: the function may only be invoked from top-level SQL, and cannot be used
    // > in VIEWs or TRIGGERs.
    // SQLite releases the object when the connection is closed, and if this fails.
    sqlite3_create_function_v2(
      connection, name, arguments, SQLITE_UTF8 | SQLITE_DIRECTONLY,
      Unmanaged.passRetained(object).toOpaque(), body, nil, nil
    ) { Unmanaged<AnyObject>.fromOpaque($0!).release() }
  }

  private static func of<Object: AnyObject>(
    _ context: OpaquePointer?, as kind: Object.Type
  ) -> Object {
    Unmanaged<Object>.fromOpaque(sqlite3_user_data(context)).takeUnretainedValue()
  }

  private static func answer(_ text: String, to context: OpaquePointer?) {
    sqlite3_result_text(context, text, -1, seedbed_transient())
  }

  // MARK: calling

  private func call(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    do {
      let call = try call((0..<Int(count)).map { SQLValue(values?[$0]) })
      Self.answer(try call.answer().document.text, to: context)
    } catch {
      let error = SeedbedError.from(error)
      last.error = error
      sqlite3_result_error(context, error.description, -1)
    }
  }

  private func call(_ values: [SQLValue]) throws -> Call {
    let arguments = arguments
    let (least, most) = (1 + arguments.count(where: \.isRequired), 1 + arguments.count)
    guard (least...(most + 1)).contains(values.count) else {
      let given = values.count == 1 ? "one argument" : "\(values.count) arguments"
      throw SeedbedError(
        .usage,
        "\(name)() got \(given). Write "
          + "\(name)(\((["catalog"] + arguments.map(\.name)).joined(separator: ", ")) [, options])."
      )
    }
    let json = try values.dropFirst(most).first?.optionalText("the options of \(name)()")
    let given = try zip(arguments, values.dropFirst()).filter { $0.isRequired || !$1.isNull }
      .map { ($0, try $1.option($0)) }
    let options = try CallOptions(json, of: verb, in: .sql, arguments: given)
    // Only this verb is part of the caller's transaction, as its owner is.
    if verb == .fill {
      if let name = try options.text(.attached), name != "main" {
        throw SeedbedError(
          .usage,
          "seedbed_fill() works on the connection itself, and not on '\(name.shortened(to: 40))'. "
            + "Leave 'database' out, and call it on a connection to that file.")
      }
      var call = try Call(
        verb: verb, catalog: values[0].text("the catalog of \(name)()"),
        database: .connection(connection), options: options)
      call.isCalledByStatement = true
      return call
    }
    let file = try CallersFile(
      of: connection, options.text(.attached) ?? "main", for: verb,
      hasSetup: options.text(.connectionSQL) != nil)
    var call = try Call(
      verb: verb, catalog: values[0].text("the catalog of \(name)()"),
      database: .file(file.path), options: options)
    call.hooks.vfs = file.vfs
    call.progress = { [connection, cancellation = call.cancellation] _ in
      if seedbed_is_interrupted(connection) != 0 { cancellation.cancel() }
    }
    return call
  }
}
