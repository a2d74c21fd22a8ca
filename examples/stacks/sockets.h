/* The sockets of a stack, for socket_calls.c: S(call) is its name there. These are lwIP's, and
 * libslirp's with TCPLAB_SLIRP. */
#ifndef TCPLAB_EXAMPLE_SOCKETS_H
#define TCPLAB_EXAMPLE_SOCKETS_H

#ifdef TCPLAB_SLIRP
#include "slirp_sockets.h"
#else
#include <arpa/inet.h>
#include <lwip/sockets.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#define S(call) lwip_##call
#endif

/* Starts the stack. Its NIC is descriptor 3; the environment has its addresses. Returns when it can
 * make calls; ends the process, with a line on standard error, if it cannot start. */
void start_stack(void);

/* "ECONNRESET" */
const char* error_name(int error);

int set_non_blocking(int fd, int on);

#endif
