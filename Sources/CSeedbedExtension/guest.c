/* The runtime of Swift reads settings from the environment as it is loaded, and with one of them it
 * would install handlers for signals. A guest gives it no environment to read: the linker puts this
 * variable in the place of `environ` (Scripts/extension). */
static char *nothing[] = {0};
char **__wrap_environ = nothing;
