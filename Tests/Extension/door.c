/* Seedbed from C: door EXTENSION CATALOG OWNERS, in an empty folder. Prints nothing if all is well.
 *
 * The catalog is Migrations: four releases of `elements`, of which the third renames number 113. It
 * is compiled as C11 and as C++ with all warnings, so that seedbed.h is both. */
#include "seedbed.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) check((condition), #condition, __LINE__)

static char *answer;
static const char *extension, *catalog, *owners;

static void check(int condition, const char *text, int line) {
  if (condition) return;
  fprintf(stderr, "door.c:%d: %s\n  %s\n", line, text, answer ? answer : "no answer");
  exit(1);
}

/* The functions, by the types of the header. */
static struct {
  __typeof__(&seedbed_up) up, plan, status, outlook, down, conflicts, resolve, pin, unpin, origin,
      absent, reseed, fill;
  __typeof__(&seedbed_free) release;
  __typeof__(&seedbed_abi) abi;
  __typeof__(&seedbed_version) version;
  __typeof__(&sqlite3_seedbed_init) init;
} seedbed;

static void find_functions(void) {
  void *library = dlopen(extension, RTLD_NOW);
  CHECK(library != NULL);
#define FIND(member, name)                                    \
  CHECK((*(void **)&seedbed.member = dlsym(library, name)) != NULL)
  FIND(up, "seedbed_up");
  FIND(plan, "seedbed_plan");
  FIND(status, "seedbed_status");
  FIND(outlook, "seedbed_outlook");
  FIND(down, "seedbed_down");
  FIND(conflicts, "seedbed_conflicts");
  FIND(resolve, "seedbed_resolve");
  FIND(pin, "seedbed_pin");
  FIND(unpin, "seedbed_unpin");
  FIND(origin, "seedbed_origin");
  FIND(absent, "seedbed_absent");
  FIND(reseed, "seedbed_reseed");
  FIND(fill, "seedbed_fill");
  FIND(release, "seedbed_free");
  FIND(abi, "seedbed_abi");
  FIND(version, "seedbed_version");
  FIND(init, "sqlite3_seedbed_init");
}

/* Calls one verb, and keeps its answer. */
static int call(
    __typeof__(&seedbed_up) verb, const seedbed_database *database, const char *options,
    seedbed_progress progress, void *context) {
  seedbed.release(answer);
  answer = NULL;
  return verb(catalog, database, options, progress, context, &answer);
}

static int has(const char *text) { return answer && strstr(answer, text) != NULL; }

static sqlite3 *opened(const char *path) {
  sqlite3 *connection = NULL;
  CHECK(sqlite3_open(path, &connection) == SQLITE_OK);
  return connection;
}

static void run(sqlite3 *connection, const char *sql) {
  CHECK(sqlite3_exec(connection, sql, NULL, NULL, NULL) == SQLITE_OK);
}

/* Whether an SQL expression is true. */
static int holds(sqlite3 *connection, const char *sql) {
  sqlite3_stmt *statement = NULL;
  CHECK(sqlite3_prepare_v2(connection, sql, -1, &statement, NULL) == SQLITE_OK);
  int is_true = sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_int(statement, 0);
  sqlite3_finalize(statement);
  return is_true;
}

#define NAME_OF_113(name) "SELECT name = '" name "' FROM elements WHERE number = 113"

static void load(void) {
  sqlite3 *connection = opened(":memory:");
  char *message = NULL;
  CHECK(sqlite3_enable_load_extension(connection, 1) == SQLITE_OK);
  int code = sqlite3_load_extension(connection, extension, "sqlite3_seedbed_init", &message);
  if (code != SQLITE_OK) fprintf(stderr, "%s\n", message);
  CHECK(code == SQLITE_OK);
  CHECK(holds(connection, "SELECT length(seedbed_version()) > 0"));
  /* The functions of the header go on to work without it. */
  CHECK(sqlite3_close(connection) == SQLITE_OK);
  CHECK(seedbed.abi() == SEEDBED_ABI);
  CHECK(strchr(seedbed.version(), '.') != NULL);
}

/* Progress. */

struct seen {
  int calls, stop_at;
  double fraction;
  int rows_were_counted, table_was_named;
};

static int watch(
    void *context, double fraction, const char *phase, const char *table, long long rows) {
  struct seen *seen = (struct seen *)context;
  static const char phases[] = " waiting backingUp applying checking committing ";
  CHECK(phase != NULL && strstr(phases, phase) != NULL);
  CHECK(fraction >= seen->fraction && fraction <= 1);
  CHECK(rows >= 0);
  seen->fraction = fraction;
  if (table) {
    CHECK(strcmp(table, "elements") == 0);
    seen->table_was_named = 1;
  }
  if (rows) seen->rows_were_counted = 1;
  return ++seen->calls == seen->stop_at;
}

static void by_path(void) {
  seedbed_database file = {"path.sqlite", NULL, NULL};
  struct seen stopped = {0, 1, 0, 0, 0}, whole = {0, 0, 0, 0, 0};
  CHECK(call(seedbed.outlook, &file, NULL, NULL, NULL) == 0 && has("\"outlook\":\"pending\""));
  CHECK(call(seedbed.up, &file, NULL, watch, &stopped) == 130);
  CHECK(stopped.calls == 1 && has("\"error\":") && has("\"applied\":[]"));
  CHECK(call(seedbed.status, &file, NULL, NULL, NULL) == 0 && has("\"current\":0"));
  CHECK(call(seedbed.up, &file, NULL, watch, &whole) == 0 && has("\"outcome\":\"applied\""));
  CHECK(whole.calls > 1 && whole.fraction == 1 && whole.rows_were_counted && whole.table_was_named);
  CHECK(call(seedbed.up, &file, NULL, NULL, NULL) == 0 && has("\"outcome\":\"upToDate\""));
  CHECK(call(seedbed.down, &file, "{\"to\": 2}", NULL, NULL) == 0 && has("\"to\":2"));
  sqlite3 *connection = opened("path.sqlite");
  CHECK(holds(connection, NAME_OF_113("Ununtrium")));
  sqlite3_close(connection);
  CHECK(call(seedbed.up, &file, "{\"tos\": 3}", NULL, NULL) == 64 && has("Did you mean 'to'?"));
}

/* A connection that the program lends. */

static void by_connection(const char *path) {
  sqlite3 *connection = opened(path);
  seedbed_database lent = {NULL, connection, NULL};
  CHECK(call(seedbed.plan, &lent, NULL, NULL, NULL) == 0 && has("\"outcome\":\"planned\""));
  CHECK(holds(connection, "SELECT count(*) = 0 FROM sqlite_master WHERE name = 'elements'"));
  CHECK(call(seedbed.up, &lent, "{\"to\": 2}", NULL, NULL) == 0 && has("\"to\":2"));
  run(connection, "UPDATE elements SET name = 'Mine' WHERE number = 113");

  struct seen stopped = {0, 1, 0, 0, 0};
  CHECK(call(seedbed.up, &lent, NULL, watch, &stopped) == 130);
  CHECK(sqlite3_get_autocommit(connection) && holds(connection, NAME_OF_113("Mine")));
  CHECK(call(seedbed.up, &lent, NULL, NULL, NULL) == 0 && has("\"conflictCount\":1"));
  CHECK(holds(connection, NAME_OF_113("Mine")));

  CHECK(call(seedbed.conflicts, &lent, NULL, NULL, NULL) == 0 && has("\"Nihonium\""));
  const char *wrong = "{\"id\": 99, \"side\": \"seed\"}";
  const char *right = "{\"id\": [1], \"side\": \"seed\"}";
  CHECK(call(seedbed.resolve, &lent, wrong, NULL, NULL) == 64);
  CHECK(call(seedbed.resolve, &lent, right, NULL, NULL) == 0 && has("\"settled\":[1]"));
  CHECK(holds(connection, NAME_OF_113("Nihonium")));

  CHECK(call(seedbed.down, &lent, "{\"to\": 1}", NULL, NULL) == 0);
  CHECK(holds(connection, NAME_OF_113("Ununtrium")));
  CHECK(call(seedbed.down, &lent, "{\"to\": 0}", NULL, NULL) == 0);
  CHECK(holds(connection, "SELECT count(*) = 0 FROM sqlite_master WHERE name = 'elements'"));
  CHECK(sqlite3_close(connection) == SQLITE_OK);
}

static void keys(void) {
  static const char *const forms[] = {"113", "[113]", "{\"number\": 113}"};
  sqlite3 *connection = opened(":memory:");
  seedbed_database lent = {NULL, connection, NULL};
  CHECK(call(seedbed.up, &lent, "{\"to\": 2}", NULL, NULL) == 0);
  for (int form = 0; form < 3; form++) {
    char options[100];
    snprintf(options, sizeof options, "{\"table\": \"elements\", \"key\": %s}", forms[form]);
    CHECK(call(seedbed.origin, &lent, options, NULL, NULL) == 0 && has("\"isPinned\":false"));
    CHECK(call(seedbed.pin, &lent, options, NULL, NULL) == 0 && has("113"));
    CHECK(call(seedbed.origin, &lent, options, NULL, NULL) == 0 && has("\"isPinned\":true"));
    if (form < 2) CHECK(call(seedbed.unpin, &lent, options, NULL, NULL) == 0);
  }
  /* It is still pinned: the release does not touch it. */
  CHECK(call(seedbed.up, &lent, NULL, NULL, NULL) == 0);
  CHECK(holds(connection, NAME_OF_113("Ununtrium")));
  CHECK(sqlite3_close(connection) == SQLITE_OK);
}

/* A row that the user deleted is listed, and comes back by its key, or because it is absent. */
static void what_is_absent(const char *path) {
  static const char *const ways[] = {
      "{\"table\": \"elements\", \"key\": 113}", "{\"table\": \"elements\", \"missing\": true}",
      "{\"missing\": true}"};
  sqlite3 *connection = opened(path);
  seedbed_database lent = {NULL, connection, NULL};
  CHECK(call(seedbed.up, &lent, NULL, NULL, NULL) == 0);
  for (int way = 0; way < 3; way++) {
    run(connection, "DELETE FROM elements WHERE number = 113");
    CHECK(call(seedbed.absent, &lent, NULL, NULL, NULL) == 0 && has("\"deletedByUser\""));
    CHECK(call(seedbed.reseed, &lent, ways[way], NULL, NULL) == 0 && has("\"reseeded\""));
    CHECK(holds(connection, NAME_OF_113("Nihonium")));
  }
  CHECK(call(seedbed.absent, &lent, NULL, NULL, NULL) == 0 && has("\"absent\":[]"));
  /* A key that is left out does not mean all rows. */
  const char *both = "{\"table\": \"elements\", \"key\": 113, \"missing\": true}";
  CHECK(call(seedbed.reseed, &lent, "{\"table\": \"elements\"}", NULL, NULL) == 64);
  CHECK(call(seedbed.reseed, &lent, both, NULL, NULL) == 64 && has("either"));
  CHECK(sqlite3_close(connection) == SQLITE_OK);
}

/* A new owner, in the transaction that adds it. */

static void an_owner(const char *path) {
  static const char *const tables =
      "CREATE TABLE organizations (id INTEGER PRIMARY KEY NOT NULL, name TEXT);"
      "CREATE TABLE labels (organization_id INTEGER NOT NULL REFERENCES organizations,"
      " name TEXT NOT NULL, colour TEXT, PRIMARY KEY (organization_id, name))";
  static const char *const has_rows = "SELECT count(*) = 2 FROM labels WHERE organization_id = 7";
  const char *shared = catalog;
  catalog = owners;
  sqlite3 *connection = opened(path);
  seedbed_database lent = {NULL, connection, NULL};
  run(connection, tables);
  CHECK(call(seedbed.up, &lent, NULL, NULL, NULL) == 0 && has("\"outcome\":\"applied\""));
  for (int is_kept = 0; is_kept < 2; is_kept++) {
    run(connection, "BEGIN; INSERT INTO organizations (id) VALUES (7)");
    CHECK(call(seedbed.fill, &lent, "{\"owner\": 8}", NULL, NULL) == 64);
    CHECK(call(seedbed.fill, &lent, "{\"owner\": [7, 8]}", NULL, NULL) == 64);
    CHECK(call(seedbed.fill, &lent, NULL, NULL, NULL) == 64 && has("'owner' is missing"));
    CHECK(!sqlite3_get_autocommit(connection) && !holds(connection, has_rows));
    CHECK(call(seedbed.fill, &lent, "{\"owner\": 7}", NULL, NULL) == 0);
    CHECK(has("\"outcome\":\"applied\"") && has("\"touchedTables\":[\"labels\"]"));
    CHECK(!sqlite3_get_autocommit(connection) && holds(connection, has_rows));
    run(connection, is_kept ? "COMMIT" : "ROLLBACK");
    CHECK(holds(connection, has_rows) == is_kept);
  }
  CHECK(call(seedbed.fill, &lent, "{\"owner\": 7}", NULL, NULL) == 0 && has("upToDate"));
  CHECK(sqlite3_close(connection) == SQLITE_OK);
  catalog = shared;
}

/* A function that only this program has, on each connection that Seedbed opens. */

static void shout(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count;
  sqlite3_result_value(context, values[0]);
}

static int prepare(sqlite3 *connection, void *context) {
  ++*(int *)context;
  return sqlite3_create_function(
      connection, "shout", 1, SQLITE_UTF8, NULL, shout, NULL, NULL);
}

static void with_functions(void) {
  seedbed_database file = {"functions.sqlite", NULL, NULL};
  CHECK(call(seedbed.up, &file, "{\"to\": 2}", NULL, NULL) == 0);
  sqlite3 *connection = opened("functions.sqlite");
  run(connection,
      "CREATE TRIGGER t AFTER UPDATE ON elements BEGIN SELECT shout(new.name); END");
  sqlite3_close(connection);
  int calls = 0;
  CHECK(call(seedbed.up, &file, NULL, NULL, &calls) == 2 && has("no such function: shout"));
  file.on_connection = prepare;
  CHECK(call(seedbed.up, &file, NULL, NULL, &calls) == 0 && calls > 0);
}

/* Threads. */

static void *work(void *context) {
  seedbed_database file = {(const char *)context, NULL, NULL};
  char *mine = NULL;
  int code = seedbed.up(catalog, &file, "{\"lock-timeout\": 60}", NULL, NULL, &mine);
  int is_right = code == 0 && mine && strstr(mine, "\"to\":4");
  seedbed.release(mine);
  return is_right ? context : NULL;
}

static void on_threads(void) {
  static char paths[8][20];
  pthread_t threads[8];
  for (int number = 0; number < 8; number++) {
    /* Four databases, each for two threads. */
    snprintf(paths[number], sizeof paths[number], "thread%d.sqlite", number / 2);
    CHECK(pthread_create(&threads[number], NULL, work, paths[number]) == 0);
  }
  for (int number = 0; number < 8; number++) {
    void *result = NULL;
    CHECK(pthread_join(threads[number], &result) == 0 && result != NULL);
  }
}

/* What a program does into which the extension is linked. */
static void by_auto_extension(void) {
  CHECK(sqlite3_auto_extension((void (*)(void))seedbed.init) == SQLITE_OK);
  sqlite3 *connection = opened("automatic.sqlite");
  char sql[5000];
  sqlite3_snprintf(sizeof sql, sql, "SELECT seedbed_up(%Q) ->> 'to' = 4", catalog);
  CHECK(holds(connection, sql));
  CHECK(sqlite3_close(connection) == SQLITE_OK);
  sqlite3_reset_auto_extension();
}

int main(int count, char **arguments) {
  if (count != 4) return 64;
  extension = arguments[1];
  catalog = arguments[2];
  owners = arguments[3];
  find_functions();
  load();
  by_path();
  by_connection(":memory:");
  by_connection("lent.sqlite");
  keys();
  what_is_absent(":memory:");
  what_is_absent("absent.sqlite");
  an_owner(":memory:");
  an_owner("owner.sqlite");
  with_functions();
  on_threads();
  by_auto_extension();
  seedbed.release(answer);
  return 0;
}
