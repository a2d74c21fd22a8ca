// Ends runs that use too much of the machine, or that take too long. It works in the process that
// started the runs, so it does not delay a wire, and works while a run gets no processor. It tells
// a run why it must end. A run that does not end soon is killed: the kernel then kills everything
// that the run started. Single-threaded.
#pragma once

#include <sys/types.h>

#include <functional>
#include <list>
#include <string>

#include "base/clock.hh"
#include "base/file_descriptor.hh"
#include "lab/machine/machine_share.hh"
#include "lab/machine/run_limits.hh"
#include "lab/machine/run_usage.hh"

namespace tcplab::app {

/// A run, as its guard knows it.
struct GuardedRun {
  pid_t process = 0;
  lab::RunLimits limits{};
  bool has_virtual_clock = false;
  bool is_stepped = false;
  base::FileDescriptor socket{};                             // to ScriptedRun::heed()
  std::function<std::string()> awaited{};                    // what its script waits for
  std::function<void(const std::string& reason)> on_kill{};  // called before it is killed
};

class RunGuard {
public:
  void add(GuardedRun run);
  /// To be called when the run has ended.
  void remove(pid_t process);
  /// To be called 20 times a second. Most calls take a few microseconds.
  void tick();

private:
  using Used = std::uint64_t lab::RunUsage::*;

  struct Watched {
    GuardedRun run;
    base::Instant started{};
    lab::RunUsage usage{};
    std::string reason{};       // why it must end; empty: it need not
    base::Instant told{};       // when it was told the reason
    Used passed = nullptr;      // of what it uses too much
    std::uint64_t ceiling = 0;  // if it uses even more than this, it is killed
    bool is_killed = false;
  };

  bool is_due(base::Instant now) const;
  void look();
  void judge();
  void judge_together(Used used, std::uint64_t most, const char* predicate, const char* name);
  std::uint64_t total(Used used) const;
  std::uint64_t most_processes() const;
  bool may_have_passed() const;
  static void tell(Watched& watched, Used used, const std::string& reason);
  static void end_late(Watched& watched, base::Instant now);
  static void kill(Watched& watched);

  std::uint64_t possible_processes_ = lab::possible_processes();
  std::list<Watched> runs_;
  lab::MachineUsage machine_{};  // at the last look
  base::Instant next_{};         // when the next look is due
  base::Instant soonest_{};
};

}  // namespace tcplab::app
