/* A stack without TCP that waits 100 seconds in each way that the C library has, and prints how long
 * that took by the clock that it reads: "poll 100.001". Then it waits for the end of its NIC. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { kSeconds = 100 };

static const struct timespec span = {kSeconds, 0};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_cond_t monotonic;
static int nothing[2];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static struct timespec later(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  time.tv_sec += kSeconds;
  return time;
}

static int with_poll(void) {
  struct pollfd entry = {.fd = nothing[0], .events = POLLIN};
  return poll(&entry, 1, kSeconds * 1000);
}
static int with_ppoll(void) { return ppoll(NULL, 0, &span, NULL); }
static int with_select(void) {
  fd_set read;
  FD_ZERO(&read);
  FD_SET(nothing[0], &read);
  struct timeval time = {kSeconds, 0};
  const int result = select(nothing[0] + 1, &read, NULL, NULL, &time);
  return result + FD_ISSET(nothing[0], &read) + (time.tv_sec != 0);
}
static int with_pselect(void) { return pselect(0, NULL, NULL, NULL, &span, NULL); }
static int with_epoll(void) {
  const int epoll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(epoll, EPOLL_CTL_ADD, nothing[0], &event);
  const int result = epoll_wait(epoll, &event, 1, kSeconds * 1000);
  close(epoll);
  return result;
}
static int with_nanosleep(void) { return nanosleep(&span, NULL); }
static int with_clock_nanosleep(void) {
  const struct timespec until = later(CLOCK_MONOTONIC);
  return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}
static int with_sleep(void) { return (int)sleep(kSeconds); }
static int with_usleep(void) { return usleep(kSeconds * 1000000U); }
static int wait_for(pthread_cond_t* what, clockid_t clock) {
  const struct timespec until = later(clock);
  int error = 0;
  pthread_mutex_lock(&mutex);
  while (error == 0) error = pthread_cond_timedwait(what, &mutex, &until);
  pthread_mutex_unlock(&mutex);
  return error - ETIMEDOUT;
}
static int with_condition(void) { return wait_for(&condition, CLOCK_REALTIME); }
static int with_monotonic_condition(void) { return wait_for(&monotonic, CLOCK_MONOTONIC); }
static int with_semaphore(void) {
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  const struct timespec until = later(CLOCK_REALTIME);
  return sem_timedwait(&semaphore, &until) == -1 && errno == ETIMEDOUT ? 0 : 1;
}

static void* wake_early(void* unused) {
  (void)unused;
  usleep(5000000);
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return NULL;
}
/* Another thread signals after 5 s. */
static int until_signal(void) {
  const struct timespec until = later(CLOCK_REALTIME);
  pthread_t thread;
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, NULL, wake_early, NULL);
  const int error = pthread_cond_timedwait(&condition, &mutex, &until);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return error;
}

static void measure(const char* name, int (*wait)(void)) {
  const time_t began = time(NULL);
  const double before = now();
  const int result = wait();
  const double took = now() - before;
  printf("%s %.3f%s%s\n", name, took, result == 0 ? "" : " with a wrong result",
         time(NULL) - began - (long)took > 1 ? " by another wall clock" : "");
}

int main(void) {
  setlinebuf(stdout);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&monotonic, &attributes);
  if (pipe(nothing) == -1) return 1;
  puts("{\"ready\":\"frames\"}");
  measure("poll", with_poll);
  measure("ppoll", with_ppoll);
  measure("select", with_select);
  measure("pselect", with_pselect);
  measure("epoll", with_epoll);
  measure("nanosleep", with_nanosleep);
  measure("clock_nanosleep", with_clock_nanosleep);
  measure("sleep", with_sleep);
  measure("usleep", with_usleep);
  measure("condition", with_condition);
  measure("monotonic condition", with_monotonic_condition);
  measure("semaphore", with_semaphore);
  measure("signal", until_signal);
  puts("all");
  char frame[2000];
  while (read(3, frame, sizeof frame) > 0) continue;
  return 0;
}
