// The kernel's table of TCP sockets, asked through sock_diag(7) with libmnl. A SocketTable is
// about the network namespace that was current when it was made, for as long as it lives and
// wherever it is used from; it needs no privilege there. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/endpoint.hh"
#include "capture/event/event.hh"
#include "capture/event/socket_detail.hh"

struct mnl_socket;

namespace tcplab::capture {

constexpr std::uint32_t state_bit(TcpState state) { return 1U << static_cast<unsigned>(state); }

inline constexpr std::uint32_t kEveryState = 0xfff;
/// All but LISTEN, and CLOSE, which is bound or spent.
inline constexpr std::uint32_t kConnectionStates =
    kEveryState & ~state_bit(TcpState::listen) & ~state_bit(TcpState::close);

/// The two ends of a connection, as its host sees them.
struct SocketPair {
  base::Endpoint local;
  base::Endpoint remote;

  auto operator<=>(const SocketPair&) const = default;
};

/// Connections whose full socket the kernel has let go of. One of them may live on as a
/// time-wait minisocket (in FIN_WAIT2 or TIME_WAIT), or already have a successor: look again.
struct Destroyed {
  std::vector<SocketPair> connections;
  // Others have ended, of which the kernel does not say which: there were too many at once, or
  // they had forgotten their remote end, as listeners and sockets that were aborted have
  // (tcp_disconnect() clears it, for SO_LINGER {1,0}).
  bool look_at_everything = false;
};

class SocketTable {
public:
  /// Throws base::SystemError.
  SocketTable();

  /// The connection with exactly these ends, in any state, also as a request (SYN_RECV) or as a
  /// time-wait minisocket: those have no inode and no queues, and the latter timer 3. Nothing
  /// when there is none, be there a listener that would answer or not.
  /// One request, one answer. Throws base::SystemError.
  std::optional<Socket> find(const base::Endpoint& local, const base::Endpoint& remote);

  /// The same, with what TCP_INFO says of it. Throws base::SystemError.
  std::optional<SocketDetail> detail(const base::Endpoint& local, const base::Endpoint& remote);

  /// The connection's retransmission timeout now (tcpi_rto, tcp(7)); nothing where there is no
  /// full socket. Throws base::SystemError.
  std::optional<base::nanoseconds> retransmission_timeout(const base::Endpoint& local,
                                                          const base::Endpoint& remote);

  /// Every socket of both families in one of the states. The kernel walks its whole hash table
  /// for this: quick only in a namespace that was given a small one (tcp_child_ehash_entries,
  /// Documentation/networking/ip-sysctl.rst).
  std::vector<Socket> dump(std::uint32_t states = kEveryState);

  /// Readable when take_destroyed() has something to tell. Listening begins with the first call:
  /// from then on, every end of a socket costs the kernel a message.
  int destroy_descriptor();
  /// What has ended since the last call; never waits.
  Destroyed take_destroyed();

private:
  struct Closer {
    void operator()(mnl_socket* socket) const;
  };
  using NetlinkSocket = std::unique_ptr<mnl_socket, Closer>;

  static NetlinkSocket open(std::uint32_t groups, int flags);
  std::span<const std::uint8_t> receive();
  void ask(const base::Endpoint& local, const base::Endpoint& remote, std::uint8_t extensions);
  template <typename Take>
  void take_answer(Take take);
  bool dump_family(std::uint8_t family, std::uint32_t states, std::vector<Socket>& sockets);

  NetlinkSocket requests_;
  NetlinkSocket destroyed_;
  std::uint32_t sequence_ = 0;
  std::vector<std::uint8_t> buffer_;
};

}  // namespace tcplab::capture
