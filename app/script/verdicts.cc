#include "app/script/verdicts.hh"

#include <utility>

#include "app/script/last_lines.hh"
#include "app/script/lua_binding.hh"
#include "app/script/since.hh"
#include "base/kernel_version.hh"

namespace tcplab::app {

void Verdicts::append(capture::Verdict verdict) {
  if (!verdict.passed) verdict.last_lines = unmatched_lines(laboratory_.timeline(), cursors_);
  laboratory_.timeline().append(laboratory_.clock().now(), verdict);
  if (verdict.passed) return;
  const std::string reason = verdict.expected + "; " + verdict.seen;
  failed_ = std::move(verdict);
  on_failed(reason);
}

int Verdicts::judge(bool passed, const std::string& expected, const std::string& seen,
                    const std::string& host, int line) {
  return judge({.passed = passed, .expected = expected, .seen = seen, .host = host, .line = line});
}

int Verdicts::judge_requirement(bool passed, const std::string& expected, const std::string& seen,
                                int line) {
  return judge({.passed = passed,
                .expected = expected,
                .seen = seen,
                .line = line,
                .judges_requirement = true});
}

int Verdicts::judge(capture::Verdict verdict) {
  const bool passed = verdict.passed;
  verdict.script = script_.info().file;
  verdict.code = script_.line(verdict.line);
  append(std::move(verdict));
  return passed ? 0 : kSuspend;
}

int Verdicts::judge_time(bool passed, const std::string& expected, const std::string& seen,
                         int line) {
  if (!laboratory_.network().frames().stepper().has_stopped_any() ||
      laboratory_.clock().can_stand_still())
    return judge(passed, expected, seen, "", line);
  laboratory_.timeline().append(
      laboratory_.clock().now(),
      capture::Note{"not judged, for the run is stepped: " + expected + "; it was " + seen});
  return 0;
}

bool Verdicts::has_kernel(const std::string& since) const {
  return since.empty() ||
         base::version_of_release(laboratory_.config().kernel()) >= kernel_version(since);
}

int Verdicts::leave_unchecked(const std::string& since, const std::string& expected,
                              const std::string& host, int line) {
  laboratory_.timeline().append(laboratory_.clock().now(),
                                capture::Unchecked{.since = since,
                                                   .expected = expected,
                                                   .host = host,
                                                   .script = script_.info().file,
                                                   .line = line,
                                                   .code = script_.line(line)});
  return 0;
}

base::nanoseconds Verdicts::waited_for_processor() const {
  return laboratory_.processor().waited() / base::time_course().slowness;
}

}  // namespace tcplab::app
