// The system calls that dnc makes on descriptors: those of this machine's kernel, or, for sockets,
// those of another TCP stack (dnc --stack, dnc/stack). Results and errno are those of the calls
// with the same names in section 2 of the manual. Single-threaded.
#pragma once

#include <poll.h>
#include <sys/socket.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "base/endpoint.hh"

namespace tcplab::dnc {

/// Makes every call on this machine's kernel.
class Sockets {
public:
  Sockets() = default;
  Sockets(const Sockets&) = delete;
  Sockets& operator=(const Sockets&) = delete;
  virtual ~Sockets() = default;

  /// True if the descriptor is a socket of another stack, of which this kernel knows nothing.
  virtual bool is_foreign(int /*fd*/) const { return false; }

  virtual int socket(int family, int type);
  virtual int bind(int fd, const sockaddr* address, socklen_t size);
  virtual int listen(int fd, int backlog);
  virtual int accept(int fd);
  virtual int connect(int fd, const sockaddr* address, socklen_t size);
  virtual int poll(std::span<pollfd> entries, int milliseconds);
  virtual ssize_t receive(int fd, std::span<char> buffer, int flags);
  virtual ssize_t send(int fd, std::span<const char> bytes, int flags);
  virtual ssize_t read(int fd, std::span<char> buffer);
  virtual ssize_t write(int fd, std::span<const char> bytes);
  virtual int shutdown(int fd, int how);
  virtual int close(int fd);
  virtual int set_non_blocking(int fd, bool on);
  virtual int set_option(int fd, int level, int option, std::span<const std::byte> value);
  virtual int get_option(int fd, int level, int option, void* value, socklen_t* size);

  /// Call getsockname(2) and getpeername(2); nothing if the socket has no such address. These calls
  /// are not recorded: dnc makes them for itself.
  virtual std::optional<base::Endpoint> local(int fd);
  virtual std::optional<base::Endpoint> remote(int fd);
  /// Returns AF_INET or AF_INET6: SO_DOMAIN of socket(7), not recorded either.
  virtual int family(int fd);
};

/// Returns where this process makes its calls: this kernel, until use_sockets() says otherwise.
Sockets& sockets();
void use_sockets(std::unique_ptr<Sockets> other);

/// Sets errno to ENOSYS, and returns -1: a call that dnc does not make on another stack.
int no_such_call();

}  // namespace tcplab::dnc
