// Checks the answers to ARP requests and neighbour solicitations.
#include "lab/wire/neighbour_answer.hh"

#include <tins/arp.h>
#include <tins/ethernetII.h>
#include <tins/icmpv6.h>
#include <tins/ipv6.h>

#include "capture/decode/decode.hh"
#include "tests/catch.hh"

using namespace tcplab;
using namespace tcplab::lab;

namespace {

const Tins::HWAddress<6> kAsker("02:00:00:00:00:02");
constexpr netns::MacAddress kOwnMac{{2, 0, 0, 0, 0, 1}};

netns::NicConfig own_nic() {
  return {.mac = kOwnMac,
          .addresses = {{base::IpAddress::parse("10.0.0.1").value(), 24},
                        {base::IpAddress::parse("fd00::1").value(), 64}}};
}

std::vector<std::uint8_t> solicitation(const char* target, const char* from) {
  Tins::ICMPv6 icmp(Tins::ICMPv6::NEIGHBOUR_SOLICIT);
  icmp.target_addr(Tins::IPv6Address(target));
  Tins::EthernetII frame(Tins::HWAddress<6>("33:33:ff:00:00:01"), kAsker);
  frame /= Tins::IPv6("ff02::1:ff00:1", from) / icmp;
  return frame.serialize();
}

}  // namespace

TEST_CASE("a peer answers an ARP request for its address, and no other") {
  const auto asked = [](const char* target) {
    const auto request = Tins::ARP::make_arp_request(target, "10.0.0.2", kAsker).serialize();
    return neighbour_answer(capture::decode(request), own_nic());
  };
  CHECK_FALSE(asked("10.0.0.3"));
  const auto answer = asked("10.0.0.1");
  REQUIRE(answer);
  const capture::DecodedFrame decoded = capture::decode(*answer);
  CHECK(decoded.arp->operation == 2);
  CHECK(decoded.arp->sender_mac == kOwnMac.bytes);
  CHECK(decoded.arp->sender.to_string() == "10.0.0.1");
  CHECK(decoded.arp->target.to_string() == "10.0.0.2");
  CHECK(decoded.ethernet->destination[5] == 2);
  CHECK_FALSE(neighbour_answer(decoded, own_nic()));  // a reply is no question
}

TEST_CASE("a peer advertises itself to a neighbour that solicits it, and no other") {
  const auto asked = [](const char* target, const char* from) {
    const auto frame = solicitation(target, from);
    return neighbour_answer(capture::decode(frame), own_nic());
  };
  CHECK_FALSE(asked("fd00::3", "fd00::2"));
  CHECK_FALSE(asked("fd00::1", "::"));  // duplicate address detection
  const auto answer = asked("fd00::1", "fd00::2");
  REQUIRE(answer);
  const capture::DecodedFrame decoded = capture::decode(*answer);
  CHECK(decoded.icmp->type == 136);
  CHECK(decoded.icmp->target->to_string() == "fd00::1");
  CHECK(decoded.ip->destination.to_string() == "fd00::2");
  CHECK(decoded.ip->hop_limit == 255);
  CHECK(decoded.malformed.empty());
}

TEST_CASE("a question names the neighbour whose link address is asked for") {
  const auto asked = [](const std::vector<std::uint8_t>& frame) {
    const auto neighbour = asked_neighbour(capture::decode(frame));
    return neighbour ? neighbour->to_string() : "nobody";
  };
  const auto request = [](const char* target, const char* sender) {
    return Tins::ARP::make_arp_request(target, sender, kAsker).serialize();
  };
  CHECK(asked(request("10.0.0.1", "10.0.0.2")) == "10.0.0.1");
  CHECK(asked(request("10.0.0.2", "10.0.0.2")) == "nobody");  // announces itself
  CHECK(asked(request("10.0.0.2", "0.0.0.0")) == "nobody");   // looks for a duplicate
  CHECK(asked(solicitation("fd00::1", "fd00::2")) == "fd00::1");
  CHECK(asked(solicitation("fd00::1", "::")) == "nobody");
  CHECK(asked(Tins::ARP::make_arp_reply("10.0.0.2", "10.0.0.1", kAsker, kAsker).serialize()) ==
        "nobody");
}
