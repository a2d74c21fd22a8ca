// Measures the cost of observing: of one frame, one event, or one query to the kernel. The queries
// need a private network namespace: run as root, or with unshare -Urn.
#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hh"
#include "base/file_descriptor.hh"
#include "capture/decode/flow_key.hh"
#include "capture/event/describe.hh"
#include "capture/event/event_json.hh"
#include "capture/event/event_log.hh"
#include "capture/files/filter.hh"
#include "capture/files/pcapng.hh"
#include "capture/kernel/sockets.hh"

namespace {

using namespace tcplab::capture;
using tcplab::base::check;
using tcplab::base::Endpoint;
using tcplab::base::FileDescriptor;
using tcplab::base::from_nanoseconds;

/// Returns an Ethernet frame of `size` bytes: IPv4, and a TCP data segment with time stamps.
std::vector<std::uint8_t> data_frame(std::size_t size) {
  constexpr std::uint8_t kHeaders[] = {
      2,    0,    0,    0,    0, 2,  2,    0,    0, 0,  0,    1,    0x08, 0x00, 0x45, 0,    0,
      0,    0,    7,    0x40, 0, 64, 6,    0,    0, 10, 0,    0,    1,    10,   0,    0,    2,
      0x9c, 0x40, 0x1f, 0x90, 0, 0,  0x03, 0xe9, 0, 0,  0x13, 0x89, 0x80, 0x18, 0x01, 0xf6, 0,
      0,    0,    0,    1,    1, 8,  10,   0,    0, 0,  1,    0,    0,    0,    2};
  std::vector<std::uint8_t> frame(std::max(size, sizeof kHeaders), 'x');
  std::copy(std::begin(kHeaders), std::end(kHeaders), frame.begin());
  const auto total = static_cast<std::uint16_t>(frame.size() - 14);
  frame[16] = static_cast<std::uint8_t>(total >> 8);
  frame[17] = static_cast<std::uint8_t>(total);
  return frame;
}

Event packet_event() {
  const auto bytes = data_frame(122);
  Packet packet = describe(decode(bytes));
  packet.frame = 12345;
  packet.from = "kang";
  packet.to = "kodos";
  packet.sent = from_nanoseconds(1'234'567'890'123);
  packet.delivered = from_nanoseconds(1'234'567'899'123);
  return {4711, from_nanoseconds(1'234'567'899'123), packet};
}

Event call_event() {
  return {4712, from_nanoseconds(1'234'567'899'123),
          Call{.host = "kang",
               .program = "dnc",
               .pid = 4711,
               .id = 17,
               .phase = CallPhase::leave,
               .call = "write",
               .fd = 3,
               .arguments = "22 bytes",
               .entered = from_nanoseconds(1'234'567'890'123),
               .result = 22,
               .data = "kodos, are you there?\\n"}};
}

void connection_key(benchmark::State& state) {
  const auto bytes = data_frame(1514);
  for (auto _ : state) benchmark::DoNotOptimize(flow_of(Bytes(bytes)));
}
BENCHMARK(connection_key);

void decode_frame(benchmark::State& state) {
  const auto bytes = data_frame(1514);
  for (auto _ : state) benchmark::DoNotOptimize(decode(bytes));
}
BENCHMARK(decode_frame);

void describe_frame(benchmark::State& state) {
  const auto bytes = data_frame(1514);
  const DecodedFrame frame = decode(bytes);
  for (auto _ : state) benchmark::DoNotOptimize(describe(frame));
}
BENCHMARK(describe_frame);

void filter_frame(benchmark::State& state) {
  const PacketFilter filter("tcp[tcpflags] & tcp-rst != 0");
  const auto bytes = data_frame(1514);
  for (auto _ : state) benchmark::DoNotOptimize(filter.matches(bytes));
}
BENCHMARK(filter_frame);

void write_json(benchmark::State& state, const Event& event) {
  std::string line;
  for (auto _ : state) {
    line.clear();
    append_json(line, event);
    benchmark::DoNotOptimize(line.data());
  }
}
BENCHMARK_CAPTURE(write_json, packet, packet_event());
BENCHMARK_CAPTURE(write_json, call, call_event());

void parse_json(benchmark::State& state, const Event& event) {
  const std::string line = to_json_line(event);
  for (auto _ : state) benchmark::DoNotOptimize(parse_event(line));
}
BENCHMARK_CAPTURE(parse_json, packet, packet_event());
BENCHMARK_CAPTURE(parse_json, call, call_event());

/// Writes to /dev/null, so that only our own time and the system call count.
void log_event(benchmark::State& state) {
  EventLog log("/dev/null");
  const Event event = packet_event();
  for (auto _ : state) {
    log.append(event);
    log.flush();
  }
}
BENCHMARK(log_event);

void write_pcapng(benchmark::State& state) {
  const std::string file = "/dev/null";
  PcapngWriter writer(FileDescriptor(check("open " + file, ::open(file.c_str(), O_WRONLY))), file);
  const auto interface = writer.add_interface({.name = "kang.eth0"});
  const auto bytes = data_frame(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) writer.write({.interface = interface, .at = 1, .bytes = bytes});
}
BENCHMARK(write_pcapng)->Arg(66)->Arg(1514);

/// A listener and one connection on the loopback device of a fresh network namespace.
class Loopback {
public:
  Loopback() {
    check("make a network namespace", ::unshare(CLONE_NEWNET));
    const FileDescriptor control(check("make a socket", ::socket(AF_INET, SOCK_DGRAM, 0)));
    ifreq request{};
    std::strcpy(request.ifr_name, "lo");
    request.ifr_flags = IFF_UP;
    check("bring lo up", ::ioctl(control.get(), SIOCSIFFLAGS, &request));
    listener_ = tcp();
    client_ = tcp();
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(8080);
    auto* any = reinterpret_cast<sockaddr*>(&address);
    check("bind", ::bind(listener_.get(), any, sizeof address));
    check("listen", ::listen(listener_.get(), 1));
    check("connect", ::connect(client_.get(), any, sizeof address));
    socklen_t size = sizeof address;
    check("getsockname", ::getsockname(client_.get(), any, &size));
    local.port = ntohs(address.sin_port);
  }

  Endpoint local = *Endpoint::parse("127.0.0.1:0");
  Endpoint remote = *Endpoint::parse("127.0.0.1:8080");

private:
  static FileDescriptor tcp() {
    return FileDescriptor(check("make a socket", ::socket(AF_INET, SOCK_STREAM, 0)));
  }
  // Created by the constructor, after it has entered the new namespace.
  FileDescriptor listener_;
  FileDescriptor client_;
};

void find_socket(benchmark::State& state) {
  const Loopback loopback;
  SocketTable table;
  for (auto _ : state) {
    if (!table.find(loopback.local, loopback.remote)) state.SkipWithError("not found");
  }
}
BENCHMARK(find_socket);

void find_no_socket(benchmark::State& state) {
  const Loopback loopback;
  SocketTable table;
  const Endpoint elsewhere = *Endpoint::parse("127.0.0.1:1");
  for (auto _ : state) benchmark::DoNotOptimize(table.find(elsewhere, loopback.remote));
}
BENCHMARK(find_no_socket);

/// Dumps the kernel's default hash table, which all namespaces share.
void dump_sockets(benchmark::State& state) {
  const Loopback loopback;
  SocketTable table;
  for (auto _ : state) benchmark::DoNotOptimize(table.dump(kConnectionStates));
}
BENCHMARK(dump_sockets);

}  // namespace

BENCHMARK_MAIN();
