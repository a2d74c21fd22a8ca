#include "app/trace/trace_probes.hh"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/error.hh"
#include "base/nearest.hh"
#include "capture/probes/probe_list.hh"
#include "lab/programs/needs.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

constexpr capture::TracedProgram kProgram = 0;  // the only one of a trace (TracedChild)

capture::ProbeChoice usable_choice(std::vector<std::string> patterns) {
  capture::ProbeChoice choice("--probe", std::move(patterns));
  if (!choice.is_empty() && !capture::can_stop_at_probes())
    throw base::UsageError("--probe: tcplab can stop programs at probes on x86-64 only");
  return choice;
}

/// The file of a program; throws base::UsageError if there is none.
std::string file_of(const std::string& program) {
  const std::string file = lab::find_program(program);
  return file.empty() ? program : file;  // a library is not executable
}

std::string text_of(const capture::ProbesOfFile& file) {
  std::string text = reports::printable(file.path);
  text += file.is_native ? "\n" : "  (code for another kind of processor, such as 32-bit)\n";
  for (const auto& [signature, places] : file.places)
    text += fmt::format("  {}{}\n", reports::printable(signature),
                        places == 1 ? "" : fmt::format("  {} places", places));
  return text;
}

}  // namespace

int print_probes(const std::string& program) {
  const std::string file = file_of(program);
  const capture::ProbeList list = capture::list_probes(file);
  for (const capture::ProbesOfFile& each : list.files) fmt::print("{}", text_of(each));
  if (list.files.empty())
    fmt::print("no USDT probes in {}{} or the libraries that it is linked with\n",
               reports::printable(list.program),
               list.is_script ? " (the interpreter of " + reports::printable(file) + ")" : "");
  for (const std::string& library : list.missing)
    fmt::print("not found, and not looked at: {}\n", reports::printable(library));
  return 0;
}

TraceProbes::TraceProbes(std::vector<std::string> patterns, std::string program,
                         capture::CallObserver& observer, Tell tell)
    : choice_(usable_choice(std::move(patterns))),
      program_(std::move(program)),
      tell_(std::move(tell)),
      points_(observer, [this](const capture::StoppedThread& thread, const std::string& why) {
        tell_(fmt::format("process {}: cannot stop at some probes: {}", thread.process, why));
      }) {
  points_.choose(kProgram, choice_);
  if (!is_empty()) check();
}

void TraceProbes::check() const {
  capture::ProbeList list;
  try {
    list = capture::list_probes(file_of(program_));
  } catch (const base::UsageError&) {
    return;  // exec will say why
  }
  for (const std::string& pattern : choice_.patterns()) {
    const bool is_there = std::ranges::any_of(list.names, [&pattern](const std::string& name) {
      return capture::matches_probe(pattern, name);
    });
    if (!is_there)
      tell_(
          fmt::format("{0} has no probe {1} now, but what it loads or starts may have it{2} (its "
                      "probes: tcplab trace --probes {0})",
                      program_, pattern, base::probable_words(list.names, pattern)));
  }
}

void TraceProbes::finish() const {
  for (const std::string& pattern : points_.unmatched(kProgram))
    tell_(fmt::format("no program and no library of this trace had a probe {}{}", pattern,
                      base::probable_words(points_.names(), pattern)));
}

}  // namespace tcplab::app
