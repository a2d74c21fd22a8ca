// The options --probe and --probes of `tcplab trace`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "capture/calls/call_filter.hh"
#include "capture/probes/probe_points.hh"

namespace tcplab::app {

/// Prints the probes of a program. Returns the exit status. Throws base::UsageError if the program
/// cannot be read.
int print_probes(const std::string& program);

/// The probes of a trace.
class TraceProbes {
public:
  /// Called with a sentence about probes that are not seen.
  using Tell = std::function<void(const std::string& text)>;

  /// To be made before the program starts. Tells which patterns it does not have: it may still load
  /// them, or start a program that has them. Throws base::UsageError for a bad pattern, and on a
  /// machine whose probes cannot be used.
  TraceProbes(std::vector<std::string> patterns, std::string program,
              capture::CallObserver& observer, Tell tell);

  bool is_empty() const { return choice_.is_empty(); }
  capture::StopPoints& points() { return points_; }
  /// What the filter of the program must stop at.
  capture::FileMappings mappings() const {
    return is_empty() ? capture::FileMappings::unseen : capture::FileMappings::seen;
  }

  /// Tells which patterns have matched no probe of any program.
  void finish() const;

private:
  void check() const;

  capture::ProbeChoice choice_;
  std::string program_;
  Tell tell_;
  capture::ProbePoints points_;
};

}  // namespace tcplab::app
