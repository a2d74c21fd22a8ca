/* libslirp as the TCP stack of a host in the lab: the stack of QEMU's user networking, of
 * slirp4netns and of rootless containers. Each read or write of descriptor 3 is one Ethernet frame.
 * libslirp is a NAT: a connection of the wire goes on as one of the loopback, which is this host's
 * alone, because the lab gives a stack a network namespace. So the wire shows what libslirp's TCP
 * does, and the calls show what a program behind the NAT sees.
 * Build: see docs/stacks.md. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <slirp/libslirp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sockets.h"

enum { kNic = 3, kLongestFrame = 65550, kMostPolled = 4096, kFirstForwarded = 61000, kMacSize = 6 };

static Slirp* slirp;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* libslirp has none */
static unsigned char mac[kMacSize];
static struct in_addr host4;
static struct in6_addr host6;

static const char* setting(const char* name) {
  const char* value = getenv(name);
  return value != NULL ? value : "";
}

static void give_up(const char* why) {
  fprintf(stderr, "slirp: %s\n", why);
  exit(1);
}

/* ---- the wire. libslirp makes its MAC address of its IP address; the lab gives the host another. */

static int is_slirps(const unsigned char* address) { return address[0] == 0x52 && address[1] == 0x55; }

static ssize_t send_frame(const void* bytes, size_t size, void* unused) {
  static unsigned char frame[kLongestFrame]; /* with the lock */
  enum { kSource = 6, kType = 12, kArpSender = 22, kArpEnd = 42 };
  (void)unused;
  if (size > sizeof frame) return -1;
  memcpy(frame, bytes, size);
  if (is_slirps(frame + kSource)) memcpy(frame + kSource, mac, kMacSize);
  const int is_arp = size >= kArpEnd && frame[kType] == 8 && frame[kType + 1] == 6;
  if (is_arp && is_slirps(frame + kArpSender)) memcpy(frame + kArpSender, mac, kMacSize);
  return write(kNic, frame, size);
}

/* The address that a SYN to this host came from, by its port. libslirp does not show those of IPv6. */
static struct in6_addr syn_senders[65536];

static void note_syn(const unsigned char* frame, size_t size) {
  enum { kIp = 14, kIpv6Size = 40, kTcp = 6, kSyn = 2, kAck = 16 };
  const unsigned char* ip = frame + kIp;
  if (size < kIp + kIpv6Size) return;
  const int is_ipv4 = frame[12] == 8 && frame[13] == 0 && ip[9] == kTcp;
  const int is_ipv6 = frame[12] == 0x86 && frame[13] == 0xdd && ip[6] == kTcp;
  if (!is_ipv4 && !is_ipv6) return;
  const unsigned char* tcp = ip + (is_ipv4 ? (ip[0] & 15) * 4 : kIpv6Size);
  if (tcp + 20 > frame + size || (tcp[13] & (kSyn | kAck)) != kSyn) return;
  struct in6_addr* sender = &syn_senders[tcp[0] << 8 | tcp[1]];
  if (is_ipv4)
    memcpy(&sender->s6_addr[12], ip + 12, 4);
  else
    memcpy(sender, ip + 8, sizeof *sender);
}

static void read_frame(void) {
  static unsigned char frame[kLongestFrame];
  const ssize_t size = read(kNic, frame, sizeof frame);
  if (size == -1 && errno == EINTR) return;
  if (size <= 0) exit(0); /* the cable is gone */
  note_syn(frame, (size_t)size);
  slirp_input(slirp, frame, (int)size);
}

/* ---- libslirp's timers, and its poll */

static int64_t now_ns(void* unused) {
  (void)unused;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

struct timer {
  int64_t at_ms; /* 0: it does not run */
  SlirpTimerCb act;
  void* of;
  struct timer* next;
};
static struct timer* timers;

static void* make_timer(SlirpTimerCb act, void* of, void* unused) {
  (void)unused;
  struct timer* made = calloc(1, sizeof *made);
  *made = (struct timer){.act = act, .of = of, .next = timers};
  return timers = made;
}

static void stop_timer(void* timer, void* unused) {
  (void)unused;
  ((struct timer*)timer)->at_ms = 0;
}

static void set_timer(void* timer, int64_t at_ms, void* unused) {
  (void)unused;
  ((struct timer*)timer)->at_ms = at_ms;
}

static void run_timers(void) {
  const int64_t now_ms = now_ns(NULL) / 1000000;
  for (struct timer* each = timers; each != NULL; each = each->next)
    if (each->at_ms != 0 && each->at_ms <= now_ms) {
      each->at_ms = 0;
      each->act(each->of);
    }
}

static struct pollfd polled[kMostPolled];
static int polled_count;

static int add_polled(int fd, int events, void* unused) {
  (void)unused;
  if (polled_count == kMostPolled) give_up("too many connections");
  short bits = 0;
  if (events & SLIRP_POLL_IN) bits |= POLLIN;
  if (events & SLIRP_POLL_OUT) bits |= POLLOUT;
  if (events & SLIRP_POLL_PRI) bits |= POLLPRI;
  polled[polled_count] = (struct pollfd){.fd = fd, .events = bits};
  return polled_count++;
}

static int polled_events(int index, void* unused) {
  (void)unused;
  const short bits = polled[index].revents;
  int events = 0;
  if (bits & POLLIN) events |= SLIRP_POLL_IN;
  if (bits & POLLOUT) events |= SLIRP_POLL_OUT;
  if (bits & POLLPRI) events |= SLIRP_POLL_PRI;
  if (bits & POLLERR) events |= SLIRP_POLL_ERR;
  if (bits & POLLHUP) events |= SLIRP_POLL_HUP;
  return events;
}

/* slirp_connect wakes the loop: libslirp then polls the port that it has been given. */
static int wake[2];

static void* run_slirp(void* unused) {
  (void)unused;
  int has_read = 0; /* libslirp answers a frame in its next turn */
  for (;;) {
    uint32_t timeout = has_read ? 0 : 50; /* ms: a timer runs at most so much late */
    polled_count = 0;
    add_polled(kNic, SLIRP_POLL_IN, NULL);
    add_polled(wake[0], SLIRP_POLL_IN, NULL);
    pthread_mutex_lock(&lock);
    slirp_pollfds_fill(slirp, &timeout, add_polled, NULL);
    pthread_mutex_unlock(&lock);
    const int count = poll(polled, (nfds_t)polled_count, (int)(timeout > 50 ? 50 : timeout));
    pthread_mutex_lock(&lock);
    slirp_pollfds_poll(slirp, count == -1, polled_events, NULL);
    char bytes[64];
    if (polled[1].revents != 0 && read(wake[0], bytes, sizeof bytes) == -1) give_up("the pipe broke");
    has_read = polled[0].revents != 0;
    if (has_read) read_frame();
    run_timers();
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

/* ---- the program's sockets */

static int port_of(const struct sockaddr_storage* address) {
  return ntohs(address->ss_family == AF_INET6 ? ((const struct sockaddr_in6*)address)->sin6_port
                                              : ((const struct sockaddr_in*)address)->sin_port);
}

static void set_port(struct sockaddr_storage* address, int port) {
  if (address->ss_family == AF_INET6)
    ((struct sockaddr_in6*)address)->sin6_port = htons((unsigned short)port);
  else
    ((struct sockaddr_in*)address)->sin_port = htons((unsigned short)port);
}

/* An IPv4 address of a socket for both families: ::ffff:10.0.0.1. */
static int is_mapped(const struct sockaddr_storage* address) {
  return address->ss_family == AF_INET6 &&
         IN6_IS_ADDR_V4MAPPED(&((const struct sockaddr_in6*)address)->sin6_addr);
}

static int is_loopback(const struct sockaddr_storage* address) {
  if (address->ss_family == AF_INET6) {
    const struct in6_addr* found = &((const struct sockaddr_in6*)address)->sin6_addr;
    return IN6_IS_ADDR_LOOPBACK(found) || (is_mapped(address) && found->s6_addr[12] == 127);
  }
  return ((const struct sockaddr_in*)address)->sin_addr.s_addr == htonl(INADDR_LOOPBACK);
}

/* Puts one address for another: the loopback's for the host's, or back. */
static void set_host(struct sockaddr_storage* address, int to_loopback) {
  const in_addr_t four = to_loopback ? htonl(INADDR_LOOPBACK) : host4.s_addr;
  if (is_mapped(address))
    memcpy(&((struct sockaddr_in6*)address)->sin6_addr.s6_addr[12], &four, sizeof four);
  else if (address->ss_family == AF_INET6)
    ((struct sockaddr_in6*)address)->sin6_addr = to_loopback ? in6addr_loopback : host6;
  else
    ((struct sockaddr_in*)address)->sin_addr.s_addr = four;
}

static int is_of_host(const struct sockaddr_storage* address) {
  if (address->ss_family == AF_INET6) {
    const struct in6_addr* found = &((const struct sockaddr_in6*)address)->sin6_addr;
    return !IN6_IS_ADDR_UNSPECIFIED(found) && memcmp(found, &host6, sizeof host6) == 0;
  }
  const in_addr_t found = ((const struct sockaddr_in*)address)->sin_addr.s_addr;
  return found != INADDR_ANY && found == host4.s_addr;
}

int slirp_bind(int fd, const struct sockaddr* to, socklen_t size) {
  struct sockaddr_storage address = {0};
  memcpy(&address, to, size);
  if (is_of_host(&address)) set_host(&address, 1);
  return bind(fd, (struct sockaddr*)&address, size);
}

/* A port of the loopback that libslirp forwards to a peer. */
struct forwarded {
  struct sockaddr_storage peer;
  int port;
  struct forwarded* next;
};
static struct forwarded* all_forwarded;

/* Returns the port that is forwarded to a peer, with the lock; -1 if libslirp refuses. */
static int forward(const struct sockaddr_storage* peer, socklen_t size) {
  static int last = kFirstForwarded;
  for (struct forwarded* each = all_forwarded; each != NULL; each = each->next)
    if (memcmp(&each->peer, peer, size) == 0) return each->port;
  struct sockaddr_storage here = *peer;
  set_host(&here, 1);
  set_port(&here, ++last);
  if (slirp_add_hostxfwd(slirp, (struct sockaddr*)&here, size, (const struct sockaddr*)peer, size, 0))
    return -1;
  struct forwarded* made = calloc(1, sizeof *made);
  *made = (struct forwarded){.peer = *peer, .port = last, .next = all_forwarded};
  all_forwarded = made;
  return last;
}

int slirp_connect(int fd, const struct sockaddr* to, socklen_t size) {
  struct sockaddr_storage address = {0};
  memcpy(&address, to, size);
  pthread_mutex_lock(&lock);
  const int port = forward(&address, size);
  pthread_mutex_unlock(&lock);
  if (port == -1) {
    errno = ENETUNREACH;
    return -1;
  }
  set_host(&address, 1);
  set_port(&address, port);
  const int result = connect(fd, (struct sockaddr*)&address, size);
  const int error = errno;
  if (write(wake[1], "", 1) == -1) give_up("the pipe broke");
  errno = error;
  return result;
}

int slirp_close(int fd) {
  shutdown(fd, SHUT_RD); /* the peer does not see it */
  return close(fd);
}

int slirp_getsockname(int fd, struct sockaddr* into, socklen_t* size) {
  const int result = getsockname(fd, into, size);
  struct sockaddr_storage* found = (void*)into;
  if (result == 0 && is_loopback(found)) set_host(found, 0);
  return result;
}

/* Puts the peer's address on the wire for that of libslirp's socket with this port. With the lock. */
static void find_peer(struct sockaddr_storage* found) {
  char* text = slirp_connection_info(slirp);
  char* rest = NULL;
  for (char* line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
    /* "  TCP[ESTABLISHED]    12        10.0.0.1 40000        10.0.0.2  8080 ..." */
    int fd = 0, port = 0;
    if (sscanf(line, " %*s %d %*s %d", &fd, &port) != 2 || port < 0 || port > 65535) continue;
    struct sockaddr_storage own;
    socklen_t size = sizeof own;
    if (getsockname(fd, (struct sockaddr*)&own, &size) != 0) continue;
    if (port_of(&own) != port_of(found)) continue;
    if (found->ss_family == AF_INET6 && is_mapped(found))
      memcpy(&((struct sockaddr_in6*)found)->sin6_addr.s6_addr[12], &syn_senders[port].s6_addr[12], 4);
    else if (found->ss_family == AF_INET6)
      ((struct sockaddr_in6*)found)->sin6_addr = syn_senders[port];
    else
      memcpy(&((struct sockaddr_in*)found)->sin_addr, &syn_senders[port].s6_addr[12], 4);
    set_port(found, port);
    break;
  }
  free(text);
}

int slirp_getpeername(int fd, struct sockaddr* into, socklen_t* size) {
  const int result = getpeername(fd, into, size);
  struct sockaddr_storage* found = (void*)into;
  if (result != 0 || !is_loopback(found)) return result;
  pthread_mutex_lock(&lock);
  const struct forwarded* each = all_forwarded;
  while (each != NULL && each->port != port_of(found)) each = each->next;
  if (each != NULL)
    memcpy(into, &each->peer, *size);
  else
    find_peer(found);
  pthread_mutex_unlock(&lock);
  return result;
}

/* ---- the start */

static void set_addresses(SlirpConfig* config) {
  char text[64] = "";
  unsigned length = 0;
  if (sscanf(setting("TCPLAB_IPV4"), "%63[^/]/%u", text, &length) == 2) {
    inet_pton(AF_INET, text, &host4);
    config->in_enabled = true;
    config->vhost = host4;
    config->vnetmask.s_addr = htonl(length == 0 ? 0 : 0xffffffffU << (32 - length));
    config->vnetwork.s_addr = host4.s_addr & config->vnetmask.s_addr;
    /* libslirp wants these, too; nobody asks for them. */
    config->vnameserver.s_addr = htonl(ntohl(config->vnetwork.s_addr) | 0xfd);
    config->vdhcp_start.s_addr = htonl(ntohl(config->vnetwork.s_addr) | 0xc0);
  }
  if (sscanf(setting("TCPLAB_IPV6"), "%63[^/]/%u", text, &length) == 2) {
    inet_pton(AF_INET6, text, &host6);
    config->in6_enabled = true;
    config->vhost6 = host6;
    config->vprefix_len = (uint8_t)length;
    config->vprefix_addr6 = host6;
    memset(&config->vprefix_addr6.s6_addr[8], 0, 8);
    config->vnameserver6 = config->vprefix_addr6;
    config->vnameserver6.s6_addr[15] = 0xfd;
  }
}

static void ignore_fd(int fd, void* unused) {
  (void)fd;
  (void)unused;
}
static void ignore(void* unused) { (void)unused; }
static void report(const char* message, void* unused) {
  (void)unused;
  fprintf(stderr, "slirp: %s\n", message);
}

void start_stack(void) {
  unsigned parts[kMacSize];
  if (sscanf(setting("TCPLAB_MAC"), "%x:%x:%x:%x:%x:%x", &parts[0], &parts[1], &parts[2], &parts[3],
             &parts[4], &parts[5]) != kMacSize)
    give_up("TCPLAB_MAC is no MAC address");
  for (int i = 0; i < kMacSize; ++i) mac[i] = (unsigned char)parts[i];
  if (pipe2(wake, O_CLOEXEC | O_NONBLOCK) == -1) give_up("there is no pipe");
  static const SlirpCb callbacks = {
      .send_packet = send_frame, .guest_error = report, .clock_get_ns = now_ns,
      .timer_new = make_timer, .timer_free = stop_timer, .timer_mod = set_timer,
      .register_poll_fd = ignore_fd, .unregister_poll_fd = ignore_fd, .notify = ignore};
  SlirpConfig config = {.version = 4, .disable_dns = true, .disable_dhcp = true};
  config.if_mtu = config.if_mru = (size_t)atoi(setting("TCPLAB_MTU"));
  set_addresses(&config);
  slirp = slirp_new(&config, &callbacks, NULL);
  if (slirp == NULL) give_up("libslirp refuses these addresses");
  pthread_t thread;
  pthread_create(&thread, NULL, run_slirp, NULL);
}

const char* error_name(int error) {
  const char* name = strerrorname_np(error);
  return name != NULL ? name : "EIO";
}

int set_non_blocking(int fd, int on) { return fcntl(fd, F_SETFL, on ? O_NONBLOCK : 0); }
