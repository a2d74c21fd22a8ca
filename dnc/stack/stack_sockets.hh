// Sockets of another TCP stack: each call is a request over a StackChannel. Calls on descriptors
// that are no such sockets, such as standard input, go to this machine's kernel.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "dnc/calls/sockets.hh"
#include "dnc/stack/stack_channel.hh"

namespace tcplab::dnc {

class StackSockets : public Sockets {
public:
  /// `channel`: to the stack.
  explicit StackSockets(base::FileDescriptor channel) : channel_(std::move(channel)) {}

  bool is_foreign(int fd) const override { return numbers_.contains(fd); }

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

private:
  struct Socket {
    base::FileDescriptor reserved{};  // our descriptor: it only keeps the number
    std::int64_t number = 0;          // in the stack
    int family = AF_INET;
    std::optional<base::Endpoint> local{};
    std::optional<base::Endpoint> remote{};
  };

  StackAnswer ask(const char* call, int fd, const std::string& arguments = "");
  int note_socket(const StackAnswer& answer, int family);
  void note_addresses(int fd, const StackAnswer& answer);
  static ssize_t copy_data(const StackAnswer& answer, std::span<char> buffer);
  int poll_one(pollfd& foreign, std::span<pollfd> entries, int milliseconds);

  StackChannel channel_;
  std::map<int, Socket> numbers_;  // by our descriptor
};

}  // namespace tcplab::dnc
