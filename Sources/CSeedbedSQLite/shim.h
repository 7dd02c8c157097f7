#pragma once
#include <sqlite3.h>

// Swift cannot call variadic C functions.
static inline int seedbed_db_config_switch(sqlite3 *db, int option, int on) {
  return sqlite3_db_config(db, option, on, (int *)0);
}

// 0 or 1, or -1 for an option that this SQLite does not have.
static inline int seedbed_db_config_state(sqlite3 *db, int option) {
  int state = -1;
  return sqlite3_db_config(db, option, -1, &state) == SQLITE_OK ? state : -1;
}

// Swift cannot import the macro, a cast of -1 to a function pointer.
static inline sqlite3_destructor_type seedbed_transient(void) { return SQLITE_TRANSIENT; }

// Variadic: no view, trigger or other part of a schema may read the virtual table.
static inline int seedbed_vtab_direct_only(sqlite3 *db) {
  return sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
}

// Variadic as well.
static inline int seedbed_get_allocator(sqlite3_mem_methods *methods) {
  return sqlite3_config(SQLITE_CONFIG_GETMALLOC, methods);
}
static inline int seedbed_set_allocator(sqlite3_mem_methods *methods) {
  return sqlite3_config(SQLITE_CONFIG_MALLOC, methods);
}
static inline int seedbed_count_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 1);
}
