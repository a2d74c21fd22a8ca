// How a guest comes up: its kernel boots, its agent says so, its network is set up.
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <utility>

#include "netns/netlink.hh"
#include "uml/guest.hh"

namespace tcplab::uml {

namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kLongestBoot{120};      // forty at once take ten on two processors
constexpr std::chrono::seconds kLongestRouteWait{60};  // others may boot at the same time
constexpr std::chrono::milliseconds kRoutePause{10};
constexpr std::chrono::seconds kLongestTickWait{60};
constexpr std::chrono::milliseconds kTickPause{10};
constexpr std::chrono::milliseconds kSomeTicks{100};
constexpr std::chrono::seconds kLongestMeasurement{60};
constexpr unsigned kTransmitQueueLength = 5000;  // as of other hosts: a full TCP window fits

std::string hosts_file(const netns::HostConfig& config) {
  std::string text = "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n";
  for (const auto& [name, address] : config.names) text += address.to_string() + "\t" + name + "\n";
  return text;
}

/// Returns those of the folders that the host's private folders would hide. A folder that the lab
/// cannot read, or that is not there, stays hidden.
std::vector<std::string> hidden_folders(const netns::Containment& containment) {
  namespace fs = std::filesystem;
  std::vector<std::string> hidden;
  for (const std::string& folder : containment.shown) {
    std::error_code unknown;
    const std::string path = fs::weakly_canonical(folder, unknown).string();
    const auto is_below = [&](const char* covered) { return path.starts_with(covered); };
    if (std::ranges::any_of(std::array{"/tmp/", "/var/tmp/", "/run/"}, is_below) &&
        fs::is_directory(path, unknown) && ::access(path.c_str(), R_OK | X_OK) == 0)
      hidden.push_back(path);
  }
  return hidden;
}

/// A host without programs sends nothing; it keeps its addresses when its link goes down.
constexpr std::array kIpv6Settings{
    std::pair{"addr_gen_mode", "1"},     std::pair{"accept_dad", "0"},
    std::pair{"dad_transmits", "0"},     std::pair{"accept_ra", "0"},
    std::pair{"autoconf", "0"},          std::pair{"router_solicitations", "0"},
    std::pair{"keep_addr_on_down", "1"},
};

struct RouteQuestion {
  nlmsghdr header;
  rtmsg route;
  rtattr destination;
  std::array<std::uint8_t, 16> address;
};

/// Asks the guest how it would route a packet to an IPv6 address.
RouteQuestion question_about(const base::IpAddress& address) {
  RouteQuestion question{};
  question.header.nlmsg_len = sizeof question;
  question.header.nlmsg_type = RTM_GETROUTE;
  question.header.nlmsg_flags = NLM_F_REQUEST;
  question.route.rtm_family = AF_INET6;
  question.route.rtm_dst_len = 128;
  question.destination.rta_type = RTA_DST;
  question.destination.rta_len = RTA_LENGTH(sizeof question.address);
  question.address = address.bytes;
  return question;
}

/// Waits until the kernel accepts frames for a new IPv6 address: see netns/local_routes.hh. Each
/// question lets the guest's work queue run. The kernel looks at a link's changes once a second
/// (linkwatch_schedule_work(), net/core/link_watch.c), so time must pass.
void await_local_route(base::KernelQuestions& kernel, const base::IpAddress& address,
                       ClockPlace& place) {
  const auto deadline = steady_clock::now() + kLongestRouteWait;
  const RouteQuestion question = question_about(address);
  while (steady_clock::now() < deadline) {
    kernel.send({reinterpret_cast<const std::uint8_t*>(&question), sizeof question});
    const base::Bytes answer = kernel.receive();
    const auto* message = reinterpret_cast<const nlmsghdr*>(answer.data());
    if (message->nlmsg_type == RTM_NEWROUTE &&
        static_cast<const rtmsg*>(NLMSG_DATA(message))->rtm_type == RTN_LOCAL)
      return;
    place.hurry(kRoutePause);
  }
  throw base::LabError("the kernel adds no local route for " + address.to_string());
}

}  // namespace

std::vector<std::unique_ptr<Guest>> Guest::power_on(GuestClock& clock,
                                                    std::span<const GuestRequest> requests,
                                                    const std::function<void()>& meanwhile) {
  std::vector<std::unique_ptr<Guest>> guests;
  guests.reserve(requests.size());
  for (const GuestRequest& request : requests)
    guests.push_back(std::unique_ptr<Guest>(new Guest(clock, request)));
  const auto deadline = steady_clock::now() + kLongestBoot;
  std::vector<Guest*> booting;
  booting.reserve(guests.size());
  for (const auto& guest : guests) booting.push_back(guest.get());
  while (!booting.empty()) {
    std::vector<pollfd> waiting;
    waiting.reserve(booting.size());
    for (const Guest* guest : booting) waiting.push_back({guest->descriptor(), POLLIN, 0});
    ::poll(waiting.data(), waiting.size(), meanwhile ? 1 : 1000);
    if (meanwhile) meanwhile();
    std::erase_if(booting, [](Guest* guest) { return guest->is_up(); });
    if (!booting.empty() && steady_clock::now() > deadline) {
      Guest& late = *booting.front();
      throw base::LabError(late.config().name + ": its kernel " + late.kernel_path_ +
                           " has not booted after " + std::to_string(kLongestBoot.count()) +
                           " s: " + late.activity() + "; its last words: " + late.last_words());
    }
  }
  // Not before all are up: to configure a guest, time must pass, and the clock skips none while
  // another one boots.
  for (const auto& guest : guests) {
    guest->configure();
    if (meanwhile) meanwhile();
  }
  for (const auto& guest : guests) guest->await_timers();
  for (const auto& guest : guests) guest->place_->be_ready();
  return guests;
}

bool Guest::is_up() {
  fetch();
  if (received_.empty()) return false;
  const Message message = std::move(received_.front());
  received_.pop_front();
  if (message.kind != Kind::up)
    throw base::LabError(config_.name + ": its agent does not say hello");
  release_ = PayloadReader(message.payload).text();
  return true;
}

void Guest::configure() {
  Configuration configuration;
  configuration.name = config_.name;
  configuration.hosts = hosts_file(config_);
  configuration.folder = std::filesystem::current_path();
  configuration.is_contained = config_.containment.has_value();
  if (config_.containment) configuration.shown = hidden_folders(*config_.containment);
  configuration.nics.reserve(config_.nics.size());
  for (const netns::NicConfig& nic : config_.nics) configuration.nics.push_back(nic.name);
  place_->age();
  await_ticks();
  ask(Kind::configure, write_payload(configuration));
  measure_clock();
  configure_network();
}

/// Waits until the kernel has counted the time by which its clock went ahead: it does so at its
/// second tick at the latest. A timer that it set before would expire at once.
void Guest::await_ticks() {
  const auto deadline = steady_clock::now() + kLongestTickWait;
  while (steady_clock::now() < deadline) {
    const Message answer = ask(Kind::read_clock, {});
    PayloadReader times(answer.payload);
    const auto time = base::from_nanoseconds(times.as<std::int64_t>());
    const auto counted = base::from_nanoseconds(times.as<std::int64_t>());
    if (time - counted < std::chrono::seconds(1)) return;
    place_->hurry(kTickPause);
  }
  throw base::LabError(config_.name + ": its kernel has no ticks");
}

/// Waits until the kernel has run the timers of the time by which its clock went ahead. Until then
/// the timer wheel stands at an earlier time, and a new timer could be late by a third
/// (forward_timer_base(), kernel/time/timer.c). A kernel that has stopped its tick has none
/// overdue; one that never stops it has run them after some ticks.
void Guest::await_timers() {
  const base::Instant enough = base::now() + kSomeTicks;
  while (!place_->has_no_tick() && base::now() < enough) place_->hurry(kTickPause);
}

/// While the guest's clock stands still, its time is known exactly. On a busy machine the answer
/// may come too late for that.
void Guest::measure_clock() {
  const auto deadline = steady_clock::now() + kLongestMeasurement;
  while (steady_clock::now() < deadline) {
    const base::Instant held = place_->hold();
    const std::uint64_t guest_time = ask_number(Kind::read_clock, {});
    if (base::now() > held) continue;
    clock_offset_ = held - base::from_nanoseconds(static_cast<std::int64_t>(guest_time));
    return;
  }
  throw base::LabError(config_.name + ": its agent never answers in time to measure its clock");
}

/// As netns/host_init.cc does for a namespace host: sysctls may name devices, and neighbours and
/// routes need a link that is up.
void Guest::configure_network() {
  netns::RouteSocket route(questions(NETLINK_ROUTE));
  route.change_link("lo", {.up = true});
  for (const netns::NicConfig& nic : config_.nics) {
    route.change_link(
        nic.name, {.mac = nic.mac, .mtu = nic.mtu, .transmit_queue_length = kTransmitQueueLength});
    for (const auto& [name, value] : kIpv6Settings)
      write_sysctl("net/ipv6/conf/" + nic.name + "/" + name, value);
    write_sysctl("net/ipv4/conf/" + nic.name + "/rp_filter", "0");
  }
  for (const auto& [name, value] : config_.sysctls) write_sysctl(name, value);
  for (const netns::NicConfig& nic : config_.nics) {
    for (const auto& address : nic.addresses) route.add_address(nic.name, address);
    route.change_link(nic.name, {.up = true});
  }
  const auto kernel = questions(NETLINK_ROUTE);
  for (const netns::NicConfig& nic : config_.nics)
    for (const auto& address : nic.addresses)
      if (address.address.family == base::Family::ipv6)
        await_local_route(*kernel, address.address, *place_);
  route.add_neighbours(config_.neighbours);
  for (const netns::RouteConfig& destination : config_.routes) route.add_route(destination);
}

}  // namespace tcplab::uml
