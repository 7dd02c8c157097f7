/// The SQLite of the oldest iPhones is 3.39, and Apple's lacks some functions in every version.
enum SQLiteCalls {
  /// In which version each appeared.
  private static let known: [(version: (Int, Int), names: String)] = [
    (
      (3, 0),
      """
      bind_double bind_int64 bind_null bind_parameter_count bind_text busy_handler
      busy_timeout close column_blob column_bytes column_count column_double column_int64
      column_name column_text column_type complete errcode errmsg exec finalize free
      get_autocommit interrupt last_insert_rowid libversion libversion_number open
      progress_handler reset result_blob result_double result_int result_int64 result_text
      result_value set_authorizer step value_bytes value_double value_text value_type
      """
    ),
    (
      (3, 7),
      """
      backup_finish backup_init backup_pagecount backup_remaining backup_step bind_zeroblob
      config create_function_v2 create_module_v2 db_config db_mutex db_status declare_vtab
      extended_errcode extended_result_codes file_control memory_used mutex_leave mutex_try
      next_stmt open_v2 prepare_v2 result_zeroblob sourceid sql stmt_readonly
      table_column_metadata vfs_find vfs_register vtab_config
      """
    ),
    (
      (3, 8),
      """
      bind_blob64 bind_text64 close_v2 db_filename db_readonly errstr result_text64 stmt_busy
      """
    ),
    ((3, 10), "db_cacheflush"), ((3, 12), "system_errno"), ((3, 18), "set_last_insert_rowid"),
    ((3, 24), "str_appendall str_finish str_new"), ((3, 37), "changes64"),
    ((3, 38), "error_offset"),
  ]

  private static let names = Set(
    known.filter { $0.version <= (3, 39) }.flatMap { entry in
      entry.names.split { " \n".contains($0) }.map { "sqlite3_" + $0 }
    })

  static func unknown(in file: SourceFile) -> [Violation] {
    let tokens = Token.all(in: file.text)
    return zip(tokens, tokens.dropFirst()).compactMap { name, next in
      guard name.text.hasPrefix("sqlite3_"), next.text == "(", !names.contains(name.text),
        // The types have initialisers.
        !["sqlite3_mem_methods", "sqlite3_module", "sqlite3_vtab", "sqlite3_vtab_cursor"]
          .contains(name.text)
      else { return nil }
      return Violation(
        path: file.path, line: name.line, found: "\(name.text)() may be missing on iOS 16",
        remedy: "If SQLite 3.39 has it, and Apple's does, put it into the table of SQLiteCalls.")
    }
  }
}
