#include <sqlite3.h>
#include <stdio.h>
static int show(void *app, int n, char **row, char **names) { return puts(*row ? *row : "") < 0; }
int main(int count, char **words) { /* DATABASE EXTENSION CATALOG OPTIONS */
  sqlite3 *app;
  char *error = 0, line[1000];
  int code = sqlite3_open(words[1], &app);
  if (!code) code = sqlite3_db_config(app, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, NULL);
  if (!code) code = sqlite3_load_extension(app, words[2], NULL, &error);
  char *up = sqlite3_mprintf("SELECT seedbed_up(%Q, %Q) ->> 'outcome'", words[3], words[4]);
  if (!code) code = sqlite3_exec(app, up, show, NULL, &error);
  while (!code && !fflush(stdout) && fgets(line, sizeof line, stdin)) /* The app goes on. */
    code = sqlite3_exec(app, line, show, NULL, &error);
  return code ? fprintf(stderr, "%s\n", error ? error : sqlite3_errmsg(app)), 1 : 0;
}
