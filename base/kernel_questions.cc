#include "base/kernel_questions.hh"

#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <sys/socket.h>

#include <cerrno>
#include <memory>

#include "base/error.hh"
#include "base/file_descriptor.hh"

namespace tcplab::base {

namespace {

constexpr std::size_t kBufferSize = 32 * 1024;  // the kernel's limit for one part of a dump
constexpr std::uint32_t kDestroyed =
    1U << (SKNLGRP_INET_TCP_DESTROY - 1) | 1U << (SKNLGRP_INET6_TCP_DESTROY - 1);
constexpr int kNewsBuffer = 4 * 1024 * 1024;  // many sockets may end at the same time

FileDescriptor open_socket(int protocol, std::uint32_t groups, int flags) {
  FileDescriptor opened(check("open a netlink(7) socket",
                              ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | flags, protocol)));
  sockaddr_nl address{};
  address.nl_family = AF_NETLINK;
  address.nl_groups = groups;
  check("bind a netlink(7) socket",
        ::bind(opened.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address));
  return opened;
}

/// Uninitialized, so that a thousand sockets have memory only for the answers that they got.
using Buffer = std::unique_ptr<std::uint8_t[]>;
Buffer make_buffer() { return std::make_unique_for_overwrite<std::uint8_t[]>(kBufferSize); }

class LocalQuestions : public KernelQuestions {
public:
  explicit LocalQuestions(int protocol) : socket_(open_socket(protocol, 0, 0)) {}

  void send(Bytes request) override {
    check("ask the kernel", ::send(socket_.get(), request.data(), request.size(), 0));
  }

  Bytes receive() override {
    ssize_t size = -1;
    do {  // a signal to the lab must not lose the answer
      size = ::recv(socket_.get(), buffer_.get(), kBufferSize, MSG_TRUNC);
    } while (size == -1 && errno == EINTR);
    check("read the kernel's answer", size);
    if (static_cast<std::size_t>(size) > kBufferSize)
      throw SystemError("read the kernel's answer", EMSGSIZE);
    return {buffer_.get(), static_cast<std::size_t>(size)};
  }

private:
  FileDescriptor socket_;
  Buffer buffer_ = make_buffer();
};

class LocalNews : public KernelNews {
public:
  LocalNews() {
    // Failure does not matter: with the default size, ENOBUFS just comes a little earlier.
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUF, &kNewsBuffer, sizeof kNewsBuffer);
  }

  int descriptor() const override { return socket_.get(); }

  News take() override {
    const ssize_t size = ::recv(socket_.get(), buffer_.get(), kBufferSize, 0);
    if (size >= 0) return {.messages = {buffer_.get(), static_cast<std::size_t>(size)}};
    if (errno == ENOBUFS) return {.has_lost = true};
    if (errno != EAGAIN) throw SystemError("read the kernel's notifications", errno);
    return {};
  }

private:
  FileDescriptor socket_ = open_socket(NETLINK_SOCK_DIAG, kDestroyed, SOCK_NONBLOCK);
  Buffer buffer_ = make_buffer();
};

}  // namespace

std::unique_ptr<KernelQuestions> ask_this_kernel(int protocol) {
  return std::make_unique<LocalQuestions>(protocol);
}

std::unique_ptr<KernelNews> hear_destroyed_sockets() { return std::make_unique<LocalNews>(); }

}  // namespace tcplab::base
