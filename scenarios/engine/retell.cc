#include "scenarios/engine/retell.hh"

#include <iostream>

#include "capture/event_log.hh"

namespace tcplab::engine {

void retell(const std::filesystem::path& run, reports::Report& report) {
  const auto file = std::filesystem::is_directory(run) ? run / "events.jsonl" : run;
  capture::EventReader events(file.string());
  while (const auto event = events.next()) report.event(*event);
  report.finish();
  if (events.truncated())
    std::cerr << "tcplab: " << file.string() << ": the last line is cut off\n";
}

}  // namespace tcplab::engine
