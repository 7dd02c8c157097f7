// The least that a start can cost: open a database, read the newest row of its ledger, close.
//
//     open DATABASE TIMES
//
// Prints the median in microseconds.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e6 + now.tv_nsec * 1e-3;
}

static int compare(const void *first, const void *second) {
  double difference = *(const double *)first - *(const double *)second;
  return (difference > 0) - (difference < 0);
}

static void look(const char *path) {
  sqlite3 *db;
  sqlite3_stmt *head;
  const char *sql = "SELECT version, chain FROM seedbed_migrations ORDER BY version DESC LIMIT 1";
  if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, 0) != SQLITE_OK ||
      sqlite3_prepare_v2(db, sql, -1, &head, 0) != SQLITE_OK || sqlite3_step(head) != SQLITE_ROW) {
    fprintf(stderr, "open: %s: %s\n", path, sqlite3_errmsg(db));
    exit(1);
  }
  sqlite3_finalize(head);
  sqlite3_close(db);
}

int main(int count, char **arguments) {
  int times = count == 3 ? atoi(arguments[2]) : 0;
  double *taken = malloc((times + 1) * sizeof(double));
  for (int i = 0; i < times; i++) {
    double start = microseconds();
    look(arguments[1]);
    taken[i] = microseconds() - start;
  }
  qsort(taken, times, sizeof(double), compare);
  printf("%.1f\n", times ? taken[times / 2] : 0);
}
