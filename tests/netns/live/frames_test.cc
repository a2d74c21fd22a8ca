// Checks that frames on the wire are as a NIC sends them: no larger than the MTU, with valid
// checksums.
#include <linux/if_packet.h>
#include <net/if.h>
#include <sys/ioctl.h>

#include <fmt/format.h>
#include <fstream>
#include <sstream>

#include "netns/namespace_guard.hh"
#include "netns/netlink.hh"
#include "netns/veth_port.hh"
#include "tests/catch.hh"
#include "tests/netns/live/lab.hh"
#include "tests/skip.hh"

using namespace tcplab;
using namespace tcplab::tests;

namespace {

constexpr std::size_t kEthernetHeader = 14;

/// Returns how many segments kodos has sent to the source port of this IPv4 segment.
long answers(const Pair& pair, const std::vector<std::uint8_t>& segment) {
  return std::ranges::count_if(pair.record.frames, [&](const SeenFrame& seen) {
    return seen.is_tcp() && seen.from == pair.kodos_port && seen.bytes[36] == segment[34] &&
           seen.bytes[37] == segment[35];
  });
}

/// Returns the Internet checksum's sum of 16-bit words (RFC 1071), not yet folded.
std::uint32_t sum_words(const std::vector<std::uint8_t>& bytes, std::size_t from, std::size_t to) {
  std::uint32_t sum = 0;
  for (std::size_t i = from; i < to; ++i) sum += bytes[i] << (i % 2 == from % 2 ? 8 : 0);
  return sum;
}

std::uint32_t fold(std::uint32_t sum) {
  while (sum > 0xffff) sum = (sum >> 16) + (sum & 0xffff);
  return sum;
}

/// Returns the checksum of a TCP segment and its pseudo-header (RFC 9293 section 3.1): all ones if
/// the segment is intact.
std::uint32_t checksum_of(const std::vector<std::uint8_t>& bytes) {
  const bool ipv4 = bytes[12] == 0x08;
  const std::size_t tcp = ipv4 ? 34 : 54;
  const std::size_t addresses = ipv4 ? 26 : 22;
  const std::size_t end = kEthernetHeader + (ipv4 ? std::size_t{bytes[16]} << 8 | bytes[17]
                                                  : 40 + (std::size_t{bytes[18]} << 8 | bytes[19]));
  const auto length = static_cast<std::uint32_t>(end - tcp);
  return fold(sum_words(bytes, addresses, tcp) + 6 + length + sum_words(bytes, tcp, end));
}

/// Sets the checksum of an IPv4 segment.
void set_checksum(std::vector<std::uint8_t>& bytes) {
  bytes[50] = bytes[51] = 0;
  const std::uint32_t sum = ~checksum_of(bytes);
  bytes[50] = static_cast<std::uint8_t>(sum >> 8);
  bytes[51] = static_cast<std::uint8_t>(sum);
}

void expect_honest_frames(const FrameRecord& record, std::size_t mtu) {
  std::size_t segments = 0, longest = 0;
  for (const SeenFrame& seen : record.frames) {
    if (!seen.is_tcp()) continue;
    ++segments;
    longest = std::max(longest, seen.bytes.size());
    expect(checksum_of(seen.bytes) == 0xffff, fmt::format("segment {} has its checksum", segments));
    expect(seen.delivered, fmt::format("segment {} was delivered", segments));
  }
  expect(longest == mtu + kEthernetHeader,
         fmt::format("the longest of {} bytes fills the MTU", longest));
}

void set_mtu(netns::Host& host, unsigned mtu) {
  const netns::NamespaceGuard inside(host.network_namespace());
  netns::RouteSocket().change_link("eth0", {.mtu = mtu});
}

void set_up(netns::Host& host, bool up) {
  const netns::NamespaceGuard inside(host.network_namespace());
  netns::RouteSocket().change_link("eth0", {.up = up});
}

/// Returns how many frames the host's eth0 has received.
long received(netns::Host& host) {
  const netns::NamespaceGuard inside(host.network_namespace());
  std::ifstream counters("/proc/thread-self/net/dev");
  for (std::string line; std::getline(counters, line);) {
    const auto at = line.find("eth0:");
    long bytes = 0, packets = 0;
    if (at != std::string::npos && std::istringstream(line.substr(at + 5)) >> bytes >> packets)
      return packets;
  }
  return -1;
}

/// A socket that sends frames of an experimental type (RFC 5342 B.2) from the host's eth0.
class FrameSender {
public:
  explicit FrameSender(netns::Host& host) {
    const netns::NamespaceGuard inside(host.network_namespace());
    socket_ = base::FileDescriptor(::socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0));
    nic_.sll_family = AF_PACKET;
    nic_.sll_ifindex = static_cast<int>(if_nametoindex("eth0"));
  }

  void send() const {
    std::vector<std::uint8_t> frame(60, 0xff);  // to all
    frame[12] = 0x88;
    frame[13] = 0xb5;
    expect(::sendto(socket_.get(), frame.data(), frame.size(), 0,
                    reinterpret_cast<const sockaddr*>(&nic_), sizeof nic_) == 60,
           "the host sends a frame");
  }

private:
  base::FileDescriptor socket_;
  sockaddr_ll nic_{};
};

/// True if the kernel has noticed that the link of this name works.
bool is_running(const std::string& link) {
  const base::FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq request{};
  link.copy(request.ifr_name, IFNAMSIZ - 1);
  expect(ioctl(socket.get(), SIOCGIFFLAGS, &request) == 0, "the link exists");
  return (request.ifr_flags & IFF_RUNNING) != 0;
}

/// Pours data from kang to kodos, and checks the frames.
void expect_honest_transfer(Pair& pair, const char* address, unsigned mtu) {
  Running server(pair.kodos(), helper("serve", {"8080"}));
  pair.run_until([&] { return !server.output().empty(); }, "kodos listens");
  output_of(pair, pair.kang(), helper("pour", {address, "8080", "300000"}));
  // The send buffer may hold all of it: then the program ends before the wire has a full frame.
  const auto is_full = [mtu](const SeenFrame& seen) {
    return seen.is_tcp() && seen.bytes.size() >= mtu + kEthernetHeader;
  };
  pair.run_until([&] { return std::ranges::any_of(pair.record.frames, is_full); }, "a full frame");
  expect_honest_frames(pair.record, mtu);
}

}  // namespace

TEST_CASE("frames have at most the MTU's size and valid checksums", "[live]") {
  SKIP_IF(no_namespaces());
  const unsigned mtu = GENERATE(1500U, 1280U, 9000U);
  for (const netns::PortKind kind : port_kinds())
    for (const char* address : {"10.0.0.2", "fd00::2"})
      CHECK(run_lab([&] {
              auto configs = pair_config();
              for (auto& config : configs) config.nics[0].mtu = mtu;
              Pair pair(kind, configs);
              expect_honest_transfer(pair, address, mtu);
            }) == "");
}

TEST_CASE("frames of an MTU that was raised later pass", "[live]") {
  SKIP_IF(no_namespaces());
  constexpr unsigned kJumbo = 9000;
  for (const netns::PortKind kind : port_kinds())
    CHECK(run_lab([&] {
            Pair pair(kind);
            set_mtu(pair.kang(), kJumbo);
            set_mtu(pair.kodos(), kJumbo);
            expect_honest_transfer(pair, "10.0.0.2", kJumbo);
          }) == "");
}

TEST_CASE("a veth port refuses a frame that is longer than its NIC's MTU", "[live]") {
  SKIP_IF(no_namespaces());
  CHECK(run_lab([] {
          Pair pair(netns::PortKind::veth);
          netns::Port& port = pair.kodos().port("eth0");
          std::vector<std::uint8_t> jumbo(9014, 0xff);  // a broadcast
          expect(!port.write(jumbo, {}), "the NIC takes 1500 bytes");
          set_mtu(pair.kodos(), 9000);
          expect(port.write(jumbo, {}), "the NIC takes 9000 bytes");
          set_mtu(pair.kodos(), 8999);
          jumbo.resize(9018);
          expect(!port.write(jumbo, {}), "the NIC takes 8999 bytes");
        }) == "");
}

TEST_CASE("frames from veth ports have the times and the order in which they were sent", "[live]") {
  SKIP_IF(no_namespaces());
  CHECK(run_lab([] {
          Pair pair(netns::PortKind::veth);
          const auto& kang = dynamic_cast<netns::VethPort&>(pair.kang().port("eth0"));
          const auto& kodos = dynamic_cast<netns::VethPort&>(pair.kodos().port("eth0"));
          pair.run_until([&] { return is_running(kang.name()) && is_running(kodos.name()); },
                         "both links work");
          pair.record.frames.clear();
          const FrameSender first(pair.kodos()), second(pair.kang());
          std::vector<base::Instant> times;  // frame i was sent between times[i] and times[i + 1]
          for (int i = 0; i < 10; ++i) {
            times.push_back(base::now());
            (i % 2 == 0 ? first : second).send();
          }
          times.push_back(base::now());
          pair.wire.pump();
          std::vector<SeenFrame> seen = pair.record.frames;
          std::erase_if(seen, [](const SeenFrame& frame) { return frame.bytes[12] != 0x88; });
          expect(seen.size() == 10, fmt::format("10 frames, not {}", seen.size()));
          for (std::size_t i = 0; i < seen.size(); ++i) {
            const auto from = i % 2 == 0 ? pair.kodos_port : pair.kang_port;
            expect(seen[i].from == from, fmt::format("frame {} is in order", i));
            expect(seen[i].sent > times[i] && seen[i].sent < times[i + 1],
                   fmt::format("frame {} was sent {} after it was begun", i,
                               base::describe(seen[i].sent - times[i])));
          }
        }) == "");
}

// The kernel notices later that a link works (linkwatch), and until then its queue drops every
// frame without an error (noop_enqueue()).
TEST_CASE("a veth port delivers a frame as soon as its NIC is up", "[live]") {
  SKIP_IF(no_namespaces());
  CHECK(run_lab([] {
          Pair pair(netns::PortKind::veth);
          auto& port = dynamic_cast<netns::VethPort&>(pair.kodos().port("eth0"));
          const std::vector<std::uint8_t> broadcast(64, 0xff);
          for (int i = 0; i < 20; ++i) {
            set_up(pair.kodos(), false);
            pair.run_until([&] { return !is_running(port.name()); }, "the kernel notices");
            const long before = received(pair.kodos());
            set_up(pair.kodos(), true);
            expect(port.write(broadcast, {}), "the NIC is up");
            expect(received(pair.kodos()) > before, fmt::format("frame {} arrived", i));
          }
        }) == "");
}

TEST_CASE("a peer discards a segment with a wrong checksum", "[live]") {
  SKIP_IF(no_namespaces());
  for (const netns::PortKind kind : port_kinds())
    CHECK(run_lab([kind] {
            Pair pair(kind);
            Running server(pair.kodos(), helper("serve", {"8080"}));
            pair.run_until([&] { return !server.output().empty(); }, "kodos listens");
            Running client(pair.kang(), helper("talk", {"10.0.0.2", "8080"}));
            pair.run_until([&] { return !client.output().empty(); }, "kang connects");
            auto syn = std::ranges::find_if(pair.record.frames, &SeenFrame::is_tcp)->bytes;
            syn[34] ^= 0x10;  // changes the source port, and so makes the checksum wrong
            pair.wire.inject(syn);
            pair.wire.pump();
            expect(answers(pair, syn) == 0, "a damaged SYN is not answered");
            set_checksum(syn);
            pair.wire.inject(syn);
            pair.wire.pump();
            expect(answers(pair, syn) == 1, "a sound one is");
          }) == "");
}
