/* Written by Scripts/checks/sqlite-calls. Each function calls that of the host's SQLite. */
#include "host.h"

#undef sqlite3_auto_extension
int sqlite3_auto_extension(void(*a0)(void)) {
  return seedbed_host->auto_extension(a0);
}

#undef sqlite3_backup_finish
int sqlite3_backup_finish(sqlite3_backup * a0) {
  return seedbed_host->backup_finish(a0);
}

#undef sqlite3_backup_init
sqlite3_backup * sqlite3_backup_init(sqlite3 * a0, const char * a1, sqlite3 * a2, const char * a3) {
  return seedbed_host->backup_init(a0, a1, a2, a3);
}

#undef sqlite3_backup_pagecount
int sqlite3_backup_pagecount(sqlite3_backup * a0) {
  return seedbed_host->backup_pagecount(a0);
}

#undef sqlite3_backup_remaining
int sqlite3_backup_remaining(sqlite3_backup * a0) {
  return seedbed_host->backup_remaining(a0);
}

#undef sqlite3_backup_step
int sqlite3_backup_step(sqlite3_backup * a0, int a1) {
  return seedbed_host->backup_step(a0, a1);
}

#undef sqlite3_bind_blob64
int sqlite3_bind_blob64(sqlite3_stmt* a0, int a1, const void* a2, sqlite3_uint64 a3, void(*a4)(void*)) {
  return seedbed_host->bind_blob64(a0, a1, a2, a3, a4);
}

#undef sqlite3_bind_double
int sqlite3_bind_double(sqlite3_stmt* a0, int a1, double a2) {
  return seedbed_host->bind_double(a0, a1, a2);
}

#undef sqlite3_bind_int64
int sqlite3_bind_int64(sqlite3_stmt* a0, int a1, sqlite3_int64 a2) {
  return seedbed_host->bind_int64(a0, a1, a2);
}

#undef sqlite3_bind_null
int sqlite3_bind_null(sqlite3_stmt* a0, int a1) {
  return seedbed_host->bind_null(a0, a1);
}

#undef sqlite3_bind_parameter_count
int sqlite3_bind_parameter_count(sqlite3_stmt* a0) {
  return seedbed_host->bind_parameter_count(a0);
}

#undef sqlite3_bind_text64
int sqlite3_bind_text64(sqlite3_stmt* a0, int a1, const char* a2, sqlite3_uint64 a3, void(*a4)(void*), unsigned char a5) {
  return seedbed_host->bind_text64(a0, a1, a2, a3, a4, a5);
}

#undef sqlite3_bind_zeroblob
int sqlite3_bind_zeroblob(sqlite3_stmt* a0, int a1, int a2) {
  return seedbed_host->bind_zeroblob(a0, a1, a2);
}

#undef sqlite3_busy_handler
int sqlite3_busy_handler(sqlite3* a0, int(*a1)(void*,int), void* a2) {
  return seedbed_host->busy_handler(a0, a1, a2);
}

#undef sqlite3_changes64
sqlite3_int64 sqlite3_changes64(sqlite3* a0) {
  return seedbed_host->changes64(a0);
}

#undef sqlite3_close_v2
int sqlite3_close_v2(sqlite3* a0) {
  return seedbed_host->close_v2(a0);
}

#undef sqlite3_column_blob
const void * sqlite3_column_blob(sqlite3_stmt* a0, int a1) {
  return seedbed_host->column_blob(a0, a1);
}

#undef sqlite3_column_bytes
int sqlite3_column_bytes(sqlite3_stmt* a0, int a1) {
  return seedbed_host->column_bytes(a0, a1);
}

#undef sqlite3_column_count
int sqlite3_column_count(sqlite3_stmt * a0) {
  return seedbed_host->column_count(a0);
}

#undef sqlite3_column_double
double sqlite3_column_double(sqlite3_stmt* a0, int a1) {
  return seedbed_host->column_double(a0, a1);
}

#undef sqlite3_column_int64
sqlite3_int64 sqlite3_column_int64(sqlite3_stmt* a0, int a1) {
  return seedbed_host->column_int64(a0, a1);
}

#undef sqlite3_column_name
const char * sqlite3_column_name(sqlite3_stmt* a0, int a1) {
  return seedbed_host->column_name(a0, a1);
}

#undef sqlite3_column_text
const unsigned char * sqlite3_column_text(sqlite3_stmt* a0, int a1) {
  return seedbed_host->column_text(a0, a1);
}

#undef sqlite3_column_type
int sqlite3_column_type(sqlite3_stmt* a0, int a1) {
  return seedbed_host->column_type(a0, a1);
}

#undef sqlite3_create_function_v2
int sqlite3_create_function_v2(sqlite3 * a0, const char * a1, int a2, int a3, void * a4, void (*a5)(sqlite3_context*,int,sqlite3_value**), void (*a6)(sqlite3_context*,int,sqlite3_value**), void (*a7)(sqlite3_context*), void(*a8)(void*)) {
  return seedbed_host->create_function_v2(a0, a1, a2, a3, a4, a5, a6, a7, a8);
}

#undef sqlite3_create_module_v2
int sqlite3_create_module_v2(sqlite3 * a0, const char * a1, const sqlite3_module * a2, void * a3, void(*a4)(void*)) {
  return seedbed_host->create_module_v2(a0, a1, a2, a3, a4);
}

#undef sqlite3_db_filename
sqlite3_filename sqlite3_db_filename(sqlite3 * a0, const char * a1) {
  return seedbed_host->db_filename(a0, a1);
}

#undef sqlite3_db_mutex
sqlite3_mutex * sqlite3_db_mutex(sqlite3* a0) {
  return seedbed_host->db_mutex(a0);
}

#undef sqlite3_db_readonly
int sqlite3_db_readonly(sqlite3 * a0, const char * a1) {
  return seedbed_host->db_readonly(a0, a1);
}

#undef sqlite3_db_status
int sqlite3_db_status(sqlite3* a0, int a1, int * a2, int * a3, int a4) {
  return seedbed_host->db_status(a0, a1, a2, a3, a4);
}

#undef sqlite3_declare_vtab
int sqlite3_declare_vtab(sqlite3* a0, const char * a1) {
  return seedbed_host->declare_vtab(a0, a1);
}

#undef sqlite3_errcode
int sqlite3_errcode(sqlite3 * a0) {
  return seedbed_host->errcode(a0);
}

#undef sqlite3_errmsg
const char * sqlite3_errmsg(sqlite3* a0) {
  return seedbed_host->errmsg(a0);
}

#undef sqlite3_error_offset
int sqlite3_error_offset(sqlite3 * a0) {
  return seedbed_host->error_offset(a0);
}

#undef sqlite3_errstr
const char * sqlite3_errstr(int a0) {
  return seedbed_host->errstr(a0);
}

#undef sqlite3_exec
int sqlite3_exec(sqlite3* a0, const char * a1, int (*a2)(void*,int,char**,char**), void * a3, char ** a4) {
  return seedbed_host->exec(a0, a1, a2, a3, a4);
}

#undef sqlite3_extended_errcode
int sqlite3_extended_errcode(sqlite3 * a0) {
  return seedbed_host->extended_errcode(a0);
}

#undef sqlite3_extended_result_codes
int sqlite3_extended_result_codes(sqlite3* a0, int a1) {
  return seedbed_host->extended_result_codes(a0, a1);
}

#undef sqlite3_file_control
int sqlite3_file_control(sqlite3* a0, const char * a1, int a2, void* a3) {
  return seedbed_host->file_control(a0, a1, a2, a3);
}

#undef sqlite3_finalize
int sqlite3_finalize(sqlite3_stmt * a0) {
  return seedbed_host->finalize(a0);
}

#undef sqlite3_free
void sqlite3_free(void* a0) {
  seedbed_host->free(a0);
}

#undef sqlite3_get_autocommit
int sqlite3_get_autocommit(sqlite3* a0) {
  return seedbed_host->get_autocommit(a0);
}

#undef sqlite3_interrupt
void sqlite3_interrupt(sqlite3* a0) {
  seedbed_host->interruptx(a0);
}

#undef sqlite3_last_insert_rowid
sqlite3_int64 sqlite3_last_insert_rowid(sqlite3* a0) {
  return seedbed_host->last_insert_rowid(a0);
}

#undef sqlite3_libversion_number
int sqlite3_libversion_number(void) {
  return seedbed_host->libversion_number();
}

#undef sqlite3_mutex_leave
void sqlite3_mutex_leave(sqlite3_mutex* a0) {
  seedbed_host->mutex_leave(a0);
}

#undef sqlite3_mutex_try
int sqlite3_mutex_try(sqlite3_mutex* a0) {
  return seedbed_host->mutex_try(a0);
}

#undef sqlite3_next_stmt
sqlite3_stmt * sqlite3_next_stmt(sqlite3 * a0, sqlite3_stmt * a1) {
  return seedbed_host->next_stmt(a0, a1);
}

#undef sqlite3_open_v2
int sqlite3_open_v2(const char * a0, sqlite3 ** a1, int a2, const char * a3) {
  return seedbed_host->open_v2(a0, a1, a2, a3);
}

#undef sqlite3_prepare_v2
int sqlite3_prepare_v2(sqlite3 * a0, const char * a1, int a2, sqlite3_stmt ** a3, const char ** a4) {
  return seedbed_host->prepare_v2(a0, a1, a2, a3, a4);
}

#undef sqlite3_reset
int sqlite3_reset(sqlite3_stmt * a0) {
  return seedbed_host->reset(a0);
}

#undef sqlite3_result_blob
void sqlite3_result_blob(sqlite3_context* a0, const void* a1, int a2, void(*a3)(void*)) {
  seedbed_host->result_blob(a0, a1, a2, a3);
}

#undef sqlite3_result_double
void sqlite3_result_double(sqlite3_context* a0, double a1) {
  seedbed_host->result_double(a0, a1);
}

#undef sqlite3_result_error
void sqlite3_result_error(sqlite3_context* a0, const char* a1, int a2) {
  seedbed_host->result_error(a0, a1, a2);
}

#undef sqlite3_result_int
void sqlite3_result_int(sqlite3_context* a0, int a1) {
  seedbed_host->result_int(a0, a1);
}

#undef sqlite3_result_int64
void sqlite3_result_int64(sqlite3_context* a0, sqlite3_int64 a1) {
  seedbed_host->result_int64(a0, a1);
}

#undef sqlite3_result_null
void sqlite3_result_null(sqlite3_context* a0) {
  seedbed_host->result_null(a0);
}

#undef sqlite3_result_text
void sqlite3_result_text(sqlite3_context* a0, const char* a1, int a2, void(*a3)(void*)) {
  seedbed_host->result_text(a0, a1, a2, a3);
}

#undef sqlite3_result_text64
void sqlite3_result_text64(sqlite3_context* a0, const char* a1, sqlite3_uint64 a2, void(*a3)(void*), unsigned char a4) {
  seedbed_host->result_text64(a0, a1, a2, a3, a4);
}

#undef sqlite3_result_value
void sqlite3_result_value(sqlite3_context* a0, sqlite3_value* a1) {
  seedbed_host->result_value(a0, a1);
}

#undef sqlite3_result_zeroblob
void sqlite3_result_zeroblob(sqlite3_context* a0, int a1) {
  seedbed_host->result_zeroblob(a0, a1);
}

#undef sqlite3_set_authorizer
int sqlite3_set_authorizer(sqlite3* a0, int (*a1)(void*,int,const char*,const char*,const char*,const char*), void * a2) {
  return seedbed_host->set_authorizer(a0, a1, a2);
}

#undef sqlite3_set_last_insert_rowid
void sqlite3_set_last_insert_rowid(sqlite3* a0, sqlite3_int64 a1) {
  seedbed_host->set_last_insert_rowid(a0, a1);
}

#undef sqlite3_sourceid
const char * sqlite3_sourceid(void) {
  return seedbed_host->sourceid();
}

#undef sqlite3_sql
const char * sqlite3_sql(sqlite3_stmt * a0) {
  return seedbed_host->sql(a0);
}

#undef sqlite3_step
int sqlite3_step(sqlite3_stmt* a0) {
  return seedbed_host->step(a0);
}

#undef sqlite3_stmt_busy
int sqlite3_stmt_busy(sqlite3_stmt* a0) {
  return seedbed_host->stmt_busy(a0);
}

#undef sqlite3_stmt_readonly
int sqlite3_stmt_readonly(sqlite3_stmt * a0) {
  return seedbed_host->stmt_readonly(a0);
}

#undef sqlite3_str_appendall
void sqlite3_str_appendall(sqlite3_str* a0, const char * a1) {
  seedbed_host->str_appendall(a0, a1);
}

#undef sqlite3_str_finish
char * sqlite3_str_finish(sqlite3_str* a0) {
  return seedbed_host->str_finish(a0);
}

#undef sqlite3_str_new
sqlite3_str * sqlite3_str_new(sqlite3* a0) {
  return seedbed_host->str_new(a0);
}

#undef sqlite3_system_errno
int sqlite3_system_errno(sqlite3* a0) {
  return seedbed_host->system_errno(a0);
}

#undef sqlite3_table_column_metadata
int sqlite3_table_column_metadata(sqlite3 * a0, const char * a1, const char * a2, const char * a3, char const ** a4, char const ** a5, int * a6, int * a7, int * a8) {
  return seedbed_host->table_column_metadata(a0, a1, a2, a3, a4, a5, a6, a7, a8);
}

#undef sqlite3_txn_state
int sqlite3_txn_state(sqlite3* a0, const char * a1) {
  return seedbed_host->txn_state(a0, a1);
}

#undef sqlite3_user_data
void * sqlite3_user_data(sqlite3_context* a0) {
  return seedbed_host->user_data(a0);
}

#undef sqlite3_value_bytes
int sqlite3_value_bytes(sqlite3_value* a0) {
  return seedbed_host->value_bytes(a0);
}

#undef sqlite3_value_double
double sqlite3_value_double(sqlite3_value* a0) {
  return seedbed_host->value_double(a0);
}

#undef sqlite3_value_int64
sqlite3_int64 sqlite3_value_int64(sqlite3_value* a0) {
  return seedbed_host->value_int64(a0);
}

#undef sqlite3_value_text
const unsigned char * sqlite3_value_text(sqlite3_value* a0) {
  return seedbed_host->value_text(a0);
}

#undef sqlite3_value_type
int sqlite3_value_type(sqlite3_value* a0) {
  return seedbed_host->value_type(a0);
}

#undef sqlite3_vfs_find
sqlite3_vfs * sqlite3_vfs_find(const char * a0) {
  return seedbed_host->vfs_find(a0);
}

const char *seedbed_missing_call(const sqlite3_api_routines *api) {
  if (!api->auto_extension) return "sqlite3_auto_extension";
  if (!api->backup_finish) return "sqlite3_backup_finish";
  if (!api->backup_init) return "sqlite3_backup_init";
  if (!api->backup_pagecount) return "sqlite3_backup_pagecount";
  if (!api->backup_remaining) return "sqlite3_backup_remaining";
  if (!api->backup_step) return "sqlite3_backup_step";
  if (!api->bind_blob64) return "sqlite3_bind_blob64";
  if (!api->bind_double) return "sqlite3_bind_double";
  if (!api->bind_int64) return "sqlite3_bind_int64";
  if (!api->bind_null) return "sqlite3_bind_null";
  if (!api->bind_parameter_count) return "sqlite3_bind_parameter_count";
  if (!api->bind_text64) return "sqlite3_bind_text64";
  if (!api->bind_zeroblob) return "sqlite3_bind_zeroblob";
  if (!api->busy_handler) return "sqlite3_busy_handler";
  if (!api->changes64) return "sqlite3_changes64";
  if (!api->close_v2) return "sqlite3_close_v2";
  if (!api->column_blob) return "sqlite3_column_blob";
  if (!api->column_bytes) return "sqlite3_column_bytes";
  if (!api->column_count) return "sqlite3_column_count";
  if (!api->column_double) return "sqlite3_column_double";
  if (!api->column_int64) return "sqlite3_column_int64";
  if (!api->column_name) return "sqlite3_column_name";
  if (!api->column_text) return "sqlite3_column_text";
  if (!api->column_type) return "sqlite3_column_type";
  if (!api->create_function_v2) return "sqlite3_create_function_v2";
  if (!api->create_module_v2) return "sqlite3_create_module_v2";
  if (!api->db_config) return "sqlite3_db_config";
  if (!api->db_filename) return "sqlite3_db_filename";
  if (!api->db_mutex) return "sqlite3_db_mutex";
  if (!api->db_readonly) return "sqlite3_db_readonly";
  if (!api->db_status) return "sqlite3_db_status";
  if (!api->declare_vtab) return "sqlite3_declare_vtab";
  if (!api->errcode) return "sqlite3_errcode";
  if (!api->errmsg) return "sqlite3_errmsg";
  if (!api->error_offset) return "sqlite3_error_offset";
  if (!api->errstr) return "sqlite3_errstr";
  if (!api->exec) return "sqlite3_exec";
  if (!api->extended_errcode) return "sqlite3_extended_errcode";
  if (!api->extended_result_codes) return "sqlite3_extended_result_codes";
  if (!api->file_control) return "sqlite3_file_control";
  if (!api->finalize) return "sqlite3_finalize";
  if (!api->free) return "sqlite3_free";
  if (!api->get_autocommit) return "sqlite3_get_autocommit";
  if (!api->interruptx) return "sqlite3_interrupt";
  if (!api->last_insert_rowid) return "sqlite3_last_insert_rowid";
  if (!api->libversion_number) return "sqlite3_libversion_number";
  if (!api->mutex_leave) return "sqlite3_mutex_leave";
  if (!api->mutex_try) return "sqlite3_mutex_try";
  if (!api->next_stmt) return "sqlite3_next_stmt";
  if (!api->open_v2) return "sqlite3_open_v2";
  if (!api->prepare_v2) return "sqlite3_prepare_v2";
  if (!api->reset) return "sqlite3_reset";
  if (!api->result_blob) return "sqlite3_result_blob";
  if (!api->result_double) return "sqlite3_result_double";
  if (!api->result_error) return "sqlite3_result_error";
  if (!api->result_int) return "sqlite3_result_int";
  if (!api->result_int64) return "sqlite3_result_int64";
  if (!api->result_null) return "sqlite3_result_null";
  if (!api->result_text) return "sqlite3_result_text";
  if (!api->result_text64) return "sqlite3_result_text64";
  if (!api->result_value) return "sqlite3_result_value";
  if (!api->result_zeroblob) return "sqlite3_result_zeroblob";
  if (!api->set_authorizer) return "sqlite3_set_authorizer";
  if (!api->set_last_insert_rowid) return "sqlite3_set_last_insert_rowid";
  if (!api->sourceid) return "sqlite3_sourceid";
  if (!api->sql) return "sqlite3_sql";
  if (!api->step) return "sqlite3_step";
  if (!api->stmt_busy) return "sqlite3_stmt_busy";
  if (!api->stmt_readonly) return "sqlite3_stmt_readonly";
  if (!api->str_appendall) return "sqlite3_str_appendall";
  if (!api->str_finish) return "sqlite3_str_finish";
  if (!api->str_new) return "sqlite3_str_new";
  if (!api->system_errno) return "sqlite3_system_errno";
  if (!api->table_column_metadata) return "sqlite3_table_column_metadata";
  if (!api->txn_state) return "sqlite3_txn_state";
  if (!api->user_data) return "sqlite3_user_data";
  if (!api->value_bytes) return "sqlite3_value_bytes";
  if (!api->value_double) return "sqlite3_value_double";
  if (!api->value_int64) return "sqlite3_value_int64";
  if (!api->value_text) return "sqlite3_value_text";
  if (!api->value_type) return "sqlite3_value_type";
  if (!api->vfs_find) return "sqlite3_vfs_find";
  if (!api->vtab_config) return "sqlite3_vtab_config";
  return 0;
}
