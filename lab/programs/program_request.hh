// What a program is started with, and what its parts share: LabProgram.
#pragma once

#include <string>
#include <vector>

#include "lab/home/program_options.hh"
#include "lab/machine/run_limits.hh"
#include "lab/programs/delayed_acts.hh"
#include "lab/record/timeline.hh"
#include "netns/machine.hh"

namespace tcplab::lab {

class CallWatcher;

struct ProgramRequest {
  std::string name;                     // on the timeline: "dnc", "dnc-2"
  std::string shown;                    // the command as the script has it
  netns::SpawnRequest spawn;            // without descriptors
  bool reports_calls = false;           // dnc: gets --events FD
  CallWatcher* watcher = nullptr;       // records its calls; null: nobody does, or it does itself
  std::vector<std::string> stacks{};    // which failing calls have their stack (FailingCalls)
  std::vector<std::string> abort_on{};  // at which calls it is aborted (FailingCalls)
  std::string core{};                   // the path of its core file then, without ".PID"
  std::vector<std::string> probes{};    // patterns of USDT probes that become events
  std::vector<GivenInjection> injections{};  // in force from its first call on
  Budget* output = nullptr;                  // of the bytes that it writes; null: no limit
};

/// What a program needs of its laboratory.
struct ProgramSurroundings {
  boost::asio::io_context& loop;
  Timeline& timeline;
  Clock& clock;
  Perturbation& perturbation;
};

/// Whether it runs, and how it ended.
struct ProgramState {
  bool is_running = true;
  bool is_asked_to_end = false;
  bool has_succeeded = false;
  std::string ending{};  // "exited with status 1"; empty while it runs
};

}  // namespace tcplab::lab
