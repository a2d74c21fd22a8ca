#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>

#include "app/cli/commands.hh"
#include "app/cli/option_checks.hh"
#include "app/cli/result_files.hh"
#include "app/cli/workflow_commands.hh"
#include "base/error.hh"
#include "reports/suite/json_results.hh"
#include "reports/suite/merge.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

constexpr int kIncomplete = 3;  // a missing shard counts as a broken lab
constexpr std::size_t kMostNamed = 20;
constexpr std::streamoff kLargest = std::streamoff{1} << 30;

struct MergeOptions {
  std::vector<std::string> files;
  ResultFiles results;
};

std::string content(const std::string& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  const std::streamoff size = in ? static_cast<std::streamoff>(in.tellg()) : -1;
  if (!in) throw base::UsageError("cannot read " + file + ": " + strerrordesc_np(errno));
  if (size < 0 || size > kLargest)
    throw base::UsageError(file + " is not a results file: it is larger than 1 GiB");
  std::string text(static_cast<std::size_t>(size), '\0');
  in.seekg(0);
  in.read(text.data(), size);
  if (!in) throw base::UsageError("cannot read " + file + ": " + strerrordesc_np(errno));
  return text;
}

void report_missing(const std::vector<reports::Shard>& missing) {
  const bool is_one = missing.size() == 1;
  std::cerr << "tcplab: no file contains " << (is_one ? "shard " : "the shards ");
  for (std::size_t i = 0; i < missing.size() && i < kMostNamed; ++i)
    std::cerr << (i == 0 ? "" : ", ") << reports::text_of(missing[i]);
  if (missing.size() > kMostNamed) std::cerr << " and " << missing.size() - kMostNamed << " more";
  std::cerr << ": " << (is_one ? "its" : "their") << " runs are missing from these results\n";
}

void print(const reports::SuiteRecord& suite, std::ostream& out) {
  for (const reports::RunResult& result : suite.results)
    if (reports::is_trouble(result))
      out << reports::one_line(result.name + " (" + result.variant + "): " + result.reason) << "\n";
  for (const reports::RunResult& result : suite.results)
    for (const std::string& what : result.findings)
      out << reports::one_line("finding: " + result.name + ": " + what) << "\n";
  out << reports::summary_text(suite) << "\n";
}

int merge_files(const MergeOptions& options) {
  check(options.results);
  std::vector<reports::Part> parts;
  for (const std::string& file : options.files)
    parts.push_back({file, reports::parse_results(content(file), file)});
  const reports::Merged merged = reports::merge(parts);
  {
    std::ostream& out = output_for_people(options.results);
    const WorkflowCommandsOff off(options.results.github, out);
    print(merged.record, out);
  }
  write(options.results, merged.record);
  if (merged.missing.empty()) return reports::exit_status(merged.record);
  report_missing(merged.missing);
  return kIncomplete;
}

}  // namespace

void add_merge_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App& command =
      *app.add_subcommand("merge", "Join the results of shards")->group(kResultCommands);
  command.add_option("FILE", options->files, "The files that \"run --shard --results FILE\" wrote")
      ->required();
  add_result_options(command, options->results, "Options");
  command.footer(std::string(kFileHelp) +
                 "\nExit status: that of the whole suite; 3 if a shard is missing; 2 if the files "
                 "do not belong together.");
  command.callback([options, &chosen] { chosen = [options] { return merge_files(*options); }; });
}

}  // namespace tcplab::app
