/* Loaded before the C library: syncs fail with EIO from the one that FAIL_SYNC_AT names, counted from 1. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

static int fails(void) {
  static long count = 0;
  const char *at = getenv("FAIL_SYNC_AT");
  if (at && ++count >= atol(at)) {
    errno = EIO;
    return 1;
  }
  return 0;
}

int fsync(int fd) {
  static int (*real)(int) = 0;
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  return fails() ? -1 : real(fd);
}

int fdatasync(int fd) {
  static int (*real)(int) = 0;
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  return fails() ? -1 : real(fd);
}
