// Queries a kernel's table of TCP sockets through sock_diag(7), with libmnl. Needs no privilege.
// Single-threaded.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/endpoint.hh"
#include "base/kernel_questions.hh"
#include "capture/event/event.hh"
#include "capture/event/socket_detail.hh"

namespace tcplab::capture {

constexpr std::uint32_t state_bit(TcpState state) { return 1U << static_cast<unsigned>(state); }

inline constexpr std::uint32_t kEveryState = 0xfff;
/// All states except LISTEN and CLOSE. In CLOSE a socket is not connected yet, or not any more.
inline constexpr std::uint32_t kConnectionStates =
    kEveryState & ~state_bit(TcpState::listen) & ~state_bit(TcpState::close);

/// The two endpoints of a connection, as seen by its host.
struct SocketPair {
  base::Endpoint local;
  base::Endpoint remote;

  auto operator<=>(const SocketPair&) const = default;
};

/// Connections whose full socket the kernel has destroyed. A connection may live on as a time-wait
/// minisocket (in FIN_WAIT2 or TIME_WAIT), or may already have a successor: query it again.
struct Destroyed {
  std::vector<SocketPair> connections;
  // The kernel destroyed other sockets without naming their connections: too many at once, or
  // sockets without a remote endpoint. Listeners have none; an abort with SO_LINGER {1,0} clears it
  // (tcp_disconnect()).
  bool look_at_everything = false;
};

class SocketTable {
public:
  /// Queries the network namespace that is current now. Throws base::SystemError.
  SocketTable();
  /// Queries a kernel through `questions`; `destroyed` reports its destroyed sockets.
  SocketTable(std::unique_ptr<base::KernelQuestions> questions,
              std::unique_ptr<base::KernelNews> destroyed);

  /// Returns the connection with exactly these endpoints, in any state; nullopt if there is none,
  /// even if there is a listener. Finds requests (SYN_RECV) and time-wait minisockets, too: both
  /// have no inode and no queues, and a minisocket has timer 3. Makes one netlink request. Throws
  /// base::SystemError.
  std::optional<Socket> find(const base::Endpoint& local, const base::Endpoint& remote);

  /// Returns the same with the connection's TCP_INFO. Throws base::SystemError.
  std::optional<SocketDetail> detail(const base::Endpoint& local, const base::Endpoint& remote);

  /// Returns what detail() returns, from the kernel's answer to that question.
  static std::optional<SocketDetail> read_detail(base::Bytes answer);

  /// Returns the connection's retransmission timeout before back-off (first_rto()); nullopt if
  /// there is no full socket. Throws base::SystemError.
  std::optional<base::nanoseconds> retransmission_timeout(const base::Endpoint& local,
                                                          const base::Endpoint& remote);

  /// Returns all sockets of both families in these states. The kernel walks its whole hash table
  /// for this, which is fast only if the namespace has a small table of its own
  /// (tcp_child_ehash_entries, Documentation/networking/ip-sysctl.rst).
  std::vector<Socket> dump(std::uint32_t states = kEveryState);

  /// Returns a descriptor that is readable when take_destroyed() has news. The first call
  /// subscribes to notifications: from then on the kernel sends a message for each destroyed
  /// socket.
  int destroy_descriptor();
  /// Returns what the kernel has destroyed since the last call. Never waits.
  Destroyed take_destroyed();

private:
  void ask(const base::Endpoint& local, const base::Endpoint& remote, std::uint8_t extensions);
  template <typename Take>
  void take_answer(Take take);
  bool dump_family(std::uint8_t family, std::uint32_t states, std::vector<Socket>& sockets);

  std::unique_ptr<base::KernelQuestions> questions_;
  std::unique_ptr<base::KernelNews> destroyed_;
  std::uint32_t sequence_ = 0;
};

}  // namespace tcplab::capture
