// Measures hosts and the wire, and compares each figure with a peer: power on and power cycle with
// an ip(8) script, the latency of a frame with a plain veth pair, and bulk transfer with a naive
// loop over two TAPs. Needs the same privileges as tcplab, and does not touch the machine's
// network.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <optional>

#include "base/clock.hh"
#include "base/error.hh"
#include "bench/rounds.hh"
#include "netns/clone.hh"
#include "netns/host.hh"
#include "netns/netlink.hh"
#include "netns/run_space.hh"
#include "netns/wire.hh"

using namespace tcplab;
using base::FileDescriptor;
using base::nanoseconds;

namespace {

const int kRounds = bench::rounds(40);
const int kPings = bench::rounds(20000);
const auto kBulkTime = std::chrono::milliseconds(bench::rounds(2000));
const int kBulkRounds = bench::rounds(3);
constexpr std::uint16_t kPort = 8080;

using Samples = std::vector<nanoseconds>;

double median_microseconds(Samples samples) {
  if (samples.empty()) return 0;
  const auto middle = samples.begin() + static_cast<long>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return std::chrono::duration<double, std::micro>(*middle).count();
}

nanoseconds time_of(const std::function<void()>& task) {
  const auto start = base::now();
  task();
  return base::now() - start;
}

/// Delivers all frames, and records how long the wire held each of them.
struct Unobserved : netns::WireObserver {
  netns::FrameDecision frame_sent(netns::Frame&) override { return netns::FrameDecision::deliver; }
  void frame_delivered(const netns::Frame& frame, netns::PortId, base::Instant at) override {
    if (times.size() < times.capacity()) times.push_back(at - frame.sent);
  }
  void frame_undelivered(const netns::Frame&, netns::Undelivered) override {}
  Samples times;
};

netns::HostConfig host_config(const std::string& name, std::uint8_t number, bool with_nic = true) {
  netns::HostConfig config;
  config.name = name;
  if (with_nic)
    config.nics.push_back({.mac = netns::MacAddress::local(number),
                           .addresses = {{base::IpAddress::from_bytes(
                                              base::Family::ipv4,
                                              std::array<std::uint8_t, 4>{10, 0, 0, number}.data()),
                                          24}}});
  return config;
}

std::vector<std::unique_ptr<netns::Host>> power_on(std::vector<netns::HostConfig>& configs,
                                                   bool with_offloads) {
  for (netns::HostConfig& config : configs)
    for (netns::NicConfig& nic : config.nics) nic.has_offloads = with_offloads;
  return netns::Host::power_on(configs);
}

struct Lab {
  explicit Lab(bool with_nics = true, bool with_offloads = false)
      : configs{host_config("kang", 1, with_nics), host_config("kodos", 2, with_nics)},
        hosts(power_on(configs, with_offloads)) {
    if (with_nics) attach();
  }
  void attach() {
    for (std::size_t i = 0; i < 2; ++i)
      ports[i] = wire.attach(hosts[i]->port("eth0"), configs[i].nics[0].mac);
  }

  boost::asio::io_context loop;
  Unobserved observer;
  netns::Wire wire{loop, observer};
  std::vector<netns::HostConfig> configs;
  std::vector<std::unique_ptr<netns::Host>> hosts;
  std::array<netns::PortId, 2> ports{};
};

// Power

Samples power_on_times() {
  Samples samples;
  for (int i = 0; i < kRounds; ++i) {
    std::optional<Lab> lab;
    samples.push_back(time_of([&] { lab.emplace(); }));
  }
  return samples;
}

Samples power_cycle_times() {
  Samples samples;
  Lab lab;
  for (int i = 0; i < kRounds; ++i)
    samples.push_back(time_of([&] {
      lab.wire.detach(lab.ports[1]);
      lab.hosts[1]->power_off();
      lab.hosts[1] = std::move(netns::Host::power_on(std::span(&lab.configs[1], 1)).front());
      lab.ports[1] = lab.wire.attach(lab.hosts[1]->port("eth0"), lab.configs[1].nics[0].mac);
    }));
  return samples;
}

void run_script(const std::string& script) {
  if (std::system(script.c_str()) != 0) throw base::LabError("cannot run: " + script);
}

constexpr const char* kIpScript =
    "set -e; ip netns add kang; ip netns add kodos;"
    "ip link add eth0 netns kang type veth peer name eth0 netns kodos;"
    "ip -n kang addr add 10.0.0.1/24 dev eth0; ip -n kodos addr add 10.0.0.2/24 dev eth0;"
    "ip -n kang link set eth0 up; ip -n kodos link set eth0 up;"
    "ip -n kang link set lo up; ip -n kodos link set lo up";

Samples ip_script_times() {
  // ip(8) pins namespaces under /run/netns. Keep them off the machine's /run.
  base::check("mount over /run", mount("tmpfs", "/run", "tmpfs", 0, nullptr));
  Samples samples;
  for (int i = 0; i < kRounds; ++i) {
    samples.push_back(time_of([] { run_script(kIpScript); }));
    run_script("ip netns del kang; ip netns del kodos");
  }
  base::check("unmount /run", umount2("/run", MNT_DETACH));
  return samples;
}

// Programs: our own processes, with a socket that was created on a host.

sockaddr_in kodos_address() {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(kPort);
  address.sin_addr.s_addr = htonl(0x0a000002);
  return address;
}

FileDescriptor tcp_socket(netns::Host& host) {
  const netns::NamespaceGuard inside(host.network_namespace());
  return FileDescriptor(base::check("make a socket", socket(AF_INET, SOCK_STREAM, 0)));
}

/// A listening socket on kodos, and a socket on kang to connect to it.
struct Ends {
  explicit Ends(Lab& lab) : server(tcp_socket(*lab.hosts[1])), client(tcp_socket(*lab.hosts[0])) {
    const sockaddr_in address = kodos_address();
    base::check("bind",
                bind(server.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address));
    base::check("listen", listen(server.get(), 1));
  }
  FileDescriptor server, client;
};

int accept_one(int server) { return base::check("accept", accept(server, nullptr, nullptr)); }

void connect_to_kodos(int client) {
  const sockaddr_in address = kodos_address();
  base::check("connect",
              connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address));
  const int on = 1;
  setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

netns::Child run_process(const std::function<void()>& body) {
  netns::Child child = netns::clone_process(0);
  if (child.pid != 0) return child;
  try {
    body();
    _exit(0);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
  }
  _exit(1);
}

/// Runs the wire until the child has ended.
void run_wire(Lab& lab, const netns::Child& child) {
  boost::asio::posix::stream_descriptor end(lab.loop, dup(child.pidfd.get()));
  bool ended = false;
  end.async_wait(end.wait_read, [&](const boost::system::error_code&) { ended = true; });
  while (!ended) lab.loop.run_one();
}

/// The simplest possible wire: poll, read one frame, write one frame.
void run_naively(Lab& lab, const netns::Child& child) {
  std::array<netns::Port*, 2> ports{&lab.hosts[0]->port("eth0"), &lab.hosts[1]->port("eth0")};
  std::array<pollfd, 3> polled{pollfd{ports[0]->descriptor(), POLLIN, 0},
                               pollfd{ports[1]->descriptor(), POLLIN, 0},
                               pollfd{child.pidfd.get(), POLLIN, 0}};
  std::vector<std::uint8_t> buffer(65536);
  while (polled[2].revents == 0) {
    poll(polled.data(), polled.size(), -1);
    for (std::size_t i = 0; i < 2; ++i) {
      if (polled[i].revents == 0) continue;
      if (const auto received = ports[i]->read(buffer))
        ports[1 - i]->write(std::span(buffer.data(), received->size), received->offload);
    }
  }
}

using Carrier = std::function<void(Lab&, const netns::Child&)>;
void run_nothing(Lab&, const netns::Child& child) { netns::wait_for(child); }

// Latency

void echo(int server) {
  const int connection = accept_one(server);
  char byte = 0;
  while (read(connection, &byte, 1) == 1 && write(connection, &byte, 1) == 1) {
  }
}

void ping(int client, int report) {
  connect_to_kodos(client);
  char byte = 'x';
  for (int i = 0; i < kPings; ++i) {
    const nanoseconds took = time_of([&] {
      if (write(client, &byte, 1) != 1 || read(client, &byte, 1) != 1) _exit(1);
    });
    if (write(report, &took, sizeof took) != sizeof took) _exit(1);
  }
}

Samples round_trips(Lab& lab, const Carrier& carry) {
  Ends ends(lab);
  const netns::Child server = run_process([&] { echo(ends.server.get()); });
  const FileDescriptor file(base::check("make a memory file", memfd_create("samples", 0)));
  const netns::Child client = run_process([&] { ping(ends.client.get(), file.get()); });
  ends.client.reset();
  carry(lab, client);
  kill(server.pid, SIGKILL);
  netns::wait_for(server);
  Samples samples(kPings);
  if (pread(file.get(), samples.data(), kPings * sizeof(nanoseconds), 0) !=
      static_cast<ssize_t>(kPings * sizeof(nanoseconds)))
    throw base::LabError("ping did not finish");
  return samples;
}

/// Connects the same two hosts by a plain veth pair instead of the wire.
void join_by_veth(Lab& lab) {
  auto sleeper = lab.hosts[1]->spawn({.command = {"sleep", "infinity"}});
  const netns::NamespaceGuard inside(lab.hosts[0]->network_namespace());
  netns::RouteSocket().add_veth({.name = "eth0", .peer_name = "eth0", .peer_process = sleeper.pid});
  const auto join = [](std::uint8_t number) {
    netns::RouteSocket route;
    route.add_address("eth0", host_config("", number).nics[0].addresses[0]);
    route.change_link("eth0", {.up = true});
  };
  join(1);
  const netns::NamespaceGuard other(lab.hosts[1]->network_namespace());
  join(2);
}

// Bulk

void receive_all(int server, int report) {
  const int connection = accept_one(server);
  std::vector<char> buffer(256 << 10);
  std::uint64_t total = 0;
  const auto start = base::now();
  for (ssize_t size; (size = read(connection, buffer.data(), buffer.size())) > 0;)
    total += static_cast<std::uint64_t>(size);
  const double seconds = std::chrono::duration<double>(base::now() - start).count();
  const double gigabits = static_cast<double>(total) * 8e-9 / seconds;
  if (write(report, &gigabits, sizeof gigabits) != sizeof gigabits) _exit(1);
}

void send_for_a_while(int client) {
  connect_to_kodos(client);
  const std::vector<char> buffer(256 << 10);
  const auto deadline = base::now() + kBulkTime;
  while (base::now() < deadline)
    if (write(client, buffer.data(), buffer.size()) < 0) _exit(1);
}

double bulk_gigabits(Lab& lab, const Carrier& carry) {
  Ends ends(lab);
  base::Pipe report = base::make_pipe();
  const netns::Child server = run_process([&] {
    ends.client.reset();  // otherwise a second descriptor would keep the connection open
    receive_all(ends.server.get(), report.write_end.get());
  });
  const netns::Child client = run_process([&] { send_for_a_while(ends.client.get()); });
  ends.client.reset();
  ends.server.reset();
  carry(lab, server);
  netns::wait_for(client);
  double gigabits = 0;
  if (read(report.read_end.get(), &gigabits, sizeof gigabits) != sizeof gigabits) return 0;
  return gigabits;
}

void print_line(const std::string& what, double ours, const std::string& unit,
                const std::string& peer, double theirs) {
  fmt::print("{:<44} {:>9.1f} {:<6} {:<28} {:>9.1f} {}\n", what, ours, unit, peer, theirs, unit);
  std::fflush(stdout);
}

void bench_power() {
  const double script = median_microseconds(ip_script_times()) / 1000;
  print_line("two hosts powered on and wired", median_microseconds(power_on_times()) / 1000, "ms",
             "ip(8) script", script);
  print_line("power cycle of one host", median_microseconds(power_cycle_times()) / 1000, "ms",
             "ip(8) script, both", script);
}

void bench_latency() {
  Lab wired, plain(false);
  join_by_veth(plain);
  wired.observer.times.reserve(2 * kPings);
  const double ours = median_microseconds(round_trips(wired, run_wire));
  const double veth = median_microseconds(round_trips(plain, run_nothing));
  print_line("TCP round trip of one byte", ours, "us", "plain veth", veth);
  print_line("what the wire adds to a frame", (ours - veth) / 2, "us", "target", 30);
  print_line("from read to delivered", median_microseconds(wired.observer.times), "us", "-", 0);
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void bench_bulk() {
  std::vector<double> ours, offloaded, naively, by_veth;
  for (int round = 0; round < kBulkRounds; ++round) {
    Lab lab, detached, plain(false);
    for (const auto port : detached.ports) detached.wire.detach(port);
    join_by_veth(plain);
    ours.push_back(bulk_gigabits(lab, run_wire));
    if (netns::preferred_port_kind() == netns::PortKind::tap) {
      Lab large(true, true);
      offloaded.push_back(bulk_gigabits(large, run_wire));
    }
    naively.push_back(bulk_gigabits(detached, run_naively));
    by_veth.push_back(bulk_gigabits(plain, run_nothing));
  }
  print_line("bulk TCP", median(ours), "Gbit/s", "naive loop over two TAPs", median(naively));
  print_line("", median(ours), "Gbit/s", "plain veth, 64 kB segments", median(by_veth));
  if (offloaded.empty()) return;
  print_line("bulk TCP, NICs with offload", median(offloaded), "Gbit/s", "without offload",
             median(ours));
  print_line("", median(offloaded), "Gbit/s", "plain veth, 64 kB segments", median(by_veth));
}

int measure_all() {
  signal(SIGPIPE, SIG_IGN);
  bench_power();
  bench_latency();
  bench_bulk();
  return 0;
}

}  // namespace

int main() {
  try {
    auto space = netns::start_run_space({}, measure_all);
    return netns::wait_for({space.pid, std::move(space.pidfd)});
  } catch (const base::LabError& error) {
    fmt::print(stderr, "wire_bench: {}\n", error.what());
    return 3;
  }
}
