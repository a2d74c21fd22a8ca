#include "uml/guest_channel.hh"

#include <sys/socket.h>

#include <array>

#include "base/error.hh"
#include "tests/catch.hh"

using namespace tcplab;
using uml::GuestChannel;
using uml::Kind;

namespace {

struct Ends {
  GuestChannel lab;
  GuestChannel agent;
};

std::array<base::FileDescriptor, 2> make_sockets() {
  std::array<int, 2> ends{};
  base::check("create a socket pair",
              ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()));
  return {base::FileDescriptor(ends[0]), base::FileDescriptor(ends[1])};
}

Ends make_ends() {
  auto [lab, agent] = make_sockets();
  return {GuestChannel(std::move(lab)), GuestChannel(std::move(agent))};
}

}  // namespace

TEST_CASE("messages arrive in their order", "[guest_channel]") {
  Ends ends = make_ends();
  CHECK_FALSE(ends.agent.receive());
  ends.lab.send(Kind::read_clock, {});
  ends.lab.send(Kind::input, uml::as_bytes("text"));
  const auto first = ends.agent.receive();
  REQUIRE(first);
  CHECK(first->kind == Kind::read_clock);
  CHECK(first->payload.empty());
  const auto second = ends.agent.receive();
  REQUIRE(second);
  CHECK(second->kind == Kind::input);
  CHECK(uml::as_text(second->payload) == "text");
  CHECK_FALSE(ends.agent.receive());
}

TEST_CASE("a message longer than a packet arrives as one", "[guest_channel]") {
  Ends ends = make_ends();
  std::vector<std::uint8_t> payload(3 * uml::kChannelMtu + 17);
  for (std::size_t i = 0; i < payload.size(); ++i) payload[i] = static_cast<std::uint8_t>(i % 251);
  ends.agent.send(Kind::answer, payload);
  const auto message = ends.lab.receive();
  REQUIRE(message);
  CHECK(message->payload == payload);
}

TEST_CASE("a message of exactly one packet is one packet", "[guest_channel]") {
  Ends ends = make_ends();
  ends.agent.send(Kind::answer, std::vector<std::uint8_t>(uml::kChannelMtu - 32));
  const auto message = ends.lab.receive();
  REQUIRE(message);
  CHECK(message->payload.size() == uml::kChannelMtu - 32);
}

TEST_CASE("each side knows what the other has received", "[guest_channel]") {
  Ends ends = make_ends();
  CHECK(ends.agent.unacknowledged() == 0);
  ends.agent.send(Kind::output, std::vector<std::uint8_t>(1000));
  CHECK(ends.agent.unacknowledged() > 1000);
  REQUIRE(ends.lab.receive());
  CHECK(ends.lab.to_acknowledge() > 1000);
  CHECK(ends.agent.unacknowledged() > 1000);
  ends.lab.send(Kind::credit, {});
  CHECK(ends.lab.to_acknowledge() == 0);
  REQUIRE(ends.agent.receive());
  CHECK(ends.agent.unacknowledged() == 0);
}

TEST_CASE("a lost packet is an error", "[guest_channel]") {
  auto [lab, agent] = make_sockets();
  GuestChannel sender(std::move(lab));
  const int raw = agent.get();
  GuestChannel receiver(std::move(agent));
  sender.send(Kind::frame, uml::as_bytes("lost"));
  std::array<char, 100> packet{};
  REQUIRE(::recv(raw, packet.data(), packet.size(), 0) > 0);
  sender.send(Kind::frame, uml::as_bytes("next"));
  CHECK_THROWS_WITH(receiver.receive(), "a message between lab and guest is lost");
}

TEST_CASE("foreign packets on the device are ignored", "[guest_channel]") {
  auto [lab, agent] = make_sockets();
  const int raw = lab.get();
  const GuestChannel keeps_open(std::move(lab));
  GuestChannel receiver(std::move(agent));
  const std::array<char, 60> foreign{};
  REQUIRE(::send(raw, foreign.data(), foreign.size(), 0) == 60);
  REQUIRE(::send(raw, foreign.data(), 5, 0) == 5);
  CHECK_FALSE(receiver.receive());
  CHECK_FALSE(receiver.is_closed());
}

TEST_CASE("a closed channel says so", "[guest_channel]") {
  Ends ends = make_ends();
  { const GuestChannel closing = std::move(ends.agent); }
  CHECK_FALSE(ends.lab.receive());
  CHECK(ends.lab.is_closed());
}
