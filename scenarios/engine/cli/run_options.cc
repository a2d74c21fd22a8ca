#include "scenarios/engine/cli/run_options.hh"

#include "base/error.hh"
#include "scenarios/engine/cli/command_line.hh"

namespace tcplab::engine {

namespace {

void add_choice_options(CommandLine& command, RunOptions& options) {
  command.add_option("WHICH", options.selectors,
                     "names, topics, tags, files or folders; all of them when none is given");
  // One word each time: the words after it are WHICH.
  command.add_option("--topic", options.topics, "of these, only those of this topic (repeatable)")
      .allow_extra_args(false);
  command.add_option("--tag", options.tags, "of these, only those with this tag (repeatable)")
      .allow_extra_args(false);
  command.add_option("--family", options.family, "which Internet Protocol")
      .check(one_of({"4", "6", "both"}))
      .each([&options](const std::string&) { options.family_chosen = true; })
      .capture_default_str();
  command
      .add_option("--timers", options.timers,
                  "fast: seconds; stock: the kernel's defaults, minutes")
      .check(one_of({"fast", "stock"}))
      .capture_default_str();
  command.add_option("--repeat", options.repeat, "how often")
      .check(in_range(1, 100000))
      .capture_default_str();
}

void add_order_options(CommandLine& command, RunOptions& options) {
  command.add_option("-j,--jobs", options.jobs, "how many at once (they mostly wait)")
      .check(in_range(1, 256))
      .each([&options](const std::string&) { options.jobs_chosen = true; })
      .capture_default_str();
  command
      .add_option("--shard", options.shard,
                  "K/N: only the K-th of N parts; the same parts on every machine")
      .check(not_empty());
  const CommandOption shuffle =
      command.add_flag("--shuffle", options.shuffle, "in an order of chance");
  command
      .add_option("--seed", options.seed, "with --shuffle: the order that this number stands for")
      .check(at_least(0))
      .needs(shuffle);
  const CommandOption fast =
      command.add_flag("--fail-fast", options.fail_fast, "ends with the first failure");
  command.add_option("--max-fail", options.max_fail, "ends with the N-th failure")
      .check(at_least(1))
      .type_name("N")
      .excludes(fast);
}

void add_report_options(CommandLine& command, RunOptions& options) {
  command.add_option("--out", options.out, "where each run leaves its folder")
      .check(not_empty())
      .capture_default_str();
  command.add_option("--html", options.html, "a folder: a page for each run, and an index")
      .check(not_empty());
  const CommandOption pcapng =
      command
          .add_option(
              "--pcapng", options.pcapng,
              "a copy of the capture while the run goes on, for Wireshark; - is standard output")
          .type_name("FILE")
          .check(not_empty())
          .each(
              [&options](const std::string& file) { options.results.stdout_taken = file == "-"; });
  command
      .add_option("--nic", options.nic,
                  "of the copy: only what this host's NIC sees (kang, kang.eth1), as tcpdump there")
      .type_name("HOST")
      .check(not_empty())
      .needs(pcapng);
  add_result_options(command, options.results);
  const CommandOption live =
      command.add_flag("--live", options.live, "shows each run as it happens, one after the other");
  command
      .add_flag("--step", options.step,
                "one run, each frame of which hangs in the air until a key is pressed")
      .excludes(live);
  command.add_flag("--kernel", options.kernel,
                   "as root: what the hosts' kernels say, too, such as why one drops a frame");
  command.add_flag("-v,--verbose", options.verbose, "with --live and --step: every call and frame");
}

}  // namespace

std::vector<base::Family> RunOptions::families() const {
  if (family == "4") return {base::Family::ipv4};
  if (family == "6") return {base::Family::ipv6};
  return {base::Family::ipv4, base::Family::ipv6};
}

void RunOptions::check() const {
  if (verbose && !live && !step)
    throw base::UsageError("--verbose is about what --live or --step shows; add one of them");
  if (jobs_chosen && jobs > 1 && (live || step))
    throw base::UsageError(std::string(live ? "--live" : "--step") +
                           " shows one run at a time: leave --jobs out, or it");
}

std::shared_ptr<RunOptions> add_run_options(CommandLine& command) {
  auto options = std::make_shared<RunOptions>();
  add_choice_options(command, *options);
  add_order_options(command, *options);
  add_report_options(command, *options);
  return options;
}

}  // namespace tcplab::engine
