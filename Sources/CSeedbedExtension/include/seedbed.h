/* Seedbed from C, and from every language that calls C.
 *
 * The library is an extension of SQLite: it uses the SQLite of the program that loads it, and must
 * be loaded before anything else is called:
 *
 *     sqlite3_load_extension(db, "seedbed", "sqlite3_seedbed_init", &message);
 *
 * or, if it is linked statically, sqlite3_auto_extension((void (*)(void))sqlite3_seedbed_init)
 * before the first connection is opened. Loading it also gives the connection the SQL functions
 * seedbed_up() and so on. A program that lets strangers run SQL loads it on a connection of its own,
 * which it closes again: the functions below go on to work.
 *
 * Every verb is one function of the same shape:
 *
 *     int seedbed_up(catalog, database, options, progress, context, &answer);
 *
 * catalog   the path of the folder with the releases.
 * database  what to work on, see below.
 * options   a JSON object in UTF-8, such as {"to": 3}; or NULL. An unknown option is an error.
 * progress  called on this thread, at most 30 times a second; or NULL.
 * context   what `progress` and `on_connection` get; or NULL.
 * answer    receives JSON in UTF-8, to be released with seedbed_free(); or NULL.
 *
 * The result is 0 if all is done, and otherwise the exit code of the command `migrate`:
 *
 *     2    failed; nothing is left half done
 *     3    catalog and database disagree, or a conflict could not be settled
 *     4    the database is busy: try again
 *     5    the database is newer than the catalog
 *     6    the backup failed, or the disk is too full
 *     64   an argument is wrong
 *     130  cancelled by `progress`; nothing is left half done
 *
 * The answer is the document that `migrate VERB --json` prints, for errors too:
 *
 *     {"schema":1,"error":{"code":"csv","message":"…","file":"…","line":7,…},
 *      "databaseUnchanged":true,"applied":[]}
 *
 * No call prints, changes a signal handler, the locale, the environment or the working folder, or
 * leaves a thread or an open file behind.
 *
 * Threads: all functions may be called on any thread at the same time, on different databases and on
 * the same one; those that write to the same one wait for each other. A lent connection must not be
 * used elsewhere during the call. The answer belongs to the caller.
 */
#ifndef SEEDBED_H
#define SEEDBED_H

#ifdef __cplusplus
extern "C" {
#endif

struct sqlite3;
struct sqlite3_api_routines;

/* What to work on: a file by its path, or a connection that the caller lends.
 *
 * A path is for a database that this program may open once more. With a connection, Seedbed works on
 * the connection itself: for a database in memory, and for one that needs a key, or functions and
 * collations of the program. The connection must have no statement that is partly read and, for a
 * verb that writes other than seedbed_fill(), no open transaction. The backup is made through a
 * further connection, and a scratch database may need one, too. */
typedef struct seedbed_database {
  /* A path in UTF-8, and no URI; NULL if `connection` is given. */
  const char *path;
  struct sqlite3 *connection;
  /* Called with each connection that Seedbed itself opens, before anything else is done with it: to
   * set a key, or to register functions. Returns SQLITE_OK, or an error's code. Or NULL. */
  int (*on_connection)(struct sqlite3 *connection, void *context);
} seedbed_database;

/* fraction  the part that is done, from 0 to 1.
 * phase     "waiting", "backingUp", "applying", "checking" or "committing".
 * table     the table whose rows are merged, or NULL.
 * rows      the number of rows so far.
 * Any result but 0 cancels the call. The strings are valid only while the function runs. */
typedef int (*seedbed_progress)(
    void *context, double fraction, const char *phase, const char *table, long long rows);

/* Options, of all verbs if none is named. Printed from the table in Sources/SeedbedOptions. */

/* "on-edited": "keepEdits", "preferSeed", "keepRow", "overwriteRow" or "fail". What to do if the
 *     user edited a value or row that the seed changes (default: the catalog's, or keepEdits).
 * "on-taken": "keepUser", "moveUser", "replaceUser" or "fail". What to do if a user's row is in
 *     a seed row's place (default: the catalog's, or keepUser).
 * "backups": a path. The folder of the backups (default: PATH.backups, next to the database).
 * "keep": a whole number from 0. Keep backups of the last N versions: the first and the last N
 *     of each; 0 keeps all (default: 2).
 * "ledger": a string. The prefix of the ledger's tables (default: seedbed).
 * "beside": a path, or an array of them. Another catalog of the database: the base of a pack, or
 *     a pack of a base.
 * "lock-timeout": a number of seconds. How long to wait for another process (default: 5).
 * "signed-by": a string, or an array of them. A public key that may have signed the downloads,
 *     and what is applied of them.
 * "downloaded": a path, or an array of them. A bundle of releases; go on with the newest one
 *     that a key of 'signed-by' signed.
 * "allow-sql": true or false. Run the SQL in downloads, and let their options weaken the
 *     catalog's.
 * "known": an object with a version for each public key. The version below which a download of a
 *     key is no news, from 'signedHeads' of 'status'.
 * "locked": true or false. Trust the catalog's seedbed.lock, as an app does at its start.
 * "connection-sql": a string. Run on each connection that Seedbed itself opens, such as PRAGMA
 *     key.
 * "to" of up, plan: a whole number from 0. Stop at version N (default: the last one).
 * "to" of down: a whole number from 0. The version to go back to; 0 takes everything back
 *     (required).
 * "discard-user-rows" of down: true or false. Let down.sql drop or empty tables and columns that
 *     hold users' data.
 * "no-backup" of up, down, reseed: true or false. Do not back up the database first.
 * "no-backup" of plan: true or false. Plan for 'up --no-backup'.
 * "allow-out-of-order" of up, plan: true or false. Also apply migrations below the last applied
 *     version.
 * "must-exist" of up, plan: true or false. Fail if there is no database.
 * "allow-newer" of up: true or false. Leave a database alone that a newer release migrated.
 * "first" of up: a path. A ready-made database to begin with.
 * "counts" of status: true or false. Only what may be sent to the author: versions, outcomes and
 *     numbers of conflicts.
 * "adopt" of up, plan: a whole number from 1. Make a database without a ledger, but with rows,
 *     one of version N first (default: the catalog's, or not at all).
 * "reporting" of up, plan, down: "outcome", "counts" or "keys". How much the report has
 *     (default: counts).
 * "id" of resolve: a whole number from 1, or an array of them. The number of a conflict
 *     (required).
 * "side" of resolve: "mine" or "seed". Whose values the rows get (required).
 * "table" of pin, unpin, origin: a string. The name of a table (required).
 * "key" of pin, unpin, origin: a value, an array of the key's values, or an object of its
 *     columns. The key of a row (required).
 * "table" of absent, reseed: a string. The name of a table (default: all that the catalog
 *     fills).
 * "key" of reseed: a value, an array of the key's values, or an object of its columns. The key
 *     of a row that comes back.
 * "missing" of reseed: true or false. Bring back all absent rows, and change no other.
 * "owner" of fill: a value, an array of the key's values, or an object of its columns. The key
 *     of an owner (required). */

/* Those of catalog.json may also be written as there: "onEdited".
 *
 * "signed-by" and "downloaded" are given both. The newest download that continues the catalog is used
 * with it, and "passedOver" in the answer has the others, with the reason. Download "damaged" again,
 * but keep "newer" until the program has a later Seedbed. The catalog's seedbed.lock is trusted then. */

#define SEEDBED_ARGUMENTS \
  const char *catalog, const seedbed_database *database, const char *options, \
      seedbed_progress progress, void *context, char **answer

/* Applies the pending releases. */
int seedbed_up(SEEDBED_ARGUMENTS);
/* Does all that seedbed_up() would do, and rolls it back. */
int seedbed_plan(SEEDBED_ARGUMENTS);
/* What is applied and pending, and what is wrong. */
int seedbed_status(SEEDBED_ARGUMENTS);
/* A forecast of seedbed_up(), for a program's start: "outlook" is "upToDate", "pending" or
 * "newer". */
int seedbed_outlook(SEEDBED_ARGUMENTS);
/* Takes back all releases above a version. */
int seedbed_down(SEEDBED_ARGUMENTS);
/* The log of conflicts. */
int seedbed_conflicts(SEEDBED_ARGUMENTS);
/* Settles conflicts. */
int seedbed_resolve(SEEDBED_ARGUMENTS);
/* Leaves a seed row to the user for good, and ends that. An id in "key" that each database chose
 * itself may be replaced by its name in the row files, as in {"country_id:country.code": "CZ"}. */
int seedbed_pin(SEEDBED_ARGUMENTS);
int seedbed_unpin(SEEDBED_ARGUMENTS);
/* Whether a row is the seed's or the user's, and its values in the catalog. */
int seedbed_origin(SEEDBED_ARGUMENTS);
/* The rows of the catalog that are not in the database, and why. */
int seedbed_absent(SEEDBED_ARGUMENTS);
/* Puts a row back as the catalog has it, {"table": "words", "key": 3}, whatever the user did to it;
 * or all that are absent, {"missing": true}, of one table or of all. */
int seedbed_reseed(SEEDBED_ARGUMENTS);
/* Gives a new owner a copy of the catalog's rows: {"owner": 7}. On a connection it does so inside the
 * transaction that adds the owner, which goes on after an error, or in one of its own. */
int seedbed_fill(SEEDBED_ARGUMENTS);

/* Releases an answer. NULL is allowed. */
void seedbed_free(char *answer);

/* The version of this header that the library implements. */
#define SEEDBED_ABI 1
int seedbed_abi(void);

/* Such as "1.0.0"; static. */
const char *seedbed_version(void);

/* What SQLite calls as it loads the extension. */
int sqlite3_seedbed_init(
    struct sqlite3 *connection, char **message, const struct sqlite3_api_routines *api);

#ifdef __cplusplus
}
#endif
#endif
