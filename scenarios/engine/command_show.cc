#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "base/error.hh"
#include "capture/event_log.hh"
#include "reports/ladder.hh"
#include "scenarios/engine/commands.hh"

namespace tcplab::engine {

namespace {

int show(const std::string& run, bool verbose) {
  std::filesystem::path file = run;
  if (std::filesystem::is_directory(file)) file /= "events.jsonl";
  capture::EventReader events(file.string());
  reports::Style style = style_of(STDOUT_FILENO);
  style.verbose = verbose;
  reports::Ladder ladder(std::cout, style);
  while (const auto event = events.next()) ladder.event(*event);
  ladder.finish();
  if (events.truncated())
    std::cerr << "tcplab: " << file.string() << ": the last line is cut off\n";
  return 0;
}

}  // namespace

void add_show_command(CLI::App& app, Command& chosen) {
  auto run = std::make_shared<std::string>();
  auto verbose = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("show", "The ladder of a run that has been");
  command->add_option("RUN", *run, "a run's folder, or its events.jsonl")->required();
  command->add_flag("-v,--verbose", *verbose, "every call and frame");
  command->callback(
      [run, verbose, &chosen] { chosen = [run, verbose] { return show(*run, *verbose); }; });
}

}  // namespace tcplab::engine
