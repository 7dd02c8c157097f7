#ifndef SEEDBED_PROGRAM_H
#define SEEDBED_PROGRAM_H

/* The commit that the program was built from, or "" if whoever built it did not say. */
const char *seedbed_commit(void);

#endif
