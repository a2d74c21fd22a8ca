#include "netns/host.hh"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

#include "base/error.hh"
#include "netns/host_init.hh"
#include "netns/machine_network.hh"
#include "netns/sysctl.hh"
#include "tests/catch.hh"
#include "tests/netns/live/lab.hh"
#include "tests/skip.hh"

using namespace tcplab;
using namespace tcplab::tests;
using netns::PortKind;

namespace {

void expect_contains(const std::string& text, const std::string& part) {
  expect(contains(text, part), "\"" + text + "\" contains \"" + part + "\"");
}

ino_t inode_of(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? status.st_ino : 0;
}

/// Returns the IPv6 routes of this thread's network namespace.
std::string ipv6_routes() {
  std::ifstream file("/proc/thread-self/net/ipv6_route");
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("a host that is up accepts frames for its IPv6 address", "[live]") {
  SKIP_IF(no_namespaces());
  for (const PortKind kind : port_kinds())
    CHECK(run_lab([kind] {
            for (int again = 0; again < 20; ++again) {
              const auto hosts = netns::Host::power_on(pair_config(), kind);
              const netns::NamespaceGuard inside(hosts[1]->network_namespace());
              expect_contains(ipv6_routes(), "fd000000000000000000000000000002 80");
            }
          }) == "");
}

TEST_CASE("a program sees its own host's network, name and files", "[live]") {
  SKIP_IF(no_namespaces());
  for (const PortKind kind : port_kinds())
    CHECK(run_lab([kind] {
            Pair pair(kind);
            const auto shell = [&](const std::string& script) {
              return output_of(pair, pair.kang(), {"sh", "-c", script});
            };
            expect(shell("hostname; cat /etc/hostname") == "kang\nkang\n", "its name is kang");
            expect_contains(shell("cat /etc/hosts"), "10.0.0.2\tkodos");
            expect_contains(shell("cat /etc/hosts"), "127.0.0.1\tlocalhost");
            expect(shell("ls /sys/class/net") == "eth0\nlo\n", "it has lo and eth0");
            expect(shell("cat /sys/class/net/eth0/address") == "02:00:00:00:00:01\n", "its MAC");
            expect(shell("cat /proc/1/comm") == "tcplab-kang\n", "pid 1 is its init");
            expect(std::stoi(shell("ls -d /proc/[0-9]* | wc -l; :")) <= 5,
                   "it sees its own processes");
          }) == "");
}

TEST_CASE("a host's uptime and boot id begin with its power", "[live]") {
  SKIP_IF(no_namespaces());
  SKIP_IF(std::filesystem::exists("/proc/self/timens_offsets")
              ? Obstacle{}
              : Obstacle{"this kernel has no time namespaces"});
  for (const PortKind kind : port_kinds())
    CHECK(run_lab([kind] {
            const auto ask = [kind](const char* file) {
              Pair pair(kind);
              const auto read = [&] { return output_of(pair, pair.kang(), {"cat", file}); };
              const std::string first = read();
              if (std::string(file).ends_with("boot_id"))
                expect(read() == first, "the boot id stays while the host has power");
              return first;
            };
            expect(std::stod(ask("/proc/uptime")) < 60, "it has started less than a minute ago");
            const std::string id = ask("/proc/sys/kernel/random/boot_id");
            Pair pair(kind);
            const std::string ticks =
                output_of(pair, pair.kang(), {"cut", "-d ", "-f22", "/proc/1/stat"});
            expect(std::stoull(ticks) < 6000, "its init started after that, at tick " + ticks);
            expect(id.size() == 37, "a boot id is a UUID: " + id);
            expect(ask("/proc/sys/kernel/random/boot_id") != id, "the next start has another");
          }) == "");
}

TEST_CASE("hosts connect by name over both families", "[live]") {
  SKIP_IF(no_namespaces());
  for (const PortKind kind : port_kinds())
    for (const char* address : {"kodos", "fd00::2"})
      CHECK(run_lab([&] {
              Pair pair(kind);
              Running server(pair.kodos(), helper("serve", {"8080"}));
              pair.run_until([&] { return contains(server.output(), "listening"); }, "listens");
              Running client(pair.kang(), helper("talk", {address, "8080"}));
              pair.run_until([&] { return contains(client.output(), "connected"); }, "connects");
              pair.run_until([&] { return contains(server.output(), "accepted"); }, "accepts");
            }) == "");
}

TEST_CASE("a host without programs sends nothing", "[live]") {
  SKIP_IF(no_namespaces());
  for (const PortKind kind : port_kinds())
    CHECK(run_lab([kind] {
            Pair pair(kind);
            // Wait 2.5 s: longer than the first delays of IPv6 and IGMP.
            pair.loop.run_for(std::chrono::milliseconds(2500));
            expect(pair.record.frames.empty(),
                   std::to_string(pair.record.frames.size()) + " frames are none");
          }) == "");
}

TEST_CASE("a program starts with default signals, in the lab's folder", "[live]") {
  SKIP_IF(no_namespaces());
  CHECK(run_lab([] {
          Pair pair(netns::preferred_port_kind());
          signal(SIGPIPE, SIG_IGN);
          signal(SIGINT, SIG_IGN);
          sigset_t mask;
          sigfillset(&mask);
          sigprocmask(SIG_SETMASK, &mask, nullptr);
          const std::string found = output_of(pair, pair.kang(), helper("signals"));
          expect(found.empty(), "no signal is ignored or blocked, but " + found);
          expect(output_of(pair, pair.kang(), {"pwd"}) ==
                     std::filesystem::current_path().string() + "\n",
                 "it starts in our folder");
        }) == "");
}

TEST_CASE("a program has exactly the descriptors that it was given", "[live]") {
  SKIP_IF(no_namespaces());
  CHECK(run_lab([] {
          Pair pair(netns::preferred_port_kind());
          base::Pipe first = base::make_pipe(), second = base::make_pipe();
          const int a = first.write_end.get(), b = second.write_end.get();
          // Swap the two numbers.
          const std::string to_a = " >/proc/self/fd/" + std::to_string(a);
          const std::string to_b = " >/proc/self/fd/" + std::to_string(b);
          auto spawned = pair.kang().spawn(
              {.command = {"sh", "-c", "ls /proc/self/fd" + to_a + "; echo $X" + to_b},
               .environment = {{"X", "from the request"}},
               .descriptors = {{b, a}, {a, b}}});
          first.write_end.reset();
          second.write_end.reset();
          netns::wait_for({spawned.pid, std::move(spawned.pidfd)});
          std::string listed(4096, '\0'), said(4096, '\0');
          listed.resize(static_cast<std::size_t>(read(second.read_end.get(), listed.data(), 4096)));
          said.resize(static_cast<std::size_t>(read(first.read_end.get(), said.data(), 4096)));
          expect(said == "from the request\n", "the environment is as asked");
          // ls has 0 to 2, these two, and the folder that it reads.
          expect(std::ranges::count(listed, '\n') == 6, "these are six descriptors: " + listed);
        }) == "");
}

TEST_CASE("a program that cannot be executed is an error with the reason", "[live]") {
  SKIP_IF(no_namespaces());
  CHECK(run_lab([] {
          Pair pair(netns::preferred_port_kind());
          const auto error_of = [&](std::vector<std::string> command) -> std::string {
            try {
              pair.kodos().spawn({.command = std::move(command)});
            } catch (const base::LabError& error) {
              return error.what();
            }
            return "none";
          };
          expect(error_of({"nosuchprogram"}) ==
                     "kodos: cannot run nosuchprogram: No such file or directory (ENOENT)",
                 "no such program: " + error_of({"nosuchprogram"}));
          expect_contains(error_of({"/etc/hosts"}), "cannot run /etc/hosts: Permission denied");
          expect_contains(error_of({}), "kodos: cannot run an empty command");
          pair.kodos().power_off();
          expect_contains(error_of({"true"}), "the host has no power");
        }) == "");
}

TEST_CASE("an error in a host's configuration names the host", "[live]") {
  SKIP_IF(no_namespaces());
  CHECK(run_lab([] {
          const auto error_of = [](const std::vector<netns::HostConfig>& configs) -> std::string {
            try {
              netns::Host::power_on(configs);
            } catch (const base::LabError& error) {
              return error.what();
            }
            return "none";
          };
          auto configs = pair_config();
          configs[1].sysctls = {{"net.ipv4.tcp_nope", "1"}};
          expect_contains(error_of(configs), "host kodos: cannot set sysctl net.ipv4.tcp_nope");
          configs = pair_config();
          configs[0].nics[0].addresses[0].prefix_length = 77;
          expect_contains(error_of(configs), "host kang: cannot add address 10.0.0.1/77 to eth0: ");
          configs = pair_config();
          configs[0].neighbours.push_back({.nic = "eth7", .address = {}, .mac = {}});
          expect_contains(error_of(configs), "host kang: cannot add a neighbour entry for 0.0.0.0");
        }) == "");
}

TEST_CASE("each host has its own sysctls", "[live]") {
  SKIP_IF(no_namespaces());
  CHECK(run_lab([] {
          auto configs = pair_config();
          configs[0].sysctls = {{"net.ipv4.tcp_retries2", "3"}};
          const std::string stock = "15";
          Pair pair(netns::preferred_port_kind(), configs);
          expect(pair.kang().sysctls().read("net.ipv4.tcp_retries2") == "3", "kang's is set");
          expect(pair.kodos().sysctls().read("net.ipv4.tcp_retries2") == stock, "kodos's is stock");
          pair.kodos().sysctls().write("net.ipv4.conf.eth0.arp_notify", "1");
          expect(pair.kodos().sysctls().read("net.ipv4.conf.eth0.arp_notify") == "1",
                 "written later");
          expect(pair.kodos().sysctls().has("net.ipv4.tcp_fin_timeout"), "there is fin_timeout");
          expect(!pair.kodos().sysctls().has("net.ipv4.tcp_nope"), "there is no nope");
          expect(netns::read_sysctl("net.ipv4.tcp_max_tw_buckets") ==
                     pair.kang().sysctls().read("net.ipv4.tcp_max_tw_buckets"),
                 "room for TIME_WAIT as on the machine");
        }) == "");
}

TEST_CASE("processes are listed, orphans are reaped, and power_off kills all", "[live]") {
  SKIP_IF(no_namespaces());
  CHECK(run_lab([] {
          Pair pair(netns::preferred_port_kind());
          expect(pair.kang().processes().empty(), "there is none at first");
          Running waiting(pair.kang(), helper("wait"));
          expect(pair.kang().processes() == std::vector{waiting.pid()}, "there is the one");
          output_of(pair, pair.kang(), helper("orphan"));
          auto pids = pair.kang().processes();
          std::erase(pids, waiting.pid());
          expect(pids.size() == 1, "there is the orphan too");
          const base::FileDescriptor orphan(
              static_cast<int>(syscall(SYS_pidfd_open, pids.front(), 0)));
          pair.wire.detach(pair.kang_port);
          pair.kang().power_off();
          expect(waiting.status() == 128 + SIGKILL, "the program was killed");
          pair.run_until([&] { return netns::has_ended(orphan.get()); }, "the orphan dies");
          expect(pair.kang().processes().empty(), "a host without power has no processes");
        }) == "");
}

TEST_CASE("a program that signals its host's init neither ends the host nor keeps it on",
          "[live]") {
  SKIP_IF(no_namespaces());
  CHECK(run_lab([] {
          Pair pair(netns::preferred_port_kind());
          const std::string kills = fmt::format("kill -{} 1; kill -TERM 1", netns::kPowerOff);
          const std::string loop = "(while :; do " + kills + "; done) >/dev/null 2>&1 &";
          output_of(pair, pair.kang(), {"sh", "-c", kills + "; " + loop});
          expect(output_of(pair, pair.kang(), {"echo", "on"}) == "on\n", "the host is on");
          const auto pids = pair.kang().processes();
          expect(!pids.empty(), "the loop runs");
          const base::FileDescriptor orphan(
              static_cast<int>(syscall(SYS_pidfd_open, pids.front(), 0)));
          pair.wire.detach(pair.kang_port);
          pair.kang().power_off();
          pair.run_until([&] { return netns::has_ended(orphan.get()); }, "the loop dies");
        }) == "");
}

TEST_CASE("the host's init reaps a killed orphan", "[live]") {
  SKIP_IF(no_namespaces());
  CHECK(run_lab([] {
          Pair pair(netns::preferred_port_kind());
          const std::string pid = output_of(pair, pair.kang(), helper("orphan"));
          output_of(pair, pair.kang(), {"sh", "-c", "kill -9 " + pid});
          pair.run_until(
              [&] {
                const auto listed = output_of(pair, pair.kang(), {"sh", "-c", "ls /proc"});
                return !contains("\n" + listed, "\n" + pid);
              },
              "its init reaps it");
        }) == "");
}

TEST_CASE("permanent neighbours and addresses remain when a link goes down", "[live]") {
  SKIP_IF(no_namespaces());
  for (const PortKind kind : port_kinds())
    CHECK(run_lab([kind] {
            auto configs = pair_config();
            const auto mac = netns::MacAddress::local(9);
            configs[0].neighbours = {{.address = *base::IpAddress::parse("10.0.0.9"), .mac = mac},
                                     {.address = *base::IpAddress::parse("fd00::9"), .mac = mac}};
            Pair pair(kind, configs);
            netns::MachineNetwork(pair.kang()).set_link("eth0", false);
            netns::MachineNetwork(pair.kang()).set_link("eth0", true);
            const auto known = output_of(pair, pair.kang(), {"ip", "neigh"});
            expect_contains(known, "10.0.0.9 dev eth0 lladdr 02:00:00:00:00:09 PERMANENT");
            expect_contains(known, "fd00::9 dev eth0 lladdr 02:00:00:00:00:09 PERMANENT");
            const auto addresses = output_of(pair, pair.kang(), {"ip", "addr", "show", "eth0"});
            expect_contains(addresses, "10.0.0.1/24");
            expect_contains(addresses, "fd00::1/64");
          }) == "");
}

TEST_CASE("neighbours that fill several messages are all added", "[live]") {
  SKIP_IF(no_namespaces());
  CHECK(run_lab([] {
          auto configs = pair_config();
          constexpr unsigned kCount = 1100;
          for (unsigned i = 0; i < kCount; ++i)
            configs[0].neighbours.push_back(
                {.address = *base::IpAddress::parse("10.0." + std::to_string(1 + i / 250) + "." +
                                                    std::to_string(1 + i % 250)),
                 .mac = netns::MacAddress::local(i + 10)});
          Pair pair(netns::preferred_port_kind(), configs);
          const auto known = output_of(pair, pair.kang(), {"ip", "neigh"});
          for (const auto& each : configs[0].neighbours)
            expect_contains(known, each.address.to_string() + " dev eth0 lladdr " +
                                       each.mac.to_string() + " PERMANENT");
        }) == "");
}

TEST_CASE("sockets created under a NamespaceGuard belong to the host", "[live]") {
  SKIP_IF(no_namespaces());
  CHECK(run_lab([] {
          Pair pair(netns::preferred_port_kind());
          const ino_t home = inode_of("/proc/self/ns/net");
          {
            const netns::NamespaceGuard inside(pair.kang().network_namespace());
            expect(inode_of("/proc/self/ns/net") != home, "we are elsewhere");
          }
          expect(inode_of("/proc/self/ns/net") == home, "we are home again");
        }) == "");
}

TEST_CASE("a host can have no NIC or several NICs", "[live]") {
  SKIP_IF(no_namespaces());
  for (const PortKind kind : port_kinds())
    CHECK(run_lab([kind] {
            auto configs = pair_config();
            configs[0].nics.push_back({.name = "eth1", .mac = netns::MacAddress::local(7)});
            configs.push_back({.name = "hermit"});
            Pair pair(kind, configs);
            expect(output_of(pair, pair.kang(), {"ls", "/sys/class/net"}) == "eth0\neth1\nlo\n",
                   "kang has two");
            expect(output_of(pair, *pair.hosts[2], {"ls", "/sys/class/net"}) == "lo\n",
                   "hermit has none");
          }) == "");
}
