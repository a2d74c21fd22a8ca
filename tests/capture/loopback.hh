// A network namespace that contains only a loopback device, and TCP sockets in it. A kernel needs
// no more to run both ends of a connection.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/endpoint.hh"
#include "base/file_descriptor.hh"

namespace tcplab::tests {

/// Moves the calling process into a new network namespace, and first into a new user namespace if
/// it is not root. The process cannot return.
void enter_fresh_network();

base::FileDescriptor listen_on(const std::string& address, int backlog = 16);
base::FileDescriptor connect_to(const base::Endpoint& server);
/// Returns a non-blocking socket after connect(2), which may still be in progress.
base::FileDescriptor start_connecting(const base::Endpoint& server);
base::FileDescriptor accept_from(const base::FileDescriptor& listener);

base::Endpoint local_of(const base::FileDescriptor& socket);
base::Endpoint remote_of(const base::FileDescriptor& socket);

/// Both ends of one connection.
struct Connection {
  base::FileDescriptor client;
  base::FileDescriptor server;
};
Connection connect_pair(const base::FileDescriptor& listener, const base::Endpoint& server);

/// Waits until the descriptor is readable. Returns false after 10 s.
bool becomes_readable(int descriptor);

}  // namespace tcplab::tests
