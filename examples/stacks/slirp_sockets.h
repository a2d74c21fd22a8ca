/* The sockets of a program behind libslirp: sockets of the loopback. libslirp
 * connects them with the wire (slirp_nic.c). */
#ifndef TCPLAB_EXAMPLE_SLIRP_SOCKETS_H
#define TCPLAB_EXAMPLE_SLIRP_SOCKETS_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#define S(call) slirp_##call
#define slirp_socket socket
#define slirp_listen listen
#define slirp_accept accept
#define slirp_recv recv
#define slirp_send send
#define slirp_poll poll
#define slirp_shutdown shutdown
#define slirp_setsockopt setsockopt
#define slirp_getsockopt getsockopt

/* bind(2): an address of the host is the loopback's here. */
int slirp_bind(int fd, const struct sockaddr* to, socklen_t size);
/* connect(2) to a port of the loopback that libslirp forwards to the peer. */
int slirp_connect(int fd, const struct sockaddr* to, socklen_t size);
/* close(2), which wakes the threads that wait for the socket: each of them keeps it open. */
int slirp_close(int fd);
/* Like getsockname(2) and getpeername(2): the addresses that the connection has on the wire. */
int slirp_getsockname(int fd, struct sockaddr* into, socklen_t* size);
int slirp_getpeername(int fd, struct sockaddr* into, socklen_t* size);

#endif
