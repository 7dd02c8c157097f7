#ifndef SEEDBED_PROGRAM_H
#define SEEDBED_PROGRAM_H

/* The commit that the program was built from, or "" if whoever built it did not say. */
const char *seedbed_commit(void);

/* The program's arguments as the system passed them, ending with NULL; or NULL if it did not.
 * On Linux, the runtime of Swift reads them from /proc, which may be missing. */
char *const *seedbed_arguments(void);

#endif
