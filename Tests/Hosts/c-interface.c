#include "seedbed.h"
#include <sqlite3.h>
#include <stdio.h>

int main(int count, char **words) { /* CATALOG */
  sqlite3 *app;
  char *answer = NULL;
  sqlite3_auto_extension((void (*)(void))sqlite3_seedbed_init);
  if (sqlite3_open(":memory:", &app)) return 1;
  seedbed_database database = {.connection = app};
  int code = seedbed_up(words[1], &database, "{\"to\": 1}", NULL, NULL, &answer);
  puts(answer);
  seedbed_free(answer);
  return code;
}
