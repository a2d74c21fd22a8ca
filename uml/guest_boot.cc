#include "uml/guest_boot.hh"

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
#include "uml/configuration.hh"
#include "uml/guest_files.hh"
#include "uml/guest_sysctls.hh"

namespace tcplab::uml {

namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kLongestBoot{120};      // forty at once take ten on two processors
constexpr std::chrono::seconds kLongestRouteWait{60};  // others may boot at the same time
constexpr std::chrono::milliseconds kRoutePause{10};
constexpr std::chrono::seconds kLongestTickWait{60};
constexpr std::chrono::milliseconds kTickPause{10};
constexpr std::chrono::milliseconds kSomeTicks{100};
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

/// A guest that comes up.
class GuestBoot {
public:
  GuestBoot(GuestClock& clock, const GuestRequest& request)
      : config_(request.config),
        kernel_(std::make_unique<GuestKernel>(clock, request.config.name, request.kernel)) {}

  const GuestKernel& kernel() const { return *kernel_; }
  /// Handles what has come. Returns true when its agent is up.
  bool is_up();
  void configure();
  void await_timers();
  BootedGuest finish();

private:
  void await_ticks();
  void configure_network();

  netns::HostConfig config_;
  std::unique_ptr<GuestKernel> kernel_;
  std::string release_;
  GuestTime time_;
};

bool GuestBoot::is_up() {
  const auto message = kernel_->take();
  if (!message) return false;
  if (message->kind != Kind::up)
    throw base::LabError(config_.name + ": its agent does not say hello");
  release_ = PayloadReader(message->payload).text();
  return true;
}

void GuestBoot::configure() {
  Configuration configuration;
  configuration.name = config_.name;
  configuration.hosts = hosts_file(config_);
  configuration.folder = std::filesystem::current_path();
  configuration.is_contained = config_.containment.has_value();
  if (config_.containment) configuration.shown = hidden_folders(*config_.containment);
  configuration.nics.reserve(config_.nics.size());
  for (const netns::NicConfig& nic : config_.nics) configuration.nics.push_back(nic.name);
  kernel_->place().age();
  await_ticks();
  kernel_->ask(Kind::configure, write_payload(configuration));
  time_.measure(*kernel_);
  configure_network();
}

/// Waits until the kernel has counted the time by which its clock went ahead: it does so at its
/// second tick at the latest. A timer that it set before would expire at once.
void GuestBoot::await_ticks() {
  const auto deadline = steady_clock::now() + kLongestTickWait;
  while (steady_clock::now() < deadline) {
    const Message answer = kernel_->ask(Kind::read_clock, {});
    PayloadReader times(answer.payload);
    const auto time = base::from_nanoseconds(times.as<std::int64_t>());
    const auto counted = base::from_nanoseconds(times.as<std::int64_t>());
    if (time - counted < std::chrono::seconds(1)) return;
    kernel_->place().hurry(kTickPause);
  }
  throw base::LabError(config_.name + ": its kernel has no ticks");
}

/// Waits until the kernel has run the timers of the time by which its clock went ahead. Until then
/// the timer wheel stands at an earlier time, and a new timer could be late by a third
/// (forward_timer_base(), kernel/time/timer.c). A kernel that has stopped its tick has none
/// overdue; one that never stops it has run them after some ticks.
void GuestBoot::await_timers() {
  const base::Instant enough = base::now() + kSomeTicks;
  while (!kernel_->place().has_no_tick() && base::now() < enough)
    kernel_->place().hurry(kTickPause);
}

/// As netns/host_init.cc does for a namespace host: sysctls may name devices, and neighbours and
/// routes need a link that is up.
void GuestBoot::configure_network() {
  netns::RouteSocket route(kernel_->questions(NETLINK_ROUTE));
  GuestFiles files(*kernel_);
  GuestSysctls sysctls(files);
  route.change_link("lo", {.up = true});
  for (const netns::NicConfig& nic : config_.nics) {
    route.change_link(
        nic.name, {.mac = nic.mac, .mtu = nic.mtu, .transmit_queue_length = kTransmitQueueLength});
    for (const auto& [name, value] : kIpv6Settings)
      sysctls.write("net/ipv6/conf/" + nic.name + "/" + name, value);
    sysctls.write("net/ipv4/conf/" + nic.name + "/rp_filter", "0");
  }
  for (const auto& [name, value] : config_.sysctls) sysctls.write(name, value);
  for (const netns::NicConfig& nic : config_.nics) {
    for (const auto& address : nic.addresses) route.add_address(nic.name, address);
    route.change_link(nic.name, {.up = true});
  }
  const auto kernel = kernel_->questions(NETLINK_ROUTE);
  for (const netns::NicConfig& nic : config_.nics)
    for (const auto& address : nic.addresses)
      if (address.address.family == base::Family::ipv6)
        await_local_route(*kernel, address.address, kernel_->place());
  route.add_neighbours(netns::first_neighbours(config_));
  for (const netns::RouteConfig& destination : config_.routes) route.add_route(destination);
}

BootedGuest GuestBoot::finish() {
  kernel_->place().be_ready();
  return {.config = std::move(config_),
          .kernel = std::move(kernel_),
          .release = std::move(release_),
          .time = time_};
}

/// Waits until the agents of all guests are up.
void await_agents(std::span<GuestBoot> boots, const std::function<void()>& meanwhile) {
  const auto deadline = steady_clock::now() + kLongestBoot;
  std::vector<GuestBoot*> booting;
  booting.reserve(boots.size());
  for (GuestBoot& boot : boots) booting.push_back(&boot);
  while (!booting.empty()) {
    std::vector<pollfd> waiting;
    waiting.reserve(booting.size());
    for (const GuestBoot* boot : booting)
      waiting.push_back({boot->kernel().descriptor(), POLLIN, 0});
    ::poll(waiting.data(), waiting.size(), meanwhile ? 1 : 1000);
    if (meanwhile) meanwhile();
    std::erase_if(booting, [](GuestBoot* boot) { return boot->is_up(); });
    if (!booting.empty() && steady_clock::now() > deadline) {
      const GuestKernel& late = booting.front()->kernel();
      throw base::LabError(late.host() + ": its kernel " + late.path() + " has not booted after " +
                           std::to_string(kLongestBoot.count()) + " s: " + late.activity() +
                           "; its last words: " + late.last_words());
    }
  }
}

}  // namespace

std::vector<BootedGuest> boot_guests(GuestClock& clock, std::span<const GuestRequest> requests,
                                     const std::function<void()>& meanwhile) {
  std::vector<GuestBoot> boots;
  boots.reserve(requests.size());
  for (const GuestRequest& request : requests) boots.emplace_back(clock, request);
  await_agents(boots, meanwhile);
  // Not before all are up: to configure a guest, time must pass, and the clock skips none while
  // another one boots.
  for (GuestBoot& boot : boots) {
    boot.configure();
    if (meanwhile) meanwhile();
  }
  for (GuestBoot& boot : boots) boot.await_timers();
  std::vector<BootedGuest> booted;
  booted.reserve(boots.size());
  for (GuestBoot& boot : boots) booted.push_back(boot.finish());
  return booted;
}

}  // namespace tcplab::uml
