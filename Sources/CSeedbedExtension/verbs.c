/* The functions of seedbed.h for verbs, which have one shape. */
#include "include/host.h"
#include "include/seedbed.h"

#define VERB(name)                                                                                 \
  int seedbed_##name(SEEDBED_ARGUMENTS) {                                                          \
    const seedbed_arguments given = {#name, catalog, database, options, progress, context};        \
    return seedbed_call(&given, answer);                                                           \
  }

VERB(up)
VERB(plan)
VERB(status)
VERB(outlook)
VERB(down)
VERB(conflicts)
VERB(resolve)
VERB(pin)
VERB(unpin)
VERB(origin)
VERB(absent)
VERB(reseed)
VERB(fill)
