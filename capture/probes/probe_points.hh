// Stops traced programs at USDT probes, and reports these. A breakpoint takes the place of each
// probe's nop, so a probe that nobody has chosen costs nothing, and neither root nor a kernel
// module is needed. x86-64 only.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "capture/calls/call_observer.hh"
#include "capture/calls/stop_points.hh"
#include "capture/memory/process_image.hh"
#include "capture/probes/probe_choice.hh"

namespace tcplab::capture {

/// Returns whether tcplab can stop programs at probes on this machine.
constexpr bool can_stop_at_probes() {
#if defined(__x86_64__)
  return true;
#else
  return false;
#endif
}

/// The files with probes that processes have mapped. A file is read once.
class ProbeFiles {
public:
  /// Returns the probes of the file; null without any. `place`: where to open it.
  std::shared_ptr<const ProbeFile> read(const std::string& place);

  /// The names of all probes in the files so far.
  const std::set<std::string>& names() const { return names_; }

private:
  /// A file that is written again, or another one with the inode of a deleted one, differs.
  struct Version {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::int64_t size = 0;
    std::chrono::nanoseconds written{};
    std::chrono::nanoseconds changed{};

    auto operator<=>(const Version&) const = default;
  };

  std::map<Version, std::shared_ptr<const ProbeFile>> files_;
  std::set<std::string> names_;
};

class ProbePoints : public StopPoints {
public:
  /// Called once for each reason why chosen probes of a process are not seen.
  using Tell = std::function<void(const StoppedThread& thread, const std::string& why)>;

  ProbePoints(CallObserver& observer, Tell tell) : observer_(observer), tell_(std::move(tell)) {}

  /// Chooses probes of a program, before it starts. Others are left alone.
  void choose(TracedProgram program, ProbeChoice choice) {
    chosen_[program].choice = std::move(choice);
  }
  void forget(TracedProgram program) { chosen_.erase(program); }

  void at_exec(const StoppedThread& thread) override;
  void at_mapping(const StoppedThread& thread, const MappedPart& part) override;
  bool at_trap(const StoppedThread& thread) override;
  void ended(pid_t process) override { processes_.erase(process); }

  /// Returns the patterns that no probe of the program has matched.
  std::vector<std::string> unmatched(TracedProgram program) const;
  /// The names of all probes that the programs have.
  const std::set<std::string>& names() const { return files_.names(); }

private:
  /// Whether a probe already has a breakpoint, as in a forked process.
  enum class Placed : std::uint8_t { now, before, refused };
  struct Chosen {
    ProbeChoice choice{};
    std::set<std::string> used{};  // names
  };
  struct Point {
    std::shared_ptr<const ProbeFile> file;
    const ProbeSite* site = nullptr;  // of that file
  };
  /// A byte of a file.
  struct FilePlace {
    FileIdentity file;
    std::uint64_t offset = 0;
  };
  struct Process {
    std::map<Address, Point> points;
    std::map<Address, FilePlace> semaphores;  // not counted up yet
  };

  void find_points(const StoppedThread& thread, Chosen& chosen);
  void place_in(const StoppedThread& thread, const Mapping& mapping,
                const std::shared_ptr<const ProbeFile>& file, Process& process, Chosen& chosen);
  Placed place_at(const StoppedThread& thread, Address address, const ProbeSite& site,
                  const std::string& path);
  static void count_semaphores(const StoppedThread& thread, const MappedPart& part,
                               Process& process);
  void refuse(const StoppedThread& thread, const std::string& path, const std::string& why);

  CallObserver& observer_;
  Tell tell_;
  ProbeFiles files_;
  std::map<pid_t, Process> processes_;
  std::map<TracedProgram, Chosen> chosen_;
  std::set<std::pair<pid_t, std::string>> refused_;  // told
};

}  // namespace tcplab::capture
