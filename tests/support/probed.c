// A program with USDT probes of its own, for tests of `tcplab trace --probe`. Its arguments say what
// it does. With -DIN_LIBRARY, the part that is loaded with dlopen(3).
#define _GNU_SOURCE
#ifdef IN_LIBRARY
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
__extension__ unsigned short loaded_called_semaphore __attribute__((used, section(".probes")));

/* Returns whether a tracer wants the probe. */
int call_library(int number) {
  STAP_PROBE1(loaded, called, number);
  return loaded_called_semaphore;
}
#else
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sdt.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t traps;
static volatile int in_memory[] = {0, -11, 22};
static volatile int which = 1;

static void hit(int number) { STAP_PROBE1(own, hit, number); }

static void count_trap(int signal) { traps += signal == SIGTRAP; }

/* In registers, in memory and as constants. */
__attribute__((noipa)) static void pass_numbers(int8_t a, uint8_t b, int16_t c, uint16_t d,
                                                int32_t e, uint32_t f, int64_t g, uint64_t h) {
  STAP_PROBE12(own, numbers, a, b, c, d, e, f, g, h, -5, in_memory[which], 5UL, (uint8_t)200);
}

static void pass_texts(void) {
  static const char bytes[] = {1, 2, 3, 0};
  static char longest[3000];
  memset(longest, 'x', sizeof longest - 1);
  STAP_PROBE6(own, texts, "gr\xc3\xbc\xc3\x9f", bytes, "\xff\xfe", "", longest, (char*)5);
}

static void* hit_often(void* first) {
  for (int i = 0; i < 100; ++i) hit(*(int*)first + i);
  return first;
}

static void start_threads(void) {
  pthread_t threads[4];
  int first[4];
  for (int i = 0; i < 4; ++i) {
    first[i] = 1000 * (i + 1);
    pthread_create(&threads[i], 0, hit_often, &first[i]);
  }
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
}

static void start_children(void) {
  for (int i = 0; i < 50; ++i) {
    if (fork() != 0) continue;
    hit(100 + i);
    _exit(0);
  }
  int status;
  while (wait(&status) > 0)
    if (status != 0) printf("a child ended with %d\n", status);
  const pid_t child = vfork();
  if (child == 0) {
    hit(200);
    _exit(0);
  }
  waitpid(child, &status, 0);
  hit(300);
  printf("%d\n", status);
}

/* A trap of its own between two probes, sent and by an instruction. */
static void trap(void) {
  signal(SIGTRAP, count_trap);
  hit(1);
  raise(SIGTRAP);
  hit(2);
  __asm__ volatile("int3");
  hit(3);
  printf("%d\n", (int)traps);
}

/* Of all other signals, the mask stays as it was. */
static void block_signals(void) {
  sigset_t all, now;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, 0);
  hit(1);
  hit(2);
  sigprocmask(SIG_SETMASK, 0, &now);
  int blocked = 0;
  for (int i = 1; i < NSIG; ++i) blocked += i != SIGTRAP && sigismember(&now, i) == 1;
  int all_blocked = 0;
  sigprocmask(SIG_SETMASK, &all, &now);
  sigprocmask(SIG_SETMASK, 0, &now);
  for (int i = 1; i < NSIG; ++i) all_blocked += i != SIGTRAP && sigismember(&now, i) == 1;
  puts(blocked == all_blocked ? "kept" : "lost");
}

static void load(const char* library) {
  for (int i = 0; i < 2; ++i) {
    void* loaded = dlopen(library, RTLD_NOW);
    int (*call)(int) = loaded == 0 ? 0 : (int (*)(int))dlsym(loaded, "call_library");
    if (call == 0) exit(1);
    printf("%d\n", call(i));
    dlclose(loaded);
  }
}

int main(int count, char** words) {
  (void)count;
  if (strcmp(words[1], "numbers") == 0)
    pass_numbers(-100, 200, -30000, 60000, -7, 4000000000U, INT64_MIN, UINT64_MAX);
  if (strcmp(words[1], "texts") == 0) pass_texts();
  if (strcmp(words[1], "threads") == 0) start_threads();
  if (strcmp(words[1], "children") == 0) start_children();
  if (strcmp(words[1], "trap") == 0) trap();
  if (strcmp(words[1], "block") == 0) block_signals();
  if (strcmp(words[1], "load") == 0) load(words[2]);
  if (strcmp(words[1], "exec") == 0) {
    hit(1);
    execl(words[0], words[0], "numbers", (char*)0);
  }
  return 0;
}
#endif
