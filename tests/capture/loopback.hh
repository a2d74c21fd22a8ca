// A network namespace with nothing in it but a loopback device that is up, and TCP sockets
// there: the least that a kernel needs to run both ends of a connection.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/endpoint.hh"
#include "base/file_descriptor.hh"

namespace tcplab::tests {

/// Moves the calling process into a fresh one (and, when it is not root, into a user namespace
/// of its own first). The previous one is left for good.
void enter_fresh_network();

base::FileDescriptor listen_on(const std::string& address, int backlog = 16);
base::FileDescriptor connect_to(const base::Endpoint& server);
/// Non-blocking: connect(2) has been called, and nothing waited for.
base::FileDescriptor start_connecting(const base::Endpoint& server);
base::FileDescriptor accept_from(const base::FileDescriptor& listener);

base::Endpoint local_of(const base::FileDescriptor& socket);
base::Endpoint remote_of(const base::FileDescriptor& socket);

/// Two ends of one connection.
struct Connection {
  base::FileDescriptor client;
  base::FileDescriptor server;
};
Connection connect_pair(const base::FileDescriptor& listener, const base::Endpoint& server);

/// Waits until the descriptor is readable; false when that takes longer than 10 s.
bool becomes_readable(int descriptor);

}  // namespace tcplab::tests
