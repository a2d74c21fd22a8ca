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

class Sockets {
public:
  virtual ~Sockets() = default;

  /// True if the descriptor is a socket of another stack, of which this kernel knows nothing.
  virtual bool is_foreign(int fd) const = 0;

  virtual int socket(int family, int type) = 0;
  virtual int bind(int fd, const sockaddr* address, socklen_t size) = 0;
  virtual int listen(int fd, int backlog) = 0;
  virtual int accept(int fd) = 0;
  virtual int connect(int fd, const sockaddr* address, socklen_t size) = 0;
  virtual int poll(std::span<pollfd> entries, int milliseconds) = 0;
  virtual ssize_t receive(int fd, std::span<char> buffer, int flags) = 0;
  virtual ssize_t send(int fd, std::span<const char> bytes, int flags) = 0;
  virtual ssize_t read(int fd, std::span<char> buffer) = 0;
  virtual ssize_t write(int fd, std::span<const char> bytes) = 0;
  virtual int shutdown(int fd, int how) = 0;
  virtual int close(int fd) = 0;
  virtual int set_non_blocking(int fd, bool on) = 0;
  virtual int set_option(int fd, int level, int option, std::span<const std::byte> value) = 0;
  virtual int get_option(int fd, int level, int option, void* value, socklen_t* size) = 0;

  /// Call getsockname(2) and getpeername(2); nothing if the socket has no such address. These calls
  /// are not recorded: dnc makes them for itself.
  virtual std::optional<base::Endpoint> local(int fd) = 0;
  virtual std::optional<base::Endpoint> remote(int fd) = 0;
  /// Returns AF_INET or AF_INET6: SO_DOMAIN of socket(7), not recorded either.
  virtual int family(int fd) = 0;
};

/// Returns where this process makes its calls: this kernel, until use_sockets() says otherwise.
Sockets& sockets();
void use_sockets(std::unique_ptr<Sockets> other);

/// Sets errno to ENOSYS, and returns -1: a call that dnc does not make on another stack.
int no_such_call();

/// Makes every call on this machine's kernel.
class KernelSockets : public Sockets {
public:
  bool is_foreign(int /*fd*/) const override { return false; }

  int socket(int family, int type) override;
  int bind(int fd, const sockaddr* address, socklen_t size) override;
  int listen(int fd, int backlog) override;
  int accept(int fd) override;
  int connect(int fd, const sockaddr* address, socklen_t size) override;
  int poll(std::span<pollfd> entries, int milliseconds) override;
  ssize_t receive(int fd, std::span<char> buffer, int flags) override;
  ssize_t send(int fd, std::span<const char> bytes, int flags) override;
  ssize_t read(int fd, std::span<char> buffer) override;
  ssize_t write(int fd, std::span<const char> bytes) override;
  int shutdown(int fd, int how) override;
  int close(int fd) override;
  int set_non_blocking(int fd, bool on) override;
  int set_option(int fd, int level, int option, std::span<const std::byte> value) override;
  int get_option(int fd, int level, int option, void* value, socklen_t* size) override;

  std::optional<base::Endpoint> local(int fd) override;
  std::optional<base::Endpoint> remote(int fd) override;
  int family(int fd) override;
};

}  // namespace tcplab::dnc
