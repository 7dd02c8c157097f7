// There is no library of C. Nothing is freed.
static char memory[1 << 16];
static unsigned long used;

int posix_memalign(void **place, unsigned long alignment, unsigned long size) {
  used = (used + alignment - 1) & -alignment;
  *place = memory + used;
  used += size;
  return used > sizeof memory;
}

void free(void *place) {}
