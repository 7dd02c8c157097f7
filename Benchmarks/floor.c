// How fast SQLite itself can take the rows: the floor under `migrate up`.
//
//     floor DATABASE FILE.csv.gz
//
// Reads and parses the whole file first, untimed. Then a virtual table hands the parsed rows to one
// INSERT … SELECT, with the settings of Sources/Seedbed/SQLite/Settings.swift. Prints the seconds
// from opening to closing the database, and those of them that the processor was busy.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <zlib.h>

enum { COLUMNS = 6, ID = 0, POWER = 3, ACCURACY = 4 };

typedef struct {
  enum { NONE, INTEGER, REAL, TEXT } type;
  int length;
  const char *text;
  sqlite3_int64 integer;
  double real;
} Field;

static Field *rows;
static sqlite3_int64 row_count;

static void fail(const char *what, const char *why) {
  fprintf(stderr, "floor: %s: %s\n", what, why);
  exit(1);
}

// ---- the rows, before the clock starts

static char *inflate_file(const char *path) {
  size_t size = 0, room = 1 << 20;
  char *content = malloc(room + 1);
  gzFile file = gzopen(path, "rb");
  if (!file) fail(path, "cannot be opened");
  for (;;) {
    int count = gzread(file, content + size, room - size);
    if (count < 0) fail(path, gzerror(file, &count));
    if (count == 0) break;
    size += count;
    if (size == room) content = realloc(content, (room *= 2) + 1);
  }
  gzclose(file);
  content[size] = 0;
  return content;
}

// Takes one field off the text, which is known to be well formed, and unquotes it in place.
static char *split_field(char *at, Field *field) {
  char *out = at;
  if (*at == '"') {
    field->text = ++at;
    for (out = at; *at != '"' || *++at == '"'; at++) *out++ = *at;
    field->type = TEXT;
  } else {
    field->text = at;
    at += strcspn(at, ",\n");
    out = at;
    field->type = out == field->text ? NONE : TEXT;
  }
  field->length = out - field->text;
  return at;
}

static void parse(char *at) {
  size_t room = 1 << 16;
  rows = malloc(room * COLUMNS * sizeof(Field));
  at = strchr(at, '\n') + 1;
  while (*at) {
    if ((size_t)row_count == room) rows = realloc(rows, (room *= 2) * COLUMNS * sizeof(Field));
    Field *row = rows + row_count++ * COLUMNS;
    for (int column = 0; column < COLUMNS; column++) {
      Field *field = row + column;
      at = split_field(at, field) + 1;
      if (field->type == NONE) continue;
      if (column == ID || column == POWER) {
        field->type = INTEGER;
        field->integer = strtoll(field->text, 0, 10);
      } else if (column == ACCURACY) {
        field->type = REAL;
        field->real = strtod(field->text, 0);
      }
    }
  }
}

// ---- the virtual table

typedef struct {
  sqlite3_vtab_cursor base;
  sqlite3_int64 row;
} Cursor;

static int table_connect(sqlite3 *db, void *context, int count, const char *const *arguments,
                         sqlite3_vtab **table, char **error) {
  *table = calloc(1, sizeof(sqlite3_vtab));
  return sqlite3_declare_vtab(db, "CREATE TABLE x (id, name, type, power, accuracy, description)");
}
static int table_best_index(sqlite3_vtab *table, sqlite3_index_info *info) {
  info->estimatedRows = row_count;
  return SQLITE_OK;
}
static int table_disconnect(sqlite3_vtab *table) {
  free(table);
  return SQLITE_OK;
}
static int cursor_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor) {
  *cursor = calloc(1, sizeof(Cursor));
  return SQLITE_OK;
}
static int cursor_close(sqlite3_vtab_cursor *cursor) {
  free(cursor);
  return SQLITE_OK;
}
static int cursor_filter(sqlite3_vtab_cursor *cursor, int plan, const char *name, int count,
                         sqlite3_value **values) {
  ((Cursor *)cursor)->row = 0;
  return SQLITE_OK;
}
static int cursor_next(sqlite3_vtab_cursor *cursor) {
  ((Cursor *)cursor)->row++;
  return SQLITE_OK;
}
static int cursor_eof(sqlite3_vtab_cursor *cursor) { return ((Cursor *)cursor)->row >= row_count; }
static int cursor_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid) {
  *rowid = ((Cursor *)cursor)->row;
  return SQLITE_OK;
}
static int cursor_column(sqlite3_vtab_cursor *cursor, sqlite3_context *result, int column) {
  const Field *field = rows + ((Cursor *)cursor)->row * COLUMNS + column;
  switch (field->type) {
    case NONE: break;
    case INTEGER: sqlite3_result_int64(result, field->integer); break;
    case REAL: sqlite3_result_double(result, field->real); break;
    case TEXT: sqlite3_result_text(result, field->text, field->length, SQLITE_STATIC); break;
  }
  return SQLITE_OK;
}

static sqlite3_module rows_module = {
    .xConnect = table_connect, .xBestIndex = table_best_index, .xDisconnect = table_disconnect,
    .xOpen = cursor_open,      .xClose = cursor_close,         .xFilter = cursor_filter,
    .xNext = cursor_next,      .xEof = cursor_eof,             .xColumn = cursor_column,
    .xRowid = cursor_rowid,
};

// ---- what is measured

static void run(sqlite3 *db, const char *sql) {
  if (sqlite3_exec(db, sql, 0, 0, 0) != SQLITE_OK) fail(sql, sqlite3_errmsg(db));
}

static void load(const char *path) {
  sqlite3 *db;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path, &db, flags, 0) != SQLITE_OK) fail(path, sqlite3_errmsg(db));
  run(db, "PRAGMA cell_size_check=1; PRAGMA mmap_size=0; PRAGMA synchronous=EXTRA;"
          "PRAGMA wal_autocheckpoint=0; PRAGMA foreign_keys=1; PRAGMA temp_store=1;"
          "PRAGMA cache_size=-16384;");
  sqlite3_create_module(db, "parsed", &rows_module, 0);
  run(db, "BEGIN IMMEDIATE;"
          "CREATE TABLE IF NOT EXISTS moves (id INTEGER PRIMARY KEY, name TEXT NOT NULL,"
          " type TEXT NOT NULL, power INTEGER, accuracy REAL NOT NULL, description TEXT);"
          "INSERT INTO moves SELECT * FROM parsed;"
          "COMMIT;");
  if (sqlite3_close(db) != SQLITE_OK) fail(path, sqlite3_errmsg(db));
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

static double busy_seconds(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return used.ru_utime.tv_sec + used.ru_stime.tv_sec +
         (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

int main(int count, char **arguments) {
  if (count != 3) fail("usage", "floor DATABASE FILE.csv.gz");
  parse(inflate_file(arguments[2]));
  double start = seconds(), busy = busy_seconds();
  load(arguments[1]);
  printf("%.6f %.6f\n", seconds() - start, busy_seconds() - busy);
}
