// What an app does that ships a finished database: copies it, waits until it is on the disk, opens
// it and reads one row.
//
//     copy FILE DATABASE TABLE
//
// Prints the seconds.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void check(int holds, const char *what) {
  if (holds) return;
  perror(what);
  exit(1);
}

static void copy(const char *from, const char *to) {
  int source = open(from, O_RDONLY), target = open(to, O_RDWR | O_CREAT | O_EXCL, 0644);
  check(source >= 0 && target >= 0, "open");
#ifdef __linux__
  // As cp does.
  ssize_t count;
  while ((count = copy_file_range(source, NULL, target, NULL, 1 << 30, 0)) > 0) {}
  check(count == 0, "copy_file_range");
#else
  static char buffer[1 << 20];
  ssize_t count;
  while ((count = read(source, buffer, sizeof buffer)) > 0)
    check(write(target, buffer, count) == count, "write");
#endif
  check(fsync(target) == 0, "fsync");
  close(source);
  close(target);
}

int main(int count, char **words) {
  if (count != 4) return 2;
  double start = now();
  copy(words[1], words[2]);
  sqlite3 *database;
  check(sqlite3_open(words[2], &database) == SQLITE_OK, "sqlite3_open");
  char sql[200];
  snprintf(sql, sizeof sql, "SELECT * FROM %s LIMIT 1", words[3]);
  check(sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK, "sqlite3_exec");
  printf("%.6f\n", now() - start);
  sqlite3_close(database);
}
