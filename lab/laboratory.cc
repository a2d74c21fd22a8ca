#include "lab/laboratory.hh"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <chrono>
#include <csignal>
#include <thread>

#include "base/error.hh"
#include "lab/home/surroundings.hh"
#include "lab/hosts/make_host_maker.hh"
#include "lab/programs/late_sysctls.hh"
#include "lab/programs/needs.hh"
#include "lab/programs/nft.hh"
#include "lab/watch/agent_watcher.hh"
#include "lab/watch/process_watcher.hh"
#include "netns/environment.hh"

namespace tcplab::lab {

using boost::asio::posix::stream_descriptor;
using namespace std::chrono_literals;

namespace {

constexpr int kPollShare = 9;            // polls take at most a tenth of the time
constexpr unsigned kTurnsPerDelay = 40;  // with --perturb
// Frames wait meanwhile. After 200 ms (TCP_RTO_MIN), TCP would send them again.
constexpr base::nanoseconds kLongestTurn = 150ms;

/// Zero, for any stall, with a virtual clock: a heartbeat would stop it many times a second.
base::nanoseconds longest_stall(const LaboratoryConfig& config) {
  return config.has_virtual_clock() ? base::nanoseconds{} : config.longest_stall;
}

DiskRoom room_of_disks(const RunLimits& limits) {
  return {.bytes = limits.disks,
          .advice = passed_limit("; together they hold at most {} bytes", "disks", limits.disks,
                                 limits.command)};
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

struct Laboratory::DestroyWatch {
  DestroyWatch(boost::asio::io_context& loop, int descriptor) : readable(loop, descriptor) {}
  ~DestroyWatch() { readable.release(); }  // the descriptor belongs to the host
  DestroyWatch(const DestroyWatch&) = delete;
  DestroyWatch& operator=(const DestroyWatch&) = delete;

  stream_descriptor readable;
};

Laboratory::Laboratory(const LaboratoryConfig& config)
    : config_(config),
      loop_(std::make_unique<boost::asio::io_context>(1)),
      maker_(make_host_maker(config.on, *loop_)),
      clock_(maker_->make_clock()),
      perturbation_(config.perturbation),
      host_signals_(*clock_, perturbation_, "signal to a host", 2),
      budgets_(config.limits),
      timeline_(config.folder / "events.jsonl"),
      capture_((config.folder / "capture.pcapng").string(), wall_offset_, config.stream),
      stalls_(started_, longest_stall(config), [] { return run_delay("self"); }),
      watch_(timeline_, capture_, *clock_),
      wire_(*loop_, watch_),
      disks_(config.folder / "disks", room_of_disks(config.limits)),
      poll_alarm_(clock_->make_alarm()),
      poll_pace_(config.has_virtual_clock() ? PollPace::kLongestVirtual : PollPace::kLongest),
      heartbeat_(clock_->make_alarm()) {
  timeline_.limit(budgets_.events);
  watch_.guard(stalls_);
  watch_.faults().on_added = [this](std::size_t count) { budgets_.faults.check(count); };
  watch_.connect(wire_);
  if (config_.has_kernel_events) listen_to_kernels();
  timeline_.listen([this](const capture::Event& event) {
    capture_.event(event);
    if (poll_pace_.hurries()) schedule_poll();
  });
  watch_.on_flood = [this](bool flooded) { cpu_pinning_.suspend(flooded); };
  if (perturbation_.is_on()) clock_->between_turns = [this] { delay_turn(); };
  schedule_poll();
  if (stalls_.is_on()) schedule_heartbeat();
}

/// Nothing is handled meanwhile, as if this process waited for a processor. On a virtual clock, a
/// delay takes as much virtual time.
void Laboratory::delay_turn() {
  const base::nanoseconds delay = perturbation_.next("turn", kTurnsPerDelay, kLongestTurn);
  if (delay.count() == 0) return;
  waits_.add(delay * base::time_course().slowness);
  const base::Instant until = base::now() + delay;
  std::this_thread::sleep_until(base::time_course().machine_time(until));
}

Laboratory::~Laboratory() = default;

void Laboratory::listen_to_kernels() {
  if (kernel_) return;
  maker_->prepare_tracepoints();
  const auto append = [this](base::Instant at, auto event) { timeline_.append(at, event); };
  const auto host_of = [this](int process) -> std::string {
    const auto runs = [process](const auto& program) { return program->pid() == process; };
    const auto found = std::ranges::find_if(programs_, runs);
    return found == programs_.end() ? "" : (*found)->host();
  };
  const auto host_with = [this](const base::IpAddress& address) {
    const LabHost* host = find_host(address);
    return host == nullptr ? "" : host->name();
  };
  const Attribution::Hosts hosts{.of_program = host_of, .of_address = host_with};
  kernel_ = config_.on.is_own() ? watch_own_kernels(append) : watch_this_kernel(append, hosts);
  watch_.listen_to(*kernel_);
}

netns::LinkId Laboratory::link_of(const netns::NicConfig& nic) {
  const netns::LinkId next{static_cast<std::uint32_t>(links_.size())};
  return links_.try_emplace(nic.link, next).first->second;
}

std::vector<LabHost*> Laboratory::make_hosts(const Topology& topology, const HostOptions& options) {
  if (!hosts_.empty())
    throw base::UsageError("a run makes all its hosts in one call; name them all there");
  if (config_.on.is_own() && options.has_offloads)
    throw Skip("offloads need namespace hosts; this run has kernel hosts");
  const std::vector<netns::HostConfig> configs = host_configs(topology, options, config_);
  LateSysctls late(required_sysctls_);
  if (config_.on.is_own() && !options.congestion.empty()) late.add(kCongestionControl);
  auto machines = maker_->power_on(late.without(configs), {});
  std::vector<LabHost*> made;
  for (std::size_t i = 0; i < configs.size(); ++i) {
    late.set(*machines[i], configs[i], config_.kernel());
    hosts_.push_back(std::make_unique<LabHost>(configs[i], timeline_));
    LabHost& host = *hosts_.back();
    host.connections().on_owner = [this, &host](const ConnectionKey& key, std::uint32_t inode) {
      owners_.appeared(host.name(), key, inode);
    };
    came_up(host, std::move(machines[i]));
    made.push_back(&host);
  }
  stalls_.alive(base::now());  // until now nothing could send a frame
  return made;
}

LabHost* Laboratory::find_host(const std::string& name) {
  const auto found = std::ranges::find(hosts_, name, [](const auto& host) { return host->name(); });
  return found == hosts_.end() ? nullptr : found->get();
}

LabHost* Laboratory::find_host(const base::IpAddress& address) {
  for (const auto& host : hosts_)
    for (const netns::NicConfig& nic : host->config().nics)
      for (const netns::InterfaceAddress& own : nic.addresses)
        if (own.address == address) return host.get();
  return nullptr;
}

void Laboratory::came_up(LabHost& host, std::unique_ptr<netns::Machine> machine) {
  host.came_up(std::move(machine));
  timeline_.append(base::now(), host.up_event());
  watch_destroyed(host);
  if (kernel_) kernel_->came_up(host.name(), host.machine());
  for (const std::string& ruleset : host.rulesets)  // before anything can pass
    lab::load_ruleset(host.machine(), ruleset, [this] { pump(); });
  plug(host);
  for (const BootProgram& program : host.boot_programs) {
    pump();
    run(host, program.command, program.options);
  }
}

LabProgram& Laboratory::run(LabHost& host, const std::vector<std::string>& command,
                            const ProgramOptions& options) {
  budgets_.programs.spend(1);
  await_deaths(host);
  const bool is_dnc = command.front() == "dnc";
  ProgramRequest request{
      .name = unused_name(host, options.name.empty()
                                    ? std::filesystem::path(command.front()).filename().string()
                                    : options.name),
      .shown = joined(command),
      .spawn = spawn_request(command, options),
      .reports_calls = is_dnc,
      .watcher = !is_dnc && options.watch ? &watcher_of(host) : nullptr,
      .stacks = options.stacks,
      .injections = options.injections,
      .output = &budgets_.output};
  request.spawn.mark.number = programs_.size() + 1;
  programs_.push_back(
      std::make_unique<LabProgram>(ProgramSurroundings{*loop_, timeline_, *clock_, perturbation_},
                                   host.machine(), host.name(), request));
  programs_.back()->on_silent = [this] {
    if (on_program_silent) on_program_silent();
  };
  programs_.back()->on_connection = [this](const ConnectionKey& connection) {
    for (const auto& listener : on_connection) listener(connection);
  };
  if (!config_.on.is_own()) cpu_pinning_.settle(programs_.back()->pid());
  return *programs_.back();
}

/// What a script has killed must not hold a port that the next program needs.
void Laboratory::await_deaths(const LabHost& host) {
  for (const auto& program : programs_)
    if (program->host() == host.name()) program->await_death([this] { pump(); });
}

netns::SpawnRequest Laboratory::spawn_request(const std::vector<std::string>& command,
                                              const ProgramOptions& options) const {
  const bool is_dnc = command.front() == "dnc";
  netns::SpawnRequest spawn{.command = is_dnc ? dnc_command(command, config_.family) : command,
                            .environment = {}};
  if (const std::string found = find_program(command.front()); !is_dnc && !found.empty())
    spawn.command.front() = std::filesystem::absolute(found);  // also where PATH has no sbin
  if (!config_.is_trusted) spawn.environment = clean_environment();
  apply(options, spawn);
  if (config_.is_trusted) return spawn;
  spawn.inherits_environment = false;
  // TCP_REPAIR needs CAP_NET_ADMIN (tcp_can_repair_sock()).
  spawn.privileges = is_dnc ? netns::Privileges::net_admin : options.privileges;
  return spawn;
}

/// One watcher for each host, from its first program on. It outlives the host's power.
CallWatcher& Laboratory::watcher_of(LabHost& host) {
  std::unique_ptr<CallWatcher>& watcher = watchers_[host.name()];
  if (watcher) return *watcher;
  if (!config_.on.is_own()) return *(watcher = std::make_unique<ProcessWatcher>());
  watcher = std::make_unique<AgentWatcher>([&host](const std::string& request) {
    return host.is_on() ? std::optional(host.machine().ask_tracer(request)) : std::nullopt;
  });
  return *watcher;
}

void Laboratory::impose(LabHost& host, std::vector<capture::ImposedOption> options) {
  watcher_of(host).impose(std::move(options));
}

std::string Laboratory::unused_name(const LabHost& host, const std::string& program) const {
  const auto taken = [&](const std::string& name) {
    return std::ranges::any_of(programs_, [&](const auto& other) {
      return other->host() == host.name() && other->name() == name;
    });
  };
  std::string name = program;
  for (int number = 2; taken(name); ++number) name = program + "-" + std::to_string(number);
  return name;
}

void Laboratory::power_off(LabHost& host) {
  host.machine();  // says it when it is off already
  unplug(host);    // first: nothing of what follows can reach the wire
  if (kernel_) kernel_->power_goes(host.name());
  destroyed_.erase(&host);
  if (const auto watcher = watchers_.find(host.name()); watcher != watchers_.end())
    watcher->second->power_goes();
  host.power_off();
}

void Laboratory::forge(LabHost& to, const Forgery& forgery, netns::Bytes frame) {
  to.machine();  // says it when it is off
  for (const netns::NicConfig& nic : to.config().nics)
    if (std::equal(nic.mac.bytes.begin(), nic.mac.bytes.end(), frame.begin()) &&
        !to.ports.contains(nic.name))
      throw base::UsageError(to.name() + " is unplugged: nothing can reach its " + nic.name);
  watch_.forging(forgery);
  wire_.inject(frame);
}

void Laboratory::watch_destroyed(LabHost& host) {
  auto& watch = destroyed_[&host];
  if (!watch) watch = std::make_unique<DestroyWatch>(*loop_, host.destroy_descriptor());
  watch->readable.async_wait(stream_descriptor::wait_read,
                             [this, &host](const boost::system::error_code& error) {
                               if (error || !destroyed_.contains(&host)) return;
                               host.look_at_destroyed();
                               watch_destroyed(host);
                             });
}

void Laboratory::look_at_all() {
  for (const auto& host : hosts_) host->look_at_all(Cause{.what = capture::StateCause::poll});
  owners_.settle();
}

void Laboratory::look_at(LabHost& host) {
  host.look_at_all(Cause{.what = capture::StateCause::poll});
  owners_.settle();
}

/// Finds changes that no frame causes and the kernel does not report: by timers, and by programs
/// that nobody traces. Looks every 2 ms for an overdue TIME_WAIT would slow a virtual clock down.
void Laboratory::schedule_poll() {
  const base::Instant now = clock_->now();
  base::Instant next = now + poll_pace_.pause(first_timer(hosts_) - now);
  for (const auto& host : hosts_)
    if (const auto due = host->next_expiry(); due && (*due > now || !config_.has_virtual_clock()))
      next = std::min(next, *due + 1ms);
  // With thousands of connections a look at all of them takes long, and a timer is always near.
  const base::nanoseconds pause = std::max<base::nanoseconds>(2ms, kPollShare * poll_took_);
  poll_alarm_->set(std::max(next, now + pause), [this] { poll(); });
}

void Laboratory::pump() {
  const base::Instant began = base::now();
  wire_.pump();
  stalls_.alive(began);
}

/// The loop handles what is ready in turns: a frame that waited when the alarm was set is read
/// before the alarm rings.
void Laboratory::schedule_heartbeat() {
  stalls_.beat(base::now());
  heartbeat_->set(clock_->now() + stalls_.heartbeat(), [this] { schedule_heartbeat(); });
}

base::nanoseconds Laboratory::waited_for_processor() {
  std::map<std::string, base::nanoseconds> delays{{"self", run_delay("self")}};
  for (const auto& program : programs_) {
    const std::string pid = std::to_string(program->pid());
    if (program->running() && !config_.on.is_own()) delays[pid] = run_delay(pid);
  }
  waits_.sample(base::now(), delays);
  return waits_.total();
}

void Laboratory::poll() {
  const base::Instant began = base::now();
  hear_kernels();
  look_at_all();
  waited_for_processor();
  if (waits_.take_starved() && on_starved) on_starved();
  budgets_.memory.check(resident_memory());
  cpu_pinning_.give_way(std::chrono::steady_clock::now());
  poll_took_ = base::now() - began;
  watch_.report_flood();
  flush();
  poll_pace_.looked(timeline_.last(), first_timer(hosts_) <= base::now());
  schedule_poll();
}

void Laboratory::flush() {
  timeline_.flush();
  capture_.flush(clock_->now());
}

void Laboratory::finish() {
  watch_.report_flood();
  timeline_.flush();
  capture_.finish();
}

}  // namespace tcplab::lab
