#include "reports/explain/followed_connections.hh"

#include "reports/explain/followed_capture.hh"
#include "tests/catch.hh"

namespace tcplab::reports::tests {
namespace {

using capture::DecodedFrame;
using capture::FlowKey;
using capture::TcpFlags;

FlowKey key_of(int port) {
  return {*base::Endpoint::parse("10.0.0.1:" + std::to_string(port)),
          *base::Endpoint::parse("10.0.0.2:80")};
}

void say(Followed& followed, std::size_t sender, std::uint16_t flags, std::uint32_t sequence,
         std::uint32_t acknowledgment) {
  const auto& source = followed.conversation.end(sender).address;
  const auto& destination = followed.conversation.end(1 - sender).address;
  DecodedFrame frame;
  auto& ip = frame.ip.emplace();
  ip.source = source.address;
  ip.destination = destination.address;
  auto& tcp = frame.tcp.emplace();
  tcp.source_port = source.port;
  tcp.destination_port = destination.port;
  tcp.flags = flags;
  tcp.sequence = sequence;
  tcp.acknowledgment = acknowledgment;
  tcp.window = 500;
  const auto reading = followed.conversation.note(frame, 1);
  followed.facts.note(frame, 1, followed.conversation, reading, capture::Duplicate::none);
}

void open(Followed& followed) {
  say(followed, 0, TcpFlags::kSyn, 100, 0);
  say(followed, 1, TcpFlags::kSyn | TcpFlags::kAck, 200, 101);
  say(followed, 0, TcpFlags::kAck, 101, 201);
}

void close(Followed& followed) {
  say(followed, 0, TcpFlags::kFin | TcpFlags::kAck, 101, 201);
  say(followed, 1, TcpFlags::kFin | TcpFlags::kAck, 201, 102);
  say(followed, 0, TcpFlags::kAck, 102, 202);
}

}  // namespace

TEST_CASE("A table of connections finds the latest one of two endpoints, in both directions") {
  FollowedConnections table;
  const FlowKey key = key_of(1000);
  CHECK(table.find(pair_of(key)) == nullptr);
  Followed& first = table.add(key, 1, 1);
  CHECK(table.find(pair_of(key.reversed())) == &first);
  CHECK(table.find(pair_of(key_of(1001))) == nullptr);
  Followed& second = table.add(key.reversed(), 2, 2);
  CHECK(table.find(pair_of(key)) == &second);
  CHECK(second.number == 2);
}

TEST_CASE("A table of connections finds each of many") {
  FollowedConnections table;
  for (int port = 1; port <= 20'000; ++port) table.add(key_of(port), 1, std::uint64_t(port));
  for (int port = 1; port <= 20'000; ++port)
    REQUIRE(table.find(pair_of(key_of(port)))->number == std::size_t(port));
}

TEST_CASE("A table of connections forgets good ones, and none that is open or has trouble") {
  FollowedConnections table;
  const auto add = [&](int port) -> Followed& {
    REQUIRE(table.has_room(1, table.all().size()));
    Followed& followed = table.add(key_of(port), 1, std::uint64_t(port));
    open(followed);
    return followed;
  };
  for (int port = 1; port <= 2'100; ++port) {
    Followed& followed = add(port);
    if (port == 7) continue;  // open
    if (port == 8) say(followed, 1, TcpFlags::kRst | TcpFlags::kAck, 201, 101);
    if (port != 8) close(followed);
  }
  CHECK(table.find(pair_of(key_of(6))) == nullptr);
  CHECK(table.find(pair_of(key_of(7))) != nullptr);
  CHECK(table.find(pair_of(key_of(8))) != nullptr);
  CHECK(table.find(pair_of(key_of(2'100)))->number == 2'100);
  CHECK(table.forgotten() == 1'498);  // of 2,000, without the newest 500 and two more
  CHECK(table.all().size() == 602);
}

TEST_CASE("A table with many open connections has room as long as others close") {
  FollowedConnections table(10'000);
  std::uint64_t segments = 0;
  for (int port = 1; port <= 30'000; ++port) {
    REQUIRE(table.has_room(1, segments));
    Followed& followed = table.add(key_of(port), 1, std::uint64_t(port));
    open(followed);
    if (port > 4000) close(followed);
    segments += 6;
  }
}

TEST_CASE("What comes of a connection that is not followed is not of an earlier one") {
  FollowedCapture capture({.most = 1});
  const auto say_at = [&capture](int port, std::uint16_t flags, std::uint32_t sequence, bool back) {
    DecodedFrame frame;
    const FlowKey key = back ? key_of(port).reversed() : key_of(port);
    frame.ip.emplace();
    frame.ip->source = key.source.address;
    frame.ip->destination = key.destination.address;
    frame.tcp.emplace();
    frame.tcp->source_port = key.source.port;
    frame.tcp->destination_port = key.destination.port;
    frame.tcp->flags = flags;
    frame.tcp->sequence = sequence;
    frame.tcp->acknowledgment = 101;
    capture.frame(frame, sequence);
  };
  say_at(1000, TcpFlags::kSyn, 100, false);
  say_at(1000, TcpFlags::kRst | TcpFlags::kAck, 0, true);
  say_at(1000, TcpFlags::kSyn, 5000, false);  // the port is used again, and there is no room
  say_at(1000, TcpFlags::kSyn | TcpFlags::kAck, 9000, true);
  capture.finish();
  CHECK(capture.totals().unfollowed == 1);
  CHECK(capture.totals().untold == 2);
  CHECK(capture.connections().front()->conversation.end(1).segments == 1);
}

TEST_CASE("A full table of connections counts those that it does not follow once each") {
  FollowedConnections table(3);
  for (int port = 1; port <= 3; ++port) {
    REQUIRE(table.has_room(1, table.all().size()));
    open(table.add(key_of(port), 1, std::uint64_t(port)));
  }
  CHECK_FALSE(table.has_room(1, table.all().size()));
  for (const int port : {4, 4, 5}) table.note_unfollowed(pair_of(key_of(port)));
  CHECK(table.unfollowed() == 2);
  CHECK(table.untold() == 3);
  CHECK(table.is_unfollowed(pair_of(key_of(4))));
  CHECK_FALSE(table.is_unfollowed(pair_of(key_of(3))));
  CHECK(table.forgotten() == 0);
}

}  // namespace tcplab::reports::tests
