#pragma once
#include <sqlite3ext.h>

/* The functions of the host's SQLite; NULL until it has loaded the extension. */
extern const sqlite3_api_routines *seedbed_host;

/* The first function that this library calls and the host does not have; NULL if it has all. */
const char *seedbed_missing_call(const sqlite3_api_routines *api);
