#ifndef SEEDBED_COMMIT_H
#define SEEDBED_COMMIT_H

/* The commit that the program was built from, or "" if whoever built it did not say. It stands in a
 * target of its own, because whatever imports it is compiled again after each commit. */
const char *seedbed_commit(void);

#endif
