#include "host.h"

#include <stdarg.h>

const sqlite3_api_routines *seedbed_host;

int seedbed_use_host(const sqlite3_api_routines *api, int oldest_version, char **message) {
  if (!api) return SQLITE_ERROR;
  const char *missing = 0;
  if (api->libversion_number() < oldest_version) {
    if (message) {
      *message = api->mprintf(
          "This program has SQLite %s, and Seedbed needs %d.%d or newer. Use a program that has "
          "a newer one.",
          api->libversion(), oldest_version / 1000000, oldest_version / 1000 % 1000);
    }
  } else if ((missing = seedbed_missing_call(api))) {
    if (message) {
      *message = api->mprintf(
          "The SQLite %s of this program was built without %s(), which Seedbed needs. Use a "
          "program that has a complete one.",
          api->libversion(), missing);
    }
  } else {
    const sqlite3_api_routines *known = 0;
    if (__atomic_compare_exchange_n(
            &seedbed_host, &known, api, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
        known == api) {
      return SQLITE_OK;
    }
    if (message) {
      *message = api->mprintf(
          "Another copy of SQLite in this process (%s) uses this file already, and the handles of "
          "one mean nothing to the other. Load a copy of the file for this one (%s).",
          known->libversion(), api->libversion());
    }
  }
  return SQLITE_ERROR;
}

int seedbed_host_is_known(void) { return __atomic_load_n(&seedbed_host, __ATOMIC_ACQUIRE) != 0; }

int seedbed_is_interrupted(sqlite3 *connection) {
  if (seedbed_host->libversion_number() < 3041000) return 0;
#if SQLITE_VERSION_NUMBER >= 3041000
  return seedbed_host->is_interrupted(connection);
#else
  /* The member that 3.41 added after those of 3.40. */
  _Static_assert(SQLITE_VERSION_NUMBER >= 3040000, "the table of an older SQLite is shorter");
  struct table {
    sqlite3_api_routines of_3_40;
    int (*is_interrupted)(sqlite3 *);
  };
  return ((const struct table *)seedbed_host)->is_interrupted(connection);
#endif
}

/* The variadic functions, with the arguments that this library passes. */
#undef sqlite3_db_config
int sqlite3_db_config(sqlite3 *connection, int option, ...) {
  va_list arguments;
  va_start(arguments, option);
  int value = va_arg(arguments, int);
  int *state = va_arg(arguments, int *);
  va_end(arguments);
  return seedbed_host->db_config(connection, option, value, state);
}

#undef sqlite3_vtab_config
int sqlite3_vtab_config(sqlite3 *connection, int option, ...) {
  return seedbed_host->vtab_config(connection, option);
}
