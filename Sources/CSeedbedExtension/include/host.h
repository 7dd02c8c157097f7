/* What Swift needs of the host's SQLite before it can call it. */
#ifndef SEEDBED_HOST_H
#define SEEDBED_HOST_H

#include "seedbed.h"

struct sqlite3;
struct sqlite3_api_routines;

/* Takes the table of functions that SQLite hands to an extension. SQLITE_OK, or SQLITE_ERROR with a
 * message from the host's own allocator. */
int seedbed_use_host(
    const struct sqlite3_api_routines *api, int oldest_version, char **message);

/* Whether SQLite has loaded the extension. */
int seedbed_host_is_known(void);

/* Whether sqlite3_interrupt() was called on the connection; 0 if this SQLite cannot tell. */
int seedbed_is_interrupted(struct sqlite3 *connection);

/* One call of a verb, which Swift answers. */
typedef struct seedbed_arguments {
  const char *verb;
  const char *catalog;
  const seedbed_database *database;
  const char *options;
  seedbed_progress progress;
  void *context;
} seedbed_arguments;

int seedbed_call(const seedbed_arguments *given, char **answer);
#endif
