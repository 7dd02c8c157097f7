#pragma once
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>

// `readdir` needs seven system calls for a small folder, and this one four. glibc declares it
// only under _GNU_SOURCE, which Swift's view of glibc leaves out, and `syscall` is variadic.
static inline long seedbed_getdents64(int folder, void *buffer, unsigned long size) {
  return syscall(SYS_getdents64, folder, buffer, size);
}
#endif
