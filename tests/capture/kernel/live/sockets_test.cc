#include "capture/kernel/sockets.hh"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "base/error.hh"
#include "tests/capture/loopback.hh"
#include "tests/catch.hh"
#include "tests/skip.hh"

using namespace tcplab::capture;
using namespace tcplab::tests;
using tcplab::base::Endpoint;
using tcplab::base::FileDescriptor;

namespace {

std::optional<TcpState> state_of(SocketTable& table, const SocketPair& pair) {
  const auto socket = table.find(pair.local, pair.remote);
  if (!socket) return std::nullopt;
  CHECK(socket->local == pair.local);
  CHECK(socket->remote == pair.remote);
  return socket->state;
}

SocketPair pair_of(const FileDescriptor& socket) { return {local_of(socket), remote_of(socket)}; }

/// Waits until the destroy notification for the pair has come.
bool gets_notification_of(SocketTable& table, const SocketPair& pair) {
  while (becomes_readable(table.destroy_descriptor())) {
    const auto destroyed = table.take_destroyed().connections;
    if (std::find(destroyed.begin(), destroyed.end(), pair) != destroyed.end()) return true;
  }
  return false;
}

/// Over loopback the kernel answers a FIN in a softirq, which may still run when shutdown(2)
/// returns.
bool reaches(SocketTable& table, const SocketPair& pair, TcpState state) {
  for (int attempt = 0; attempt < 1'000'000; ++attempt)
    if (state_of(table, pair) == state) return true;
  return false;
}

}  // namespace

TEST_CASE("a connection is found in each state, at both ends", "[live]") {
  SKIP_IF(no_namespaces());
  enter_fresh_network();
  const std::string address = GENERATE("127.0.0.1", "::1");
  SocketTable table;
  const auto listener = listen_on(address);
  auto [client, server] = connect_pair(listener, local_of(listener));
  const SocketPair ours = pair_of(client);
  const SocketPair theirs{ours.remote, ours.local};
  INFO(address);
  CHECK(state_of(table, ours) == TcpState::established);
  CHECK(state_of(table, theirs) == TcpState::established);
  CHECK(table.find(ours.local, ours.remote)->inode != 0);

  ::shutdown(client.get(), SHUT_WR);
  CHECK(reaches(table, ours, TcpState::fin_wait2));
  CHECK(reaches(table, theirs, TcpState::close_wait));

  client.reset();  // the orphan becomes a time-wait minisocket in FIN_WAIT2
  const auto orphan = table.find(ours.local, ours.remote);
  REQUIRE(orphan);
  CHECK(orphan->state == TcpState::fin_wait2);
  CHECK(orphan->timer == 3);
  CHECK(orphan->timer_expires_ms > 0);
  CHECK(orphan->inode == 0);

  server.reset();
  CHECK(reaches(table, ours, TcpState::time_wait));
  CHECK_FALSE(table.find(theirs.local, theirs.remote));
}

TEST_CASE("a listener is not returned for a missing connection", "[live]") {
  SKIP_IF(no_namespaces());
  enter_fresh_network();
  const auto listener = listen_on("127.0.0.1");
  SocketTable table;
  CHECK_FALSE(table.find(local_of(listener), *Endpoint::parse("127.0.0.1:1")));
  CHECK_FALSE(table.find(*Endpoint::parse("127.0.0.1:2"), *Endpoint::parse("127.0.0.1:1")));
  CHECK_FALSE(table.find(*Endpoint::parse("[::1]:2"), *Endpoint::parse("[::1]:1")));
}

TEST_CASE("a request that waits for the handshake's ACK is found in SYN_RECV", "[live]") {
  SKIP_IF(no_namespaces());
  enter_fresh_network();
  const std::string address = GENERATE("127.0.0.1", "::1");
  const auto listener = listen_on(address);
  const int seconds = 10;  // with TCP_DEFER_ACCEPT (tcp(7)) the ACK does not complete the handshake
  tcplab::base::check("defer accept", ::setsockopt(listener.get(), IPPROTO_TCP, TCP_DEFER_ACCEPT,
                                                   &seconds, sizeof seconds));
  const auto client = connect_to(local_of(listener));
  SocketTable table;
  const SocketPair theirs{remote_of(client), local_of(client)};
  CHECK(state_of(table, theirs) == TcpState::syn_recv);
  CHECK(table.find(theirs.local, theirs.remote)->inode == 0);
  CHECK(table.dump(state_bit(TcpState::syn_recv)).size() == 1);
}

TEST_CASE("a connection without an answer is found in SYN_SENT", "[live]") {
  SKIP_IF(no_namespaces());
  enter_fresh_network();
  const auto listener = listen_on("127.0.0.1", 0);
  const auto accepted_by_the_kernel = connect_to(local_of(listener));
  const auto waiting = start_connecting(local_of(listener));
  SocketTable table;
  CHECK(state_of(table, {local_of(waiting), local_of(listener)}) == TcpState::syn_sent);
}

TEST_CASE("an IPv4 connection of an IPv6 socket is found as IPv4", "[live]") {
  SKIP_IF(no_namespaces());
  enter_fresh_network();
  SocketTable table;
  table.destroy_descriptor();
  const auto listener = listen_on("::");
  const Endpoint server_end{*tcplab::base::IpAddress::parse("127.0.0.1"), local_of(listener).port};
  auto [client, server] = connect_pair(listener, server_end);
  const SocketPair theirs{server_end, local_of(client)};
  CHECK(state_of(table, theirs) == TcpState::established);
  const auto dumped = table.dump(state_bit(TcpState::established));
  REQUIRE(dumped.size() == 2);
  CHECK((dumped[0].local == server_end || dumped[1].local == server_end));
  client.reset();
  server.reset();
  CHECK(gets_notification_of(table, theirs));
}

TEST_CASE("queue sizes are those of a connection, or the backlog of a listener", "[live]") {
  SKIP_IF(no_namespaces());
  enter_fresh_network();
  const auto listener = listen_on("127.0.0.1", 5);
  const auto client = connect_to(local_of(listener));
  SocketTable table;
  const auto listening = table.dump(state_bit(TcpState::listen));
  REQUIRE(listening.size() == 1);
  CHECK(listening[0].state == TcpState::listen);
  CHECK(listening[0].receive_queue == 1);
  CHECK(listening[0].send_queue == 5);

  const auto server = accept_from(listener);
  REQUIRE(::write(client.get(), "hello", 5) == 5);
  REQUIRE(becomes_readable(server.get()));
  CHECK(table.find(remote_of(client), local_of(client))->receive_queue == 5);
}

TEST_CASE("a dump of many parts is complete, and has only the requested states", "[live]") {
  SKIP_IF(no_namespaces());
  enter_fresh_network();
  constexpr std::size_t kConnections = 400;
  const auto listener = listen_on("127.0.0.1", 1);
  const auto listener6 = listen_on("::1", 1);
  std::vector<Connection> connections;
  for (std::size_t count = 0; count < kConnections; ++count)
    connections.push_back(connect_pair(listener, local_of(listener)));
  connections.push_back(connect_pair(listener6, local_of(listener6)));
  SocketTable table;
  CHECK(table.dump().size() == 2 * connections.size() + 2);
  std::map<SocketPair, TcpState> found;
  for (const Socket& socket : table.dump(kConnectionStates))
    found[{socket.local, socket.remote}] = socket.state;
  CHECK(found.size() == 2 * connections.size());
  for (const Connection& connection : connections)
    CHECK(found.contains(pair_of(connection.client)));
  CHECK(table.dump(state_bit(TcpState::time_wait)).empty());
}

TEST_CASE("a table queries the namespace that it was created in", "[live]") {
  SKIP_IF(no_namespaces());
  enter_fresh_network();
  const auto listener = listen_on("127.0.0.1");
  const auto connection = connect_pair(listener, local_of(listener));
  SocketTable table;
  const SocketPair ours = pair_of(connection.client);
  enter_fresh_network();
  SocketTable elsewhere;
  CHECK(state_of(table, ours) == TcpState::established);
  CHECK_FALSE(elsewhere.find(ours.local, ours.remote));
  CHECK(elsewhere.dump().empty());
}

TEST_CASE("a destroyed socket is notified, and reading the notification never waits", "[live]") {
  SKIP_IF(no_namespaces());
  enter_fresh_network();
  const std::string address = GENERATE("127.0.0.1", "::1");
  SocketTable table;
  table.destroy_descriptor();
  const auto listener = listen_on(address);
  auto [client, server] = connect_pair(listener, local_of(listener));
  const SocketPair theirs = pair_of(server);
  CHECK(table.take_destroyed().connections.empty());
  client.reset();
  server.reset();
  CHECK(gets_notification_of(table, theirs));
  CHECK_FALSE(table.find(theirs.local, theirs.remote));
}

TEST_CASE("an aborted socket is notified without its connection", "[live]") {
  SKIP_IF(no_namespaces());
  enter_fresh_network();
  SocketTable table;
  table.destroy_descriptor();
  const auto listener = listen_on("127.0.0.1");
  auto [client, server] = connect_pair(listener, local_of(listener));
  const linger abort{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(client.get(), SOL_SOCKET, SO_LINGER, &abort, sizeof abort);
  client.reset();
  REQUIRE(becomes_readable(table.destroy_descriptor()));
  CHECK(table.take_destroyed().look_at_everything);
}

TEST_CASE("lost notifications are reported", "[live]") {
  SKIP_IF(no_namespaces());
  enter_fresh_network();
  SocketTable table;
  const int least = 1;
  ::setsockopt(table.destroy_descriptor(), SOL_SOCKET, SO_RCVBUF, &least, sizeof least);
  const auto listener = listen_on("127.0.0.1");
  bool look_at_everything = false;
  for (int round = 0; round < 1000 && !look_at_everything; ++round) {
    for (int count = 0; count < 20; ++count) connect_pair(listener, local_of(listener));
    becomes_readable(table.destroy_descriptor());
    look_at_everything = table.take_destroyed().look_at_everything;
  }
  CHECK(look_at_everything);
}
