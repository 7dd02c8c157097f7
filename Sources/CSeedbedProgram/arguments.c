#include "program.h"

static char *const *arguments;

/* The C library passes the arguments of main() to constructors as well. */
__attribute__((constructor)) static void keep(int count, char **values) {
  if (count > 0) arguments = values;
}

char *const *seedbed_arguments(void) { return arguments; }
