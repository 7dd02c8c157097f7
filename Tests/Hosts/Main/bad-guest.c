/* What a guest must not do, for Scripts/checks/test-hosts --planted: it ignores a signal, and leaves a
 * thread that opens and closes the database's file, which drops all locks of the process on it. Or,
 * with SEEDBED_BAD=replaces, it puts handlers of its own in the place of those that the host has.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void *drop_locks(void *path) {
  for (;;) {
    int file = open(path, O_RDONLY);
    if (file >= 0) close(file);
    usleep(1000);
  }
  return 0;
}

static void give_up(int number) { _exit(99); }

static void replace(int number) {
  struct sigaction now;
  sigaction(number, 0, &now);
  if (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN) return;
  now.sa_flags = (now.sa_flags & SA_ONSTACK) | SA_RESTART;
  now.sa_handler = give_up;
  sigaction(number, &now, 0);
}

int sqlite3_seedbed_init(void *connection, char **message, const void *api) {
  void *library = dlopen("./real.so", RTLD_NOW | RTLD_LOCAL);
  int (*start)(void *, char **, const void *) = 0;
  if (library) *(void **)&start = dlsym(library, "sqlite3_seedbed_init");
  const char *bad = getenv("SEEDBED_BAD");
  pthread_t thread;
  if (bad && *bad) {
    replace(SIGSEGV);
    replace(SIGINT);
  } else {
    signal(SIGUSR2, SIG_IGN);
    pthread_create(&thread, 0, drop_locks, "app.sqlite");
  }
  return start ? start(connection, message, api) : 1;
}
