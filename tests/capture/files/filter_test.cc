#include "capture/files/filter.hh"

#include <dlfcn.h>
#include <netdb.h>

#include <pcap/pcap.h>
// After pcap.h, which defines the macros that it uses.
#include <pcap/namedb.h>
#include <string_view>

#include "base/error.hh"
#include "tests/capture/frames.hh"
#include "tests/catch.hh"

using namespace tcplab::capture;
using namespace tcplab::tests;
using tcplab::base::Family;
using tcplab::base::IpAddress;
using tcplab::base::UsageError;

namespace {

int lookups = 0;

}  // namespace

// libpcap calls these to resolve names. They stand in for the C library's: the linker finds the
// program's functions first.
extern "C" int getaddrinfo(const char* name, const char* service, const addrinfo* hints,
                           addrinfo** result) {
  if (name != nullptr && std::string_view(name).starts_with("homer")) {
    ++lookups;
    return EAI_NONAME;
  }
  static const auto real =
      reinterpret_cast<decltype(&getaddrinfo)>(::dlsym(RTLD_NEXT, "getaddrinfo"));
  return real(name, service, hints, result);
}

extern "C" int getnetbyname_r(const char*, netent*, char*, std::size_t, netent** result, int*) {
  ++lookups;
  *result = nullptr;
  return 0;
}

namespace {

const HostNames kNames = {{"kang", {*IpAddress::parse("10.0.0.1"), *IpAddress::parse("fd00::1")}},
                          {"kodos", {*IpAddress::parse("10.0.0.2")}},
                          {"tcp-lab", {*IpAddress::parse("10.0.0.9")}}};

bool matches(const std::string& expression, const FrameBytes& frame) {
  return PacketFilter(expression, kNames).matches(frame);
}

std::string why_refused(const std::string& expression) {
  try {
    const PacketFilter filter(expression, kNames);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "it was taken";
}

}  // namespace

TEST_CASE("frames are selected as pcap-filter(7) describes") {
  const auto syn = tcp_frame(Family::ipv4, {.flags = 0x02});
  const auto reset = tcp_frame(Family::ipv4, {.flags = 0x14});
  CHECK(matches("tcp[tcpflags] & tcp-rst != 0", reset));
  CHECK_FALSE(matches("tcp[tcpflags] & tcp-rst != 0", syn));
  CHECK(matches("dst port 8080 and src host 10.0.0.1", syn));
  CHECK_FALSE(matches("dst port 8081", syn));
  CHECK(matches("", syn));
  CHECK(matches("", arp_request()));
  CHECK(matches("ip6 and tcp port 8080", tcp_frame(Family::ipv6, {})));
  CHECK_FALSE(matches("tcp", FrameBytes{}));
  CHECK(matches("ether host 02:00:00:00:00:01", syn));
  CHECK(matches("port http-alt", syn));  // services(5), not a host
}

TEST_CASE("filters on TCP header bytes work for IPv6, too") {
  const auto family = GENERATE(Family::ipv4, Family::ipv6);
  const auto reset = tcp_frame(family, {.flags = 0x14});
  const auto data = tcp_frame(family, {.flags = 0x18, .payload = bytes_of("68656c6c6f")});
  CHECK(matches("tcp[tcpflags] & tcp-rst != 0", reset));
  CHECK_FALSE(matches("tcp[tcpflags] & tcp-rst != 0", data));
  CHECK(matches("tcp[tcpflags] & (tcp-syn|tcp-fin|tcp-rst) == 0 and tcp[0:2] = 40000", data));
  CHECK_FALSE(matches("tcp[tcpflags] & tcp-rst != 0", sample_frames()[17]));  // ICMPv6
}

TEST_CASE("host names mean the addresses of the lab's hosts") {
  const auto ipv4 = tcp_frame(Family::ipv4, {});
  const auto ipv6 = tcp_frame(Family::ipv6, {});
  CHECK(matches("host kang", ipv4));
  CHECK(matches("src kang and dst port 8080", ipv6));
  CHECK(matches("src host kang and dst kodos", ipv4));
  CHECK_FALSE(matches("dst kang", ipv4));
  CHECK(matches("not dst host kang", ipv6));
  CHECK(matches("tcp and (src kang or src kodos)", ipv6));
  CHECK(matches("host 10.0.0.7 or kang", ipv4));  // "kang" inherits the qualifier "host"
  CHECK(replace_host_names("src host kang", kNames) == "src host (10.0.0.1 or fd00::1)");
  CHECK(replace_host_names("host tcp-lab", kNames) == "host 10.0.0.9");
  CHECK(replace_host_names("tcp[tcpflags] & tcp-rst != 0 and len > 0x10", kNames) ==
        "tcp[tcpflags] & tcp-rst != 0 and len > 0x10");
}

TEST_CASE("an invalid filter is rejected with pcap's message") {
  CHECK(why_refused("tcp[") ==
        "the filter \"tcp[\" is not valid: can't parse filter expression: syntax error");
  CHECK_THAT(why_refused("port 99999"), Catch::Matchers::Contains("99999"));
  CHECK_THAT(why_refused("kang"), Catch::Matchers::Contains("syntax error"));
  CHECK(why_refused("host (kang or kodos)") ==
        "the filter \"host (kang or kodos)\" is not valid: \"kang\" has several addresses: "
        "write \"host kang\" without parentheses");
}

TEST_CASE("a filter may combine one IP version's header with TCP header bytes") {
  const auto ipv4 = tcp_frame(Family::ipv4, {.flags = 0x10});
  const auto ipv6 = tcp_frame(Family::ipv6, {.flags = 0x10});
  CHECK(matches("tcp[tcpflags] & tcp-ack != 0 and ip[8] > 0", ipv4));
  CHECK_FALSE(matches("tcp[tcpflags] & tcp-ack != 0 and ip[8] > 0", ipv6));
  CHECK(matches("tcp[tcpflags] & tcp-ack != 0 and ip6[7] > 0", ipv6));
  CHECK_FALSE(matches("tcp[tcpflags] & tcp-ack != 0 and ip6[7] > 0", ipv4));
  for (const char* expression : {"tcp[13] = 2 and ip and ip6", "ip and ip6"})
    CHECK_THAT(why_refused(expression), Catch::Matchers::Contains("rejects all packets"));
}

TEST_CASE("a name that libpcap looks up is counted") {
  lookups = 0;
  CHECK(pcap_nametoaddrinfo("homer") == nullptr);
  CHECK(pcap_nametonetaddr("homer") == 0);
  CHECK(lookups == 2);
}

TEST_CASE("an unknown name is rejected without a look-up") {
  const auto expression = GENERATE("host homer", "src homer", "tcp and dst host homer", "net homer",
                                   "host 10.0.0.1 or homer", "src or dst homer.example",
                                   "host (10.0.0.1 or homer)", "ether host homer");
  lookups = 0;
  CHECK_THAT(why_refused(expression), Catch::Matchers::Contains("is not the name of a host here"));
  CHECK(lookups == 0);
}

TEST_CASE("a filter that is too long is rejected before pcap sees it") {
  std::string ports = "port 1000";
  while (ports.size() < 300'000) ports += " or port " + std::to_string(ports.size());
  const std::string why = why_refused(ports);
  CHECK_THAT(why, Catch::Matchers::StartsWith("the filter \"port 1000 or port "));
  CHECK_THAT(why, Catch::Matchers::Contains("bytes, and at most 1000 are allowed"));
  CHECK(why.size() < 250);
}

TEST_CASE("a filter that is too long with the addresses of its hosts is rejected") {
  std::string hosts = "host kang";
  while (hosts.size() < 900) hosts += " or host kang";
  CHECK(why_refused(hosts) == "it was taken");
  std::vector<IpAddress> many(1000, *IpAddress::parse("fd00::1"));
  try {
    const PacketFilter filter("src kang or dst kang", {{"kang", many}});
    FAIL("it was taken");
  } catch (const UsageError& error) {
    CHECK_THAT(error.what(), Catch::Matchers::Contains("at most 8000 are allowed"));
  }
}
