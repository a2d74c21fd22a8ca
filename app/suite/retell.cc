#include "app/suite/retell.hh"

#include <iostream>

#include "base/error.hh"
#include "capture/event/event_log.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

Retold retell(const std::filesystem::path& run, reports::Report& report) {
  const auto file = std::filesystem::is_directory(run) ? run / "events.jsonl" : run;
  capture::EventReader events(file.string());
  bool has_end = false;
  while (const auto event = events.next()) {
    report.event(*event);
    has_end = std::holds_alternative<capture::RunEnd>(event->body);
  }
  report.finish();
  if (events.truncated())
    std::cerr << reports::message(file.string() + ": the last line is incomplete");
  return {.is_cut_off = events.truncated(), .has_end = has_end};
}

bool has_events(const std::filesystem::path& run) {
  try {
    capture::EventReader events((run / "events.jsonl").string());
    return events.next().has_value();
  } catch (const base::UsageError&) {
    return false;
  }
}

}  // namespace tcplab::app
