#ifndef SEEDBED_PROGRAM_H
#define SEEDBED_PROGRAM_H

/* The program's arguments as the system passed them, ending with NULL; or NULL if it did not.
 * On Linux, the runtime of Swift reads them from /proc, which may be missing. */
char *const *seedbed_arguments(void);

#endif
