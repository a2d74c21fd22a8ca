/* Makes the calls that `tcplab --stack` asks for (docs/stacks.md, "The calls of a stack") on a TCP
 * stack with BSD-like sockets: one request per line on standard input, one JSON object per line as
 * its answer. Each request has a thread, because a call may wait. See lwip_nic.c for what else a
 * stack needs. To use it with another stack: define its names in sockets.h. */
#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sockets.h"

enum { kLongestLine = 1 << 21, kMostData = 1 << 20 };

static pthread_mutex_t output = PTHREAD_MUTEX_INITIALIZER;

/* Answers a request. `more`: further members of the object, each after a comma. */
static void answer(const char* id, long result, int error, const char* more) {
  pthread_mutex_lock(&output);
  if (result == -1)
    printf("{\"id\":%s,\"result\":-1,\"errno\":\"%s\"%s}\n", id, error_name(error), more);
  else
    printf("{\"id\":%s,\"result\":%ld%s}\n", id, result, more);
  fflush(stdout);
  pthread_mutex_unlock(&output);
}

/* Answers with the result of a call that has just returned, and with errno. */
static void answer_result(const char* id, long result) { answer(id, result, errno, ""); }

/* Text of an address: "10.0.0.2:8080" or "[fd00::2]:8080". */
static void address_text(const struct sockaddr_storage* from, char* into, size_t size) {
  char text[64] = "";
  if (from->ss_family == AF_INET) {
    const struct sockaddr_in* four = (const void*)from;
    inet_ntop(AF_INET, &four->sin_addr, text, sizeof text);
    snprintf(into, size, "%s:%d", text, ntohs(four->sin_port));
    return;
  }
  const struct sockaddr_in6* six = (const void*)from;
  if (IN6_IS_ADDR_V4MAPPED(&six->sin6_addr)) {
    inet_ntop(AF_INET, (const char*)&six->sin6_addr + 12, text, sizeof text);
    snprintf(into, size, "%s:%d", text, ntohs(six->sin6_port));
    return;
  }
  inet_ntop(AF_INET6, &six->sin6_addr, text, sizeof text);
  snprintf(into, size, "[%s]:%d", text, ntohs(six->sin6_port));
}

/* Members "local" and "remote" of an answer. */
static void add_addresses(int fd, char* into, size_t size) {
  struct sockaddr_storage found;
  socklen_t length = sizeof found;
  char text[80];
  into[0] = 0;
  if (S(getsockname)(fd, (struct sockaddr*)&found, &length) == 0) {
    address_text(&found, text, sizeof text);
    snprintf(into, size, ",\"local\":\"%s\"", text);
  }
  length = sizeof found;
  if (S(getpeername)(fd, (struct sockaddr*)&found, &length) == 0) {
    const size_t used = strlen(into);
    address_text(&found, text, sizeof text);
    snprintf(into + used, size - used, ",\"remote\":\"%s\"", text);
  }
}

static socklen_t parse_address(const char* host, int port, struct sockaddr_storage* into) {
  memset(into, 0, sizeof *into);
  struct sockaddr_in* four = (void*)into;
  struct sockaddr_in6* six = (void*)into;
  if (inet_pton(AF_INET, host, &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons((unsigned short)port);
    return sizeof *four;
  }
  inet_pton(AF_INET6, host, &six->sin6_addr);
  six->sin6_family = AF_INET6;
  six->sin6_port = htons((unsigned short)port);
  return sizeof *six;
}

/* The bytes of "text" in a request, in which \xHH stands for a byte. Changes the line. */
static size_t unquote(char* from, char** bytes, char** rest) {
  char* at = strchr(from, '"');
  if (at == NULL) at = from + strlen(from) - 1;
  char* into = *bytes = at + 1;
  for (++at; *at != 0 && *at != '"'; ++at) {
    unsigned value = 0;
    if (at[0] == '\\' && sscanf(at, "\\x%2x", &value) == 1) {
      *into++ = (char)value;
      at += 3;
    } else {
      *into++ = *at;
    }
  }
  *rest = *at == 0 ? at : at + 1;
  return (size_t)(into - *bytes);
}

/* Member "data" of an answer: U+00HH stands for the byte HH. */
static char* data_member(const unsigned char* bytes, long size) {
  char* text = malloc((size_t)size * 6 + 16);
  char* at = text + sprintf(text, ",\"data\":\"");
  for (long i = 0; i < size; ++i) {
    if (bytes[i] >= 0x20 && bytes[i] < 0x7f && bytes[i] != '"' && bytes[i] != '\\')
      *at++ = (char)bytes[i];
    else
      at += sprintf(at, "\\u%04x", bytes[i]);
  }
  strcpy(at, "\"");
  return text;
}

static int has_word(const char* words, const char* word) { return strstr(words, word) != NULL; }

static int message_flags(const char* words) {
  int flags = 0;
  if (has_word(words, "MSG_OOB")) flags |= MSG_OOB;
  if (has_word(words, "MSG_PEEK")) flags |= MSG_PEEK;
  if (has_word(words, "MSG_DONTWAIT")) flags |= MSG_DONTWAIT;
  if (has_word(words, "MSG_MORE")) flags |= MSG_MORE;
  return flags;
}

/* ---- poll: one thread waits for each descriptor and set of events, until they come. `cancel` ends
 * a request, but not the thread, which the next poll of the same events takes over. */
struct watch {
  int fd, events, is_closed;
  char id[32]; /* of the request that waits; empty for none */
  struct watch* next;
};
static struct watch* watches;
static pthread_mutex_t watching = PTHREAD_MUTEX_INITIALIZER;

static int poll_bits(const char* words) {
  int bits = 0;
  if (has_word(words, "IN")) bits |= POLLIN;
  if (has_word(words, "OUT")) bits |= POLLOUT;
  if (has_word(words, "PRI")) bits |= POLLPRI;
  return bits;
}

static void answer_poll(const char* id, int revents) {
  char more[64] = "";
  const char* name[] = {"IN", "PRI", "OUT", "ERR", "HUP", "NVAL"};
  const int bit[] = {POLLIN, POLLPRI, POLLOUT, POLLERR, POLLHUP, POLLNVAL};
  for (int i = 0; i < 6; ++i)
    if (revents & bit[i]) {
      strcat(more, more[0] == 0 ? ",\"revents\":\"" : "|");
      strcat(more, name[i]);
    }
  if (more[0] != 0) strcat(more, "\"");
  answer(id, more[0] != 0, 0, more);
}

static int poll_now(int fd, int events) {
  struct pollfd entry = {.fd = fd, .events = (short)events};
  return S(poll)(&entry, 1, 0) > 0 ? entry.revents : 0;
}

static void* wait_for_events(void* argument) {
  struct watch* mine = argument;
  struct pollfd entry = {.fd = mine->fd, .events = (short)mine->events};
  S(poll)(&entry, 1, -1);
  pthread_mutex_lock(&watching);
  for (struct watch** at = &watches; *at != NULL; at = &(*at)->next)
    if (*at == mine) {
      *at = mine->next;
      break;
    }
  if (mine->id[0] != 0) answer_poll(mine->id, entry.revents);
  pthread_mutex_unlock(&watching);
  free(mine);
  return NULL;
}

static void start_thread(void* (*run)(void*), void* argument) {
  pthread_t thread;
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  pthread_create(&thread, &detached, run, argument);
}

static void begin_poll(const char* id, int fd, int events) {
  pthread_mutex_lock(&watching);
  struct watch* found = watches;
  while (found != NULL && (found->is_closed || found->fd != fd || found->events != events ||
                           found->id[0] != 0))
    found = found->next;
  const int revents = poll_now(fd, events);
  if (revents != 0) {
    answer_poll(id, revents);
  } else if (found != NULL) {
    snprintf(found->id, sizeof found->id, "%s", id);
  } else {
    struct watch* made = calloc(1, sizeof *made);
    *made = (struct watch){.fd = fd, .events = events, .next = watches};
    snprintf(made->id, sizeof made->id, "%s", id);
    watches = made;
    start_thread(wait_for_events, made);
  }
  pthread_mutex_unlock(&watching);
}

static void cancel_poll(const char* id) {
  pthread_mutex_lock(&watching);
  for (struct watch* each = watches; each != NULL; each = each->next)
    if (strcmp(each->id, id) == 0) {
      answer_poll(id, poll_now(each->fd, each->events));
      each->id[0] = 0;
    }
  pthread_mutex_unlock(&watching);
}

static void forget_polls(int fd) {
  pthread_mutex_lock(&watching);
  for (struct watch* each = watches; each != NULL; each = each->next)
    if (each->fd == fd) each->is_closed = 1;
  pthread_mutex_unlock(&watching);
}

/* ---- the calls. Each gets its request's number, its descriptor (0 for none) and the other words. */
struct call {
  const char* id;
  int fd;
  char* rest;
};

static void call_socket(struct call* call) {
  const int family = has_word(call->rest, "AF_INET6") ? AF_INET6 : AF_INET;
  answer_result(call->id, S(socket)(family, SOCK_STREAM, 0));
}

static void call_bind(struct call* call) {
  char host[80] = "";
  int port = 0;
  struct sockaddr_storage address;
  sscanf(call->rest, "%79s %d", host, &port);
  const socklen_t size = parse_address(host, port, &address);
  answer_result(call->id, S(bind)(call->fd, (struct sockaddr*)&address, size));
}

static void call_connect(struct call* call) {
  char host[80] = "", more[200] = "";
  int port = 0;
  struct sockaddr_storage address;
  sscanf(call->rest, "%79s %d", host, &port);
  const socklen_t size = parse_address(host, port, &address);
  const int result = S(connect)(call->fd, (struct sockaddr*)&address, size);
  const int error = errno;
  if (result == 0 || error == EINPROGRESS) add_addresses(call->fd, more, sizeof more);
  answer(call->id, result, error, more);
}

static void call_listen(struct call* call) {
  char more[200] = "";
  const int result = S(listen)(call->fd, atoi(call->rest));
  const int error = errno;
  if (result == 0) add_addresses(call->fd, more, sizeof more);
  answer(call->id, result, error, more);
}

static void call_accept(struct call* call) {
  char more[200] = "";
  const int result = S(accept)(call->fd, NULL, NULL);
  const int error = errno;
  if (result >= 0) add_addresses(result, more, sizeof more);
  answer(call->id, result, error, more);
}

static void receive(struct call* call, int flags) {
  long size = atol(call->rest);
  if (size > kMostData) size = kMostData;
  unsigned char* buffer = malloc(size > 0 ? (size_t)size : 1);
  const long result = S(recv)(call->fd, buffer, (size_t)size, flags);
  const int error = errno;
  char* data = result > 0 ? data_member(buffer, result) : NULL;
  answer(call->id, result, error, data != NULL ? data : "");
  free(data);
  free(buffer);
}

static void call_read(struct call* call) { receive(call, 0); }
static void call_recv(struct call* call) { receive(call, message_flags(call->rest)); }

static void call_send(struct call* call) {
  char *bytes = NULL, *rest = NULL;
  const size_t size = unquote(call->rest, &bytes, &rest);
  answer_result(call->id, S(send)(call->fd, bytes, size, message_flags(rest)));
}

static void call_poll(struct call* call) { begin_poll(call->id, call->fd, poll_bits(call->rest)); }

static void call_shutdown(struct call* call) {
  int how = SHUT_RDWR;
  if (strstr(call->rest, "SHUT_RDWR") == NULL)
    how = has_word(call->rest, "SHUT_WR") ? SHUT_WR : SHUT_RD;
  answer_result(call->id, S(shutdown)(call->fd, how));
}

static void call_close(struct call* call) {
  forget_polls(call->fd);
  answer_result(call->id, S(close)(call->fd));
}

static void call_nonblock(struct call* call) {
  answer_result(call->id, set_non_blocking(call->fd, has_word(call->rest, "on")));
}

struct option {
  const char* name;
  int level, number;
};
static const struct option options[] = {
    {"SO_REUSEADDR", SOL_SOCKET, SO_REUSEADDR},  {"SO_KEEPALIVE", SOL_SOCKET, SO_KEEPALIVE},
    {"SO_ERROR", SOL_SOCKET, SO_ERROR},          {"SO_LINGER", SOL_SOCKET, SO_LINGER},
    {"SO_RCVBUF", SOL_SOCKET, SO_RCVBUF},        {"SO_SNDBUF", SOL_SOCKET, SO_SNDBUF},
    {"TCP_NODELAY", IPPROTO_TCP, TCP_NODELAY},   {"TCP_KEEPIDLE", IPPROTO_TCP, TCP_KEEPIDLE},
    {"TCP_KEEPINTVL", IPPROTO_TCP, TCP_KEEPINTVL}, {"TCP_KEEPCNT", IPPROTO_TCP, TCP_KEEPCNT},
    {"IPV6_V6ONLY", IPPROTO_IPV6, IPV6_V6ONLY},
};

static const struct option* find_option(const char* name) {
  for (size_t i = 0; i < sizeof options / sizeof *options; ++i)
    if (strcmp(options[i].name, name) == 0) return &options[i];
  return NULL;
}

static void call_setsockopt(struct call* call) {
  char name[40] = "";
  int value[2] = {0, 0};
  const int words = sscanf(call->rest, "%39s %d %d", name, &value[0], &value[1]);
  const struct option* option = find_option(name);
  if (option == NULL) return answer(call->id, -1, ENOPROTOOPT, "");
  struct linger linger = {.l_onoff = value[0], .l_linger = value[1]};
  const int result =
      words == 3 ? S(setsockopt)(call->fd, option->level, option->number, &linger, sizeof linger)
                 : S(setsockopt)(call->fd, option->level, option->number, value, sizeof *value);
  answer_result(call->id, result);
}

static void call_getsockopt(struct call* call) {
  char name[40] = "", more[64] = "";
  int value = 0;
  socklen_t size = sizeof value;
  sscanf(call->rest, "%39s", name);
  const struct option* option = find_option(name);
  if (option == NULL) return answer(call->id, -1, ENOPROTOOPT, "");
  const int result = S(getsockopt)(call->fd, option->level, option->number, &value, &size);
  const int error = errno;
  if (result == 0 && strcmp(name, "SO_ERROR") == 0 && value != 0)
    snprintf(more, sizeof more, ",\"value\":\"%s\"", error_name(value));
  else if (result == 0)
    snprintf(more, sizeof more, ",\"value\":%d", value);
  answer(call->id, result, error, more);
}

static const struct {
  const char* name;
  void (*run)(struct call*);
} calls[] = {
    {"socket", call_socket},         {"bind", call_bind},       {"connect", call_connect},
    {"listen", call_listen},         {"accept", call_accept},   {"read", call_read},
    {"recv", call_recv},             {"write", call_send},      {"send", call_send},
    {"poll", call_poll},             {"shutdown", call_shutdown}, {"close", call_close},
    {"nonblock", call_nonblock},     {"setsockopt", call_setsockopt},
    {"getsockopt", call_getsockopt},
};

static void* handle(void* argument) {
  char* line = argument;
  char id[32] = "0", name[32] = "", word[40] = "";
  int used = 0, end = 0;
  sscanf(line, "%31s %31s%n", id, name, &used);
  struct call call = {.id = id, .rest = line + used};
  if (sscanf(call.rest, " %39[0-9]%n", word, &end) == 1) {
    call.fd = atoi(word);
    call.rest += end;
  }
  size_t i = 0;
  const size_t count = sizeof calls / sizeof *calls;
  while (i < count && strcmp(calls[i].name, name) != 0) ++i;
  errno = 0;
  if (i < count)
    calls[i].run(&call);
  else
    answer(id, -1, ENOSYS, "");
  free(line);
  return NULL;
}

int main(void) {
  start_stack();
  printf("{\"ready\":\"calls\"}\n");
  fflush(stdout);
  char* line = NULL;
  size_t size = 0;
  char id[32], cancelled[32];
  while (getline(&line, &size, stdin) > 0) {
    /* A cancel comes after its poll. So both are handled here: in threads, it could be the first. */
    char name[32] = "";
    if (sscanf(line, "%31s cancel %31s", id, cancelled) == 2) {
      cancel_poll(cancelled);
      continue;
    }
    if (sscanf(line, "%31s %31s", id, name) == 2 && strcmp(name, "poll") == 0)
      handle(line);
    else
      start_thread(handle, line);
    line = NULL;
    size = 0;
  }
  return 0;
}
