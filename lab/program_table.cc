#include "lab/program_table.hh"

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "capture/probes/probe_points.hh"
#include "lab/home/surroundings.hh"
#include "lab/programs/needs.hh"
#include "lab/watch/agent_watcher.hh"
#include "lab/watch/process_watcher.hh"
#include "look/failure_file.hh"

namespace tcplab::lab {

namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

netns::SpawnRequest spawn_request(const std::vector<std::string>& command,
                                  const ProgramOptions& options, const LaboratoryConfig& config) {
  const bool is_dnc = command.front() == "dnc";
  netns::SpawnRequest spawn{.command = is_dnc ? dnc_command(command, config.family) : command,
                            .environment = {}};
  if (const std::string found = find_program(command.front()); !is_dnc && !found.empty())
    spawn.command.front() = std::filesystem::absolute(found);  // also where PATH has no sbin
  if (!config.is_trusted) spawn.environment = clean_environment();
  apply(options, spawn);
  if (config.is_trusted) return spawn;
  spawn.inherits_environment = false;
  // TCP_REPAIR needs CAP_NET_ADMIN (tcp_can_repair_sock()).
  spawn.privileges = is_dnc ? netns::Privileges::net_admin : options.privileges;
  return spawn;
}

}  // namespace

ProgramTable::ProgramTable(const LaboratoryConfig& config, const ProgramSurroundings& around,
                           Network& network, const CpuPinning& pinning, Budgets& budgets)
    : config_(config),
      around_(around),
      network_(network),
      pinning_(pinning),
      budgets_(budgets),
      host_signals_(around.clock, around.perturbation, "signal to a host", 2) {}

ProgramTable::~ProgramTable() = default;

LabProgram& ProgramTable::start(LabHost& host, const std::vector<std::string>& command,
                                const ProgramOptions& options) {
  budgets_.programs.spend(1);
  await_deaths(host);
  // A handler could switch off the host that starts the program.
  const auto meanwhile = [this] {
    if (!network_.frames().may_act()) network_.pump();
  };
  if (host.config().is_peer) require_kernel_tcp(host.machine(), "a program");
  host.machine().settle(meanwhile);
  const bool is_dnc = command.front() == "dnc";
  if (!is_dnc) require_kernel_tcp(host.machine(), "a program other than dnc");
  if (!options.abort_on.empty()) host.namespaces("the option `abort_on` of a program");
  if (!options.probes.empty()) host.namespaces("the option `probes` of a program");
  if (!options.probes.empty() && !capture::can_stop_at_probes())
    throw Skip("the option `probes` of a program needs a machine with x86-64");
  ProgramRequest request{
      .name = unused_name(host, options.name.empty()
                                    ? std::filesystem::path(command.front()).filename().string()
                                    : options.name),
      .shown = joined(command),
      .spawn = spawn_request(command, options, config_),
      .reports_calls = is_dnc,
      .watcher = !is_dnc && options.watch ? &watcher_of(host) : nullptr,
      .stacks = options.stacks,
      .abort_on = options.abort_on,
      .probes = options.probes,
      .injections = options.injections,
      .output = &budgets_.output};
  if (!options.abort_on.empty())
    request.core = config_.folder / ("core." + look::failure_name(host.name(), request.name));
  request.spawn.mark.number = programs_.size() + 1;
  request.spawn.meanwhile = meanwhile;
  programs_.push_back(std::make_unique<LabProgram>(around_, host.machine(), host.name(), request));
  programs_.back()->on_silent = [this] {
    if (on_silent) on_silent();
  };
  programs_.back()->calls().on_failure =
      [this, program = programs_.back().get()](look::FailureRecord record) {
        if (on_failure) on_failure(*program, std::move(record));
      };
  programs_.back()->sockets().on_connection = [this](const ConnectionKey& connection) {
    for (const auto& listener : on_connection) listener(connection);
  };
  if (!config_.on.is_own()) pinning_.settle(programs_.back()->pid());
  return *programs_.back();
}

/// What a script has killed must not hold a port that the next program needs.
void ProgramTable::await_deaths(const LabHost& host) {
  // A handler of a frame may start a program, which moves the others.
  for (std::size_t i = 0; i < programs_.size(); ++i) {
    LabProgram& program = *programs_[i];
    if (program.host() == host.name()) program.await_death([this] { network_.pump(); });
  }
}

/// One watcher for each host, from its first program on. It outlives the host's power.
CallWatcher& ProgramTable::watcher_of(LabHost& host) {
  std::unique_ptr<CallWatcher>& watcher = watchers_[host.name()];
  if (watcher) return *watcher;
  if (!config_.on.is_own()) return *(watcher = std::make_unique<ProcessWatcher>());
  watcher = std::make_unique<AgentWatcher>([&host](const std::string& request) {
    return host.is_on() ? std::optional(host.machine().agent().ask_tracer(request)) : std::nullopt;
  });
  return *watcher;
}

void ProgramTable::impose(LabHost& host, std::vector<capture::ImposedOption> options) {
  watcher_of(host).impose(std::move(options));
}

std::string ProgramTable::unused_name(const LabHost& host, const std::string& program) const {
  const auto taken = [&](const std::string& name) {
    return std::ranges::any_of(programs_, [&](const auto& other) {
      return other->host() == host.name() && other->name() == name;
    });
  };
  std::string name = program;
  for (int number = 2; taken(name); ++number) name = program + "-" + std::to_string(number);
  return name;
}

void ProgramTable::terminate(LabHost& host) {
  for (const auto& program : programs_)
    if (program->host() == host.name()) program->signals().expect_end();
  host.machine();  // says it when it is off
  host_signals_.act([&host] {
    if (host.is_on()) host.machine().signal_programs(SIGTERM);
  });
}

bool ProgramTable::any_runs(const LabHost& host) const {
  return std::ranges::any_of(programs_, [&](const auto& program) {
    return program->host() == host.name() && program->running();
  });
}

void ProgramTable::power_goes(const LabHost& host) {
  if (const auto watcher = watchers_.find(host.name()); watcher != watchers_.end())
    watcher->second->power_goes();
}

std::vector<pid_t> ProgramTable::on_this_kernel() const {
  std::vector<pid_t> running;
  if (config_.on.is_own()) return running;
  for (const auto& program : programs_)
    if (program->running()) running.push_back(program->pid());
  return running;
}

std::string ProgramTable::host_of(pid_t process) const {
  const auto found = std::ranges::find(programs_, process, [](const auto& p) { return p->pid(); });
  return found == programs_.end() ? "" : (*found)->host();
}

}  // namespace tcplab::lab
