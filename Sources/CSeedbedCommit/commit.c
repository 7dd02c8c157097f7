#include "commit.h"

/* Package.swift takes it from the environment, where our scripts put it. */
#ifndef SEEDBED_COMMIT
#define SEEDBED_COMMIT ""
#endif

const char *seedbed_commit(void) { return SEEDBED_COMMIT; }
