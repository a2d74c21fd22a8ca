// Checks the formulas of the kernel's timers against measurements on Linux 6.18. There the RTO of a
// connection on one wire is 204 to 212 ms (tcp_rto_min and a short round trip).
#include "lab/plans/timers.hh"

#include <chrono>
#include <map>

#include "tests/catch.hh"

using namespace tcplab;
using namespace std::chrono_literals;
using base::nanoseconds;
using lab::SysctlReader;
using lab::TimerProfile;

namespace {

constexpr nanoseconds kRto = 208ms;

using Settings = std::map<std::string, long>;

/// A kernel that has only these sysctls.
SysctlReader old_kernel(const Settings& settings) {
  return [settings](const std::string& name, long built_in) {
    const auto found = settings.find(name);
    return found == settings.end() ? built_in : found->second;
  };
}

SysctlReader kernel(Settings settings) {
  settings.emplace("net.ipv4.tcp_syn_linear_timeouts", 4);
  return old_kernel(settings);
}

double seconds(nanoseconds duration) { return std::chrono::duration<double>(duration).count(); }

nanoseconds gives_up_after(long retries2, Settings settings = {}) {
  settings["net.ipv4.tcp_retries2"] = retries2;
  return lab::r2(kernel(settings), kRto);
}

nanoseconds connect_gives_up_after(long retries) {
  return lab::syn_r2(kernel({{"net.ipv4.tcp_syn_retries", retries}}));
}

}  // namespace

TEST_CASE("giving up a connection takes the measured time") {
  const auto [retries2, measured] = GENERATE(table<long, double>(
      {{0, 0.84}, {1, 1.68}, {2, 3.33}, {3, 6.75}, {4, 6.82}, {5, 13.5}, {15, 939}}));
  CAPTURE(retries2);
  CHECK(seconds(gives_up_after(retries2)) == Approx(measured).epsilon(0.025));
}

TEST_CASE("measured times are within the allowed bounds") {
  const auto [retries2, measured] = GENERATE(table<long, nanoseconds>(
      {{3, 6787ms}, {3, 6819ms}, {0, 840ms}, {1, 1680ms}, {2, 3330ms}, {15, 939s}}));
  const auto allowed = lab::bounds(gives_up_after(retries2), 0ms);
  CAPTURE(retries2);
  CHECK(allowed.contain(measured));
}

TEST_CASE("an orphan is given up after the measured time") {
  const auto [retries, measured] =
      GENERATE(table<long, double>({{0, 107}, {1, 1.7}, {2, 3.35}, {3, 6.7}, {4, 6.9}}));
  CAPTURE(retries);
  const auto sysctl = kernel({{"net.ipv4.tcp_orphan_retries", retries}});
  CHECK(seconds(lab::orphan_r2(sysctl, kRto)) == Approx(measured).epsilon(0.04));
}

TEST_CASE("an orphan is given up when its RTO reaches the maximum, if no retries are set") {
  // tcp_orphan_retries() allows 8 retries only while the timeout still grows.
  const auto sysctl = kernel({{"net.ipv4.tcp_rto_max_ms", 1000}});
  CHECK(seconds(lab::orphan_r2(sysctl, kRto)) < 3);
}

TEST_CASE("TCP_USER_TIMEOUT ends a connection after the measured time") {
  CHECK(seconds(lab::user_timeout(kernel({}), kRto, 500ms)) == Approx(0.92).epsilon(0.01));
}

TEST_CASE("without tail loss probes, the first retransmission comes one RTO sooner") {
  CHECK(lab::first_retransmission(kernel({}), kRto) == 2 * kRto);
  const auto without = kernel({{"net.ipv4.tcp_early_retrans", 0}});
  CHECK(lab::first_retransmission(without, kRto) == kRto);
  CHECK(lab::r2(without, kRto) == gives_up_after(15) - kRto);
}

TEST_CASE("these times are fixed in the kernel") {
  CHECK(lab::delayed_ack() == 40ms);
  CHECK(lab::initial_rto() == 1s);
  CHECK(lab::rto_min(kernel({})) == 200ms);
}

TEST_CASE("a lower maximum of the RTO shortens giving up") {
  const Settings one_second = {{"net.ipv4.tcp_rto_max_ms", 1000}};
  CHECK(seconds(gives_up_after(5, one_second)) == Approx(5.8).epsilon(0.1));
  CHECK(seconds(gives_up_after(15, one_second)) == Approx(15.0).epsilon(0.1));
}

TEST_CASE("a lower minimum of the RTO shortens giving up") {
  Settings settings = {{"net.ipv4.tcp_rto_max_ms", 1000},
                       {"net.ipv4.tcp_rto_min_us", 1000},
                       {"net.ipv4.tcp_retries2", 1}};
  CHECK(lab::r2(kernel(settings), 5ms) < 2s);
}

TEST_CASE("the formulas work at the limits of the sysctls") {
  // tcp_rto_min_us may be as low as 1 (ip-sysctl); 255 is the maximum of tcp_retries2.
  CHECK(gives_up_after(255) > gives_up_after(254));
  CHECK(gives_up_after(255, {{"net.ipv4.tcp_rto_min_us", 1}}) > 0s);
  CHECK(gives_up_after(0, {{"net.ipv4.tcp_rto_min_us", 1}}) > 0s);
}

TEST_CASE("connecting to a black hole fails after the measured time") {
  const auto [retries, measured] = GENERATE(table<long, double>({{1, 3.05}, {2, 7.1}, {6, 135}}));
  CAPTURE(retries);
  CHECK(seconds(connect_gives_up_after(retries)) == Approx(measured).epsilon(0.03));
}

TEST_CASE("R1 is at the first timer after the time of tcp_retries1") {
  // With 3 retries, 3 s are allowed; the timers fire after 0.4, 1.2, 2.8 and 6 s.
  CHECK(lab::r1(kernel({}), 200ms) == 400ms + 6s);
  CHECK(lab::r1(kernel({{"net.ipv4.tcp_retries1", 1}}), 200ms) == 400ms + 1200ms);
}

TEST_CASE("late timers may end a connection one back-off sooner") {
  // tcp_retries2 = 2 allows 1.4 s. With an RTO of 232 ms, the timers expire 0.464 and 1.392 s after
  // the first retransmission. Measured on a busy machine: the second one at 1.404 s, which is the
  // end.
  const auto sysctl = kernel({{"net.ipv4.tcp_retries2", 2}});
  CHECK(lab::r2(sysctl, 232ms) == 14 * 232ms + 2 * 232ms);
  CHECK(lab::r2(sysctl, 232ms, lab::Expiry::late) == 6 * 232ms + 2 * 232ms);
  CHECK(lab::r2(sysctl, kRto, lab::Expiry::late) == lab::r2(sysctl, kRto));
  CHECK(lab::r2(sysctl, 236ms, lab::Expiry::late) == lab::r2(sysctl, 236ms));
}

TEST_CASE("a kernel without linear SYN timeouts doubles the RTO from the start") {
  // Before Linux 6.5, SYNs are sent at 0, 1, 3, 7, 15, 31 and 63 s; connect fails after 127 s
  // (tcp(7), tcp_syn_retries).
  CHECK(lab::syn_r2(old_kernel({{"net.ipv4.tcp_syn_retries", 6}})) == 127s);
  const auto set =
      kernel({{"net.ipv4.tcp_syn_retries", 6}, {"net.ipv4.tcp_syn_linear_timeouts", 0}});
  CHECK(lab::syn_r2(set) == 127s);
}

TEST_CASE("a server keeps a half-open connection as long as tcp(7) says") {
  // tcp_synack_retries: "the default value is 5, which corresponds to about 63 seconds"
  const auto kept = [](long retries) {
    return lab::synack_r2(kernel({{"net.ipv4.tcp_synack_retries", retries}}));
  };
  CHECK(lab::synack_r2(kernel({})) == 63s);
  CHECK(kept(0) == lab::initial_rto());
  CHECK(kept(1) == 3s);
}

TEST_CASE("a neighbour that does not answer is given up after the measured time") {
  CHECK(seconds(lab::neighbour_failure(kernel({}), base::Family::ipv4)) ==
        Approx(3.1).epsilon(0.05));
  const auto quick = kernel(
      {{"net.ipv6.neigh.eth0.mcast_solicit", 2}, {"net.ipv6.neigh.eth0.retrans_time_ms", 100}});
  CHECK(lab::neighbour_failure(quick, base::Family::ipv6) == 200ms);
  CHECK(lab::neighbour_failure(quick, base::Family::ipv4) == 3s);
}

TEST_CASE("keepalive gives up after idle + interval x count") {
  CHECK(lab::keepalive_timeout(kernel({{"net.ipv4.tcp_keepalive_time", 5},
                                       {"net.ipv4.tcp_keepalive_intvl", 3},
                                       {"net.ipv4.tcp_keepalive_probes", 3}})) == 14s);
  CHECK(lab::keepalive_timeout(kernel({})) == 2h + 11min + 15s);
}

TEST_CASE("the timers of closing have their defaults or the values of their sysctls") {
  CHECK(lab::fin_timeout(kernel({})) == 60s);
  CHECK(lab::fin_timeout(kernel({{"net.ipv4.tcp_fin_timeout", 1}})) == 1s);
  CHECK(lab::time_wait() == 60s);
  CHECK(lab::time_wait_reuse(kernel({})) == 1s);
  CHECK(lab::time_wait_reuse(kernel({{"net.ipv4.tcp_tw_reuse_delay", 20}})) == 20ms);
}

TEST_CASE("times have packetdrill's tolerance, and slack extends only the late side") {
  const auto allowed = lab::bounds(8s, 500ms);
  CHECK(allowed.earliest == 8s - 1s - 4ms);
  CHECK(allowed.latest == 8s + 1s + 4ms + 500ms);
}

TEST_CASE("on a virtual clock, timers are late, and early by two ticks at most") {
  const auto allowed = lab::virtual_bounds(8s, 50ms);
  CHECK(allowed.earliest == 8s - 20ms - 8ms);
  CHECK(allowed.latest == 8s + 1s + 4ms + 50ms);
}

TEST_CASE("on a virtual clock, a short time is no earlier than on the machine's") {
  CHECK(lab::virtual_bounds(40ms, 0ms).earliest == 40ms - 5ms - 4ms);
  CHECK(lab::virtual_bounds(800ms, 0ms, 210ms).earliest == 696ms);
}

TEST_CASE("on a virtual clock, a tail loss probe may come earlier by TCP_RTO_MIN") {
  CHECK(lab::virtual_bounds(8s, 0ms, 100ms).earliest == 8s - 120ms - 8ms);
  const auto allowed = lab::virtual_bounds(8s, 50ms, 1s);
  CHECK(allowed.earliest == 8s - 200ms - 8ms);
  CHECK(allowed.latest == 8s + 1s + 4ms + 50ms);
}

TEST_CASE("a wait for the processor makes a measured time longer or shorter") {
  const auto allowed = lab::widened(lab::bounds(8s, 500ms), 300ms);
  CHECK(allowed.earliest == 8s - 1s - 4ms - 300ms);
  CHECK(allowed.latest == 8s + 1s + 4ms + 300ms + 500ms);
  CHECK(lab::describe_widening(300ms) ==
        "; 300.0 ms less or more, because the run waited so long for a processor");
  CHECK(lab::describe_widening(0ms).empty());
}

TEST_CASE("stock timers change no sysctl, and fast timers are shorter") {
  CHECK(lab::name(TimerProfile::stock) == "stock");
  CHECK(lab::name(TimerProfile::fast) == "fast");
  CHECK(lab::sysctls(TimerProfile::stock).empty());
  Settings fast;
  for (const auto& [name, value] : lab::sysctls(TimerProfile::fast)) fast[name] = std::stol(value);
  CHECK(lab::r2(kernel(fast), kRto) < 5s);
  CHECK(lab::syn_r2(kernel(fast)) < 5s);
  CHECK(lab::keepalive_timeout(kernel(fast)) < 5s);
  CHECK(lab::fin_timeout(kernel(fast)) <= 2s);
}
