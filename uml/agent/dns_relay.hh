// Listens for DNS queries in a guest, on UDP and TCP port 53. Passes them to the lab, which answers
// them.
#pragma once

#include <poll.h>
#include <sys/socket.h>

#include <list>
#include <string>
#include <vector>

#include "base/endpoint.hh"
#include "base/file_descriptor.hh"
#include "uml/guest_channel.hh"

namespace tcplab::uml {

class DnsRelay {
public:
  explicit DnsRelay(GuestChannel& channel) : channel_(channel) {}

  /// Listens on these addresses. Throws base::SystemError.
  void listen(const std::vector<base::IpAddress>& addresses);
  /// Sends a reply to who has asked. `asker`: as in the message of the query.
  void reply(Bytes asker, Bytes reply);

  /// Appends what to wait for. Queries wait while the lab is behind.
  void add_to(std::vector<pollfd>& waiting, bool may_send) const;
  /// Handles a descriptor that is ready. Returns false if it is none of ours.
  bool serve(int descriptor);

private:
  /// A connection: queries and replies, each after its length (RFC 1035, section 4.2.2).
  struct Session {
    std::uint64_t number = 0;
    base::FileDescriptor socket;
    std::vector<std::uint8_t> received{};
    std::vector<std::uint8_t> to_send{};
  };

  void serve_datagram(std::size_t socket);
  void accept(int listener);
  bool serve_session(Session& session);
  bool receive(Session& session);
  void pass_queries(Session& session);
  static bool send_some(Session& session);

  GuestChannel& channel_;
  std::vector<base::FileDescriptor> datagrams_;
  std::vector<base::FileDescriptor> listeners_;
  std::list<Session> sessions_;
  std::uint64_t last_session_ = 0;
};

}  // namespace tcplab::uml
