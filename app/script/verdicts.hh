// What a script judges: its verdicts, which go to the timeline, and what a busy machine excuses.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/script/cursors.hh"
#include "app/script/script.hh"
#include "base/clock.hh"
#include "lab/laboratory.hh"

namespace tcplab::app {

class Verdicts {
public:
  /// `slack`: how much later than by the kernel's formula a time may be, on a busy machine.
  Verdicts(const Script& script, lab::Laboratory& laboratory, const Cursors& cursors,
           base::nanoseconds slack)
      : script_(script), laboratory_(laboratory), cursors_(cursors), slack_(slack) {}
  Verdicts(const Verdicts&) = delete;
  Verdicts& operator=(const Verdicts&) = delete;

  /// Called when a verdict has failed, which ends the coroutine of the script.
  std::function<void(const std::string& reason)> on_failed;
  /// The last verdict, if it failed.
  const std::optional<capture::Verdict>& failed() const { return failed_; }
  bool requirement_does_not_arise() const { return requirement_does_not_arise_; }

  /// Puts the verdict on the timeline.
  void append(capture::Verdict verdict);

  // The following are for verbs. They return what the verb must return.

  /// Makes a verdict, and puts it on the timeline.
  int judge(bool passed, const std::string& expected, const std::string& seen,
            const std::string& host, int line);
  /// Makes the verdict of the requirement that the scenario tests (`requires`).
  int judge_requirement(bool passed, const std::string& expected, const std::string& seen,
                        int line);
  /// Notes that the stack never does what the requirement is about. The run then ends as skipped.
  void note_that_requirement_does_not_arise() { requirement_does_not_arise_ = true; }
  /// Makes a verdict about a measured time. A time that passed while a person held a frame is
  /// noted, not judged, unless the clock stood still.
  int judge_time(bool passed, const std::string& expected, const std::string& seen, int line);
  /// Puts on the timeline that an expectation is not checked, because it holds on newer kernels.
  /// Returns the number of results of the verb: none.
  int leave_unchecked(const std::string& since, const std::string& expected,
                      const std::string& host, int line);

  /// Returns whether the hosts have that version of Linux, or a newer one: "6.5". Any kernel will
  /// do if it is empty. Throws base::UsageError if it is no version.
  bool has_kernel(const std::string& since) const;
  /// How much later than by the kernel's formula a time may be. A clock that passes more slowly
  /// than the machine's sees less of the machine's delays.
  base::nanoseconds slack() const { return slack_ / base::time_course().slowness; }
  bool has_virtual_clock() const { return laboratory_.config().has_virtual_clock(); }
  /// Returns how long the run and its programs waited for a processor.
  base::nanoseconds waited_for_processor() const;

private:
  int judge(capture::Verdict verdict);

  const Script& script_;
  lab::Laboratory& laboratory_;
  const Cursors& cursors_;
  base::nanoseconds slack_;
  std::optional<capture::Verdict> failed_;
  bool requirement_does_not_arise_ = false;
};

}  // namespace tcplab::app
