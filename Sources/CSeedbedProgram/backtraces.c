#include <stddef.h>

/* The runtime of Swift looks for its program that prints backtraces as it starts, and ends the process
 * if there is no /proc to find itself by, as in a container FROM scratch. A program that is linked
 * statically has no such program beside it, so Scripts/build lets the linker put this function in
 * the place of the runtime's. */
char *__wrap_swift_copyAuxiliaryExecutablePath(const char *name);

char *__wrap_swift_copyAuxiliaryExecutablePath(const char *name) {
  (void)name;
  return NULL;
}
