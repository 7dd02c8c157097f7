#include "CTestSupport.h"

#include <sqlite3.h>

// By default SQLite counts what it allocates, under one mutex for the whole process. Tests that
// run side by side would spend a third of their time waiting for it.
__attribute__((constructor)) static void stop_counting_memory(void) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
