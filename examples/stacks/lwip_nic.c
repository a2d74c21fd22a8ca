/* lwIP as the TCP stack of a host in the lab. Each read or write of descriptor 3 is one Ethernet
 * frame. Build: see docs/stacks.md. */
#define _GNU_SOURCE
#include <errno.h>
#include <lwip/etharp.h>
#include <lwip/ethip6.h>
#include <lwip/inet.h>
#include <lwip/nd6.h>
#include <lwip/netif.h>
#include <lwip/tcpip.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sockets.h"

enum { kNic = 3, kLongestFrame = 65550 };

static struct netif nic;

static const char* setting(const char* name) {
  const char* value = getenv(name);
  return value != NULL ? value : "";
}

static void give_up(const char* why) {
  fprintf(stderr, "lwip: %s\n", why);
  exit(1);
}

static err_t send_frame(struct netif* to, struct pbuf* packet) {
  static char frame[kLongestFrame]; /* with the lock of the core */
  (void)to;
  const u16_t size = pbuf_copy_partial(packet, frame, packet->tot_len, 0);
  return write(kNic, frame, size) == (ssize_t)size ? ERR_OK : ERR_IF;
}

static err_t set_up(struct netif* made) {
  unsigned mac[6];
  if (sscanf(setting("TCPLAB_MAC"), "%x:%x:%x:%x:%x:%x", &mac[0], &mac[1], &mac[2], &mac[3],
             &mac[4], &mac[5]) != 6)
    give_up("TCPLAB_MAC is no MAC address");
  for (int i = 0; i < 6; ++i) made->hwaddr[i] = (u8_t)mac[i];
  made->hwaddr_len = 6;
  made->name[0] = 'e';
  made->name[1] = 'n';
  made->output = etharp_output;
  made->output_ip6 = ethip6_output;
  made->linkoutput = send_frame;
  made->mtu = (u16_t)atoi(setting("TCPLAB_MTU"));
  made->flags = NETIF_FLAG_BROADCAST | NETIF_FLAG_ETHARP | NETIF_FLAG_ETHERNET |
                NETIF_FLAG_LINK_UP | NETIF_FLAG_MLD6;
  return ERR_OK;
}

static void* read_frames(void* unused) {
  static char frame[kLongestFrame];
  (void)unused;
  for (;;) {
    const ssize_t size = read(kNic, frame, sizeof frame);
    if (size == -1 && errno == EINTR) continue;
    if (size <= 0) exit(0); /* the cable is gone */
    struct pbuf* packet = pbuf_alloc(PBUF_RAW, (u16_t)size, PBUF_RAM);
    if (packet == NULL) continue; /* a NIC without memory drops the frame */
    pbuf_take(packet, frame, (u16_t)size);
    if (tcpip_input(packet, &nic) != ERR_OK) pbuf_free(packet);
  }
}

static void is_ready(void* semaphore) { sys_sem_signal(semaphore); }

static void set_ipv4(ip4_addr_t* address, ip4_addr_t* mask, ip4_addr_t* gateway) {
  char text[64] = "";
  unsigned length = 0;
  if (sscanf(setting("TCPLAB_IPV4"), "%63[^/]/%u", text, &length) == 2) {
    ip4addr_aton(text, address);
    mask->addr = lwip_htonl(length == 0 ? 0 : 0xffffffffU << (32 - length));
  }
  ip4addr_aton(setting("TCPLAB_GATEWAY4"), gateway);
}

static void set_ipv6(void) {
  char text[64] = "";
  ip6_addr_t address;
  if (sscanf(setting("TCPLAB_IPV6"), "%63[^/]", text) != 1 || !ip6addr_aton(text, &address)) return;
  netif_create_ip6_linklocal_address(&nic, 1);
  netif_ip6_addr_set_state(&nic, 0, IP6_ADDR_PREFERRED);
  ip6_addr_assign_zone(&address, IP6_UNICAST, &nic);
  netif_ip6_addr_set(&nic, 1, &address);
  netif_ip6_addr_set_state(&nic, 1, IP6_ADDR_PREFERRED);
}

void start_stack(void) {
  sys_sem_t ready;
  sys_sem_new(&ready, 0);
  tcpip_init(is_ready, &ready);
  sys_arch_sem_wait(&ready, 0);
  ip4_addr_t address = {0}, mask = {0}, gateway = {0};
  set_ipv4(&address, &mask, &gateway);
  LOCK_TCPIP_CORE();
  netif_add(&nic, &address, &mask, &gateway, NULL, set_up, tcpip_input);
  set_ipv6();
  netif_set_default(&nic);
  nic.rs_count = 0; /* no router answers solicitations */
  netif_set_up(&nic);
  UNLOCK_TCPIP_CORE();
  pthread_t thread;
  pthread_create(&thread, NULL, read_frames, NULL);
}

const char* error_name(int error) {
  const char* name = strerrorname_np(error);
  return name != NULL ? name : "EIO";
}

int set_non_blocking(int fd, int on) {
  return lwip_fcntl(fd, F_SETFL, on ? O_NONBLOCK : 0);
}
