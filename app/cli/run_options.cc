#include "app/cli/run_options.hh"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <random>
#include <thread>

#include "app/audit/duration.hh"
#include "app/cli/commands.hh"
#include "app/cli/option_checks.hh"
#include "base/error.hh"

namespace tcplab::app {

namespace {

constexpr base::nanoseconds kFastTimeout = std::chrono::minutes(10);
constexpr base::nanoseconds kStockTimeout = std::chrono::hours(4);

constexpr const char* kAnySeed = "any";          // a value of --perturb
constexpr std::uint64_t kMostDrawn = 1'000'000;  // such a seed is easy to type

// The groups on the help page.
constexpr const char* kSelection = "Selection";
constexpr const char* kExecution = "Execution";
constexpr const char* kWatching = "Watching";
constexpr const char* kResults = "Results";

OptionCheck seed_or_any() {
  return [](const std::string& value) {
    return value == kAnySeed ? std::string() : at_least(0)(value);
  };
}

void add_selection_options(CLI::App& command, RunOptions& options) {
  command.add_option("WHICH", options.selection.selectors, kWhichScenarios);
  // One word for each --topic and --tag: the words after it are WHICH.
  command
      .add_option("--topic", options.selection.topics,
                  "Keep only the scenarios of this topic; repeat it for several topics")
      ->option_text("TOPIC")
      ->group(kSelection)
      ->allow_extra_args(false);
  command
      .add_option("--tag", options.selection.tags,
                  "Keep only the scenarios with this tag; repeat it for several tags")
      ->option_text("TAG")
      ->group(kSelection)
      ->allow_extra_args(false);
  command.add_option("--family", options.selection.family, "Choose the Internet Protocol")
      ->option_text("4|6|both")
      ->group(kSelection)
      ->check(one_of({"4", "6", "both"}))
      ->each([&options](const std::string&) { options.selection.family_chosen = true; })
      ->capture_default_str();
  command
      .add_option("--shard", options.selection.shard,
                  "Run only part K of N parts; the parts are the same on every machine")
      ->option_text("K/N")
      ->group(kSelection)
      ->check(not_empty());
}

void add_host_options(CLI::App& command, RunOptions& options) {
  command.add_option("--timers", options.timers, kTimersHelp)
      ->option_text("fast|stock")
      ->group(kExecution)
      ->check(one_of({"fast", "stock"}))
      ->capture_default_str();
  add_kernel_option(command, options.hosts.kernel, kExecution);
  command
      .add_option("--clock", options.hosts.clock,
                  "With --kernel or --stack: let time jump while everything waits, or not")
      ->option_text("virtual|real")
      ->group(kExecution)
      ->check(one_of({"virtual", "real"}));
  add_stack_options(command, options.hosts.stacks, kExecution);
}

void add_execution_options(CLI::App& command, RunOptions& options) {
  command
      .add_flag("--trust", options.trust,
                "Let programs change the machine's files, and keep your environment and privileges")
      ->group(kExecution);
  command.add_option("-j,--jobs", options.jobs, "Run at most N scenarios at once")
      ->option_text("N")
      ->group(kExecution)
      ->check(in_range(1, 1024))
      ->each([&options](const std::string&) { options.jobs_chosen = true; })
      ->capture_default_str();
  add_host_options(command, options);
  command
      .add_option("--timeout", options.timeout,
                  "End a run after this time (600 s; 4 h with stock timers); 0 for never")
      ->option_text("SECONDS")
      ->group(kExecution)
      ->check(in_range(0, 31536000));
  command
      .add_option(
          "--limit", options.limits,
          "End a run that uses more: events, output, faults, programs, memory, disks, seconds")
      ->option_text("NAME=N")
      ->group(kExecution)
      ->allow_extra_args(false);
  command
      .add_option("--set", options.settings,
                  "Give the scripts this value: lab:parameter(\"NAME\"); repeatable")
      ->option_text("NAME=VALUE")
      ->group(kExecution)
      ->allow_extra_args(false);
}

/// How often and in which order the runs are, what delays them, and what ends the suite.
void add_order_options(CLI::App& command, RunOptions& options) {
  command.add_option("--repeat", options.repeat, "Run everything N times")
      ->option_text("N")
      ->group(kExecution)
      ->check(in_range(1, 100000))
      ->capture_default_str();
  CLI::Option* const shuffle =
      command
          .add_flag("--shuffle", options.shuffle.is_on, "Run in random order, and print the seed")
          ->group(kExecution);
  command
      .add_option("--seed", options.shuffle.seed, "With --shuffle: repeat the order of this seed")
      ->option_text("NUMBER")
      ->group(kExecution)
      ->check(at_least(0))
      ->needs(shuffle);
  command
      .add_flag(std::string("--perturb{") + kAnySeed + "}", options.perturb,
                "Find races: delay programs, signals and reports at random by up to 0.3 s, and "
                "tcplab itself by up to 0.15 s, as a busy machine does; print the seed")
      ->option_text("[=SEED]")
      ->group(kExecution)
      ->check(seed_or_any());
  CLI::Option* const fast =
      command.add_flag("--fail-fast", options.fail_fast, "Stop at the first failure")
          ->group(kExecution);
  command.add_option("--max-fail", options.max_fail, "Stop at failure number N")
      ->option_text("N")
      ->group(kExecution)
      ->check(at_least(1))
      ->excludes(fast);
}

void add_watching_options(CLI::App& command, RunOptions& options) {
  CLI::Option* const live = command
                                .add_flag("--live", options.watching.live,
                                          "Draw each run as it happens, one after the other")
                                ->group(kWatching);
  command
      .add_flag("--step", options.watching.step,
                "Run one scenario, and pause at every frame until a key is pressed")
      ->group(kWatching)
      ->excludes(live);
  command
      .add_flag("-v,--verbose", options.watching.verbose,
                "With --live or --step: show every call and every frame")
      ->group(kWatching);
  command
      .add_flag("--tracepoints", options.tracepoints,
                "Record kernel events too, such as why a frame was dropped; needs root, or "
                "--kernel with a kernel that tcplab has built")
      ->group(kWatching);
  CLI::Option* const pcapng =
      command
          .add_option("--pcapng", options.watching.pcapng,
                      "Copy the capture to FILE during the run, for Wireshark")
          ->option_text("FILE")
          ->group(kWatching)
          ->check(not_empty())
          ->each(
              [&options](const std::string& file) { options.results.stdout_taken = file == "-"; });
  command
      .add_option("--nic", options.watching.nic,
                  "With --pcapng: copy only the frames that this NIC sees (kang or kang.eth1)")
      ->option_text("HOST")
      ->group(kWatching)
      ->check(not_empty())
      ->needs(pcapng);
}

void add_run_result_options(CLI::App& command, RunOptions& options) {
  command.add_option("--out", options.out, "Write the folder of each run into DIR")
      ->option_text("DIR")
      ->group(kResults)
      ->check(not_empty())
      ->capture_default_str();
  command
      .add_option("--html", options.html, "Write a web page of each run, and an index, into DIR")
      ->option_text("DIR")
      ->group(kResults)
      ->check(not_empty());
  add_result_options(command, options.results, kResults);
}

std::uint64_t random_seed() { return std::random_device{}() % kMostDrawn; }

bool is_limit_of_seconds(const std::string& limit) { return limit.starts_with("seconds="); }

}  // namespace

std::vector<ScriptInfo> ScenarioSelection::scenarios() const {
  std::vector<ScriptInfo> scripts;
  for (const auto& choice : Catalogue(Catalogue::default_folder()).choose(selectors))
    for (ScriptInfo& scenario : scenarios_of(choice)) scripts.push_back(std::move(scenario));
  return narrow(std::move(scripts), topics, tags);
}

std::vector<base::Family> ScenarioSelection::families() const {
  if (family == "4") return {base::Family::ipv4};
  if (family == "6") return {base::Family::ipv6};
  return {base::Family::ipv4, base::Family::ipv6};
}

lab::RunLimits RunOptions::run_limits() const {
  lab::RunLimits chosen = lab::usual_limits();
  if (!watching.step) chosen.timeout = timers == "stock" ? kStockTimeout : kFastTimeout;
  if (timeout) chosen.timeout = std::chrono::seconds(*timeout);
  // The user waits at most as long, also while a clock that jumps passes slowly.
  if (timeout.value_or(0) != 0) chosen.seconds = std::min<std::uint64_t>(chosen.seconds, *timeout);
  for (const std::string& each : limits) lab::set_limit(chosen, each);
  return chosen;
}

std::map<std::string, std::string> RunOptions::parameters() const {
  std::map<std::string, std::string> all;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      throw base::UsageError("--set " + setting + ": write it as NAME=VALUE");
    all[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  return all;
}

std::optional<std::uint64_t> RunOptions::perturbation() const {
  if (perturb.empty()) return std::nullopt;
  return perturb == kAnySeed ? random_seed() : std::stoull(perturb);
}

std::size_t RunOptions::jobs_at_once(const lab::KernelChoice& choice) const {
  return jobs_chosen ? jobs : usual_jobs(choice, jobs);
}

void StackOptions::add_to(lab::KernelChoice& choice) const {
  if (stacks.empty() && !boot.empty())
    throw base::UsageError("--boot is for hosts with a TCP stack of their own; add --stack");
  require_namespaces(choice, "--stack", !stacks.empty());
  choice.stacks = lab::choose_stacks(stacks);
  for (auto& [host, stack] : choice.stacks)
    if (!boot.empty()) stack.boot = *parse_duration(boot);
}

lab::KernelChoice RunOptions::kernel_choice() const {
  lab::KernelChoice choice = lab::choose_kernel(hosts.kernel);
  if (!choice.is_own() && hosts.stacks.stacks.empty() && !hosts.clock.empty())
    throw base::UsageError(
        "--clock needs kernel hosts or stack hosts; add --kernel VERSION or --stack HOST=STACK");
  if (choice.is_own() && tracepoints && !choice.has_tracepoints)
    throw base::UsageError("--tracepoints: " + choice.kernel.string() + " (Linux " +
                           choice.release +
                           ") has none; build a kernel that has them: tcplab kernels build 6.12");
  require_namespaces(choice, "--trust", trust);
  choice.is_virtual = hosts.clock != "real";
  hosts.stacks.add_to(choice);
  if (hosts.clock == "virtual") lab::require_lab_clock(choice.stacks);
  if (!(choice.is_own() && choice.is_virtual) && std::ranges::any_of(limits, is_limit_of_seconds))
    throw base::UsageError("--limit seconds is for hosts whose clock jumps; use --timeout SECONDS");
  return choice;
}

void RunOptions::check() const {
  if (watching.verbose && !watching.is_drawn())
    throw base::UsageError("--verbose needs --live or --step");
  if (jobs_chosen && jobs > 1 && watching.is_drawn())
    throw base::UsageError(std::string(watching.live ? "--live" : "--step") +
                           " shows one run at a time; omit --jobs");
}

std::shared_ptr<RunOptions> add_run_options(CLI::App& command) {
  auto options = std::make_shared<RunOptions>();
  add_selection_options(command, *options);
  add_execution_options(command, *options);
  add_order_options(command, *options);
  add_watching_options(command, *options);
  add_run_result_options(command, *options);
  return options;
}

void add_kernel_option(CLI::App& command, std::string& kernel, const std::string& group) {
  command
      .add_option("--kernel", kernel,
                  "Choose the kernel of the hosts: this one, or a User-mode Linux (tcplab kernels)")
      ->option_text("this|VERSION|PATH")
      ->group(group)
      ->check(not_empty())
      ->capture_default_str();
}

void add_stack_options(CLI::App& command, StackOptions& options, const std::string& group) {
  command
      .add_option("--stack", options.stacks,
                  "Give a host another TCP stack: kodos=lwip (tcplab stacks); repeatable")
      ->type_name("HOST=STACK")
      ->group(group)
      ->check(not_empty());
  command
      .add_option("--boot", options.boot,
                  "Let a stack of --stack take this long until it is ready; 10s by default")
      ->type_name("TIME")
      ->group(group)
      ->check(a_duration());
}

std::size_t usual_jobs(const lab::KernelChoice& on, std::size_t most) {
  if (!on.is_own() || !on.is_virtual) return most;
  return std::max(1U, std::thread::hardware_concurrency());
}

void require_namespaces(const lab::KernelChoice& on, const std::string& option, bool is_used) {
  if (on.is_own() && is_used)
    throw base::UsageError(option + " needs namespace hosts; omit it, or --kernel");
}

}  // namespace tcplab::app
