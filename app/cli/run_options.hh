// The options of `tcplab run`, and those that it shares with other commands that make hosts.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/catalogue/catalogue.hh"
#include "app/cli/result_files.hh"
#include "base/endpoint.hh"
#include "lab/hosts/kernel_choice.hh"
#include "lab/machine/run_limits.hh"

namespace CLI {
class App;
}  // namespace CLI

namespace tcplab::app {

/// Which scenarios run, and on which Internet Protocol.
struct ScenarioSelection {
  std::vector<std::string> selectors{};
  std::vector<std::string> topics{};
  std::vector<std::string> tags{};
  std::string shard{};
  std::string family = "both";
  bool family_chosen = false;

  /// Returns the chosen scenarios. Throws base::UsageError for a name that no scenario has.
  std::vector<ScriptInfo> scenarios() const;
  std::vector<base::Family> families() const;
};

/// How a person watches the runs.
struct WatchingOptions {
  bool live = false;
  bool step = false;
  bool verbose = false;
  std::string pcapng{};
  std::string nic{};  // "kang" or "kang.eth1": copy only the frames of this NIC

  /// Returns whether the runs are drawn while they happen, one after the other.
  bool is_drawn() const { return live || step; }
};

struct ShuffleOptions {
  bool is_on = false;
  std::optional<std::uint64_t> seed{};
};

/// Hosts with a TCP stack of their own.
struct StackOptions {
  std::vector<std::string> stacks{};  // "kodos=lwip"
  std::string boot{};                 // how long a stack may take until it is ready: "3m"

  /// Throws base::UsageError.
  void add_to(lab::KernelChoice& choice) const;
};

/// What the hosts are made of.
struct HostChoiceOptions {
  std::string kernel{lab::kThisKernel};
  std::string clock{};  // "virtual" or "real"; empty: not chosen
  StackOptions stacks{};
};

struct RunOptions {
  ScenarioSelection selection{};
  WatchingOptions watching{};
  ShuffleOptions shuffle{};
  std::size_t jobs = 16;
  bool jobs_chosen = false;
  std::string timers = "fast";
  int repeat = 1;
  std::string perturb{};                   // a seed, or kAnySeed; empty: nothing is delayed
  std::optional<std::uint64_t> timeout{};  // seconds
  std::vector<std::string> limits{};       // "events=1000"
  std::vector<std::string> settings{};     // "name=text", for lab:parameter
  bool fail_fast = false;
  std::size_t max_fail = 0;
  std::string out = "runs";
  std::string html{};
  ResultFiles results{};
  bool tracepoints = false;
  bool trust = false;  // programs are not contained
  HostChoiceOptions hosts{};

  /// Returns whether each scenario runs only once: if a person watches it, and did not choose
  /// --family.
  bool is_one_family() const {
    return (watching.is_drawn() || !watching.pcapng.empty()) && !selection.family_chosen;
  }
  /// Returns the seed of --perturb; nothing without it. Draws one if the user names none.
  std::optional<std::uint64_t> perturbation() const;
  /// Throws base::UsageError for options that contradict each other.
  void check() const;
  /// Returns the number of failures that stops the suite; 0 if none does.
  std::size_t most_failures() const { return fail_fast ? 1 : max_fail; }
  /// Returns the values for lab:parameter. Throws base::UsageError unless each is NAME=VALUE.
  std::map<std::string, std::string> parameters() const;
  /// Returns how many scenarios run at once. On kernel hosts whose time jumps, the default is one
  /// for each processor.
  std::size_t jobs_at_once(const lab::KernelChoice& choice) const;
  /// Returns the kernel of the hosts. Throws base::UsageError if there is no such kernel.
  lab::KernelChoice kernel_choice() const;
  /// Throws base::UsageError for a limit that does not exist.
  lab::RunLimits run_limits() const;
};

/// Adds the options to the command. Parsing the command line fills in the result.
std::shared_ptr<RunOptions> add_run_options(CLI::App& command);

/// Adds --kernel to the command. Parsing the command line fills in `kernel`, for choose_kernel().
void add_kernel_option(CLI::App& command, std::string& kernel, const std::string& group);
void add_stack_options(CLI::App& command, StackOptions& options, const std::string& group);

/// Returns how many runs go on at once by default: `most`, or one for each processor if time jumps.
std::size_t usual_jobs(const lab::KernelChoice& on, std::size_t most);

/// Throws base::UsageError if `option`, which needs namespaces, is used with kernel hosts.
void require_namespaces(const lab::KernelChoice& on, const std::string& option, bool is_used);

}  // namespace tcplab::app
