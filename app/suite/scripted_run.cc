#include "app/suite/scripted_run.hh"

#include <boost/asio/io_context.hpp>
#include <utility>

#include "app/script/last_lines.hh"
#include "app/verbs/script_interface.hh"
#include "base/error.hh"
#include "lab/programs/needs.hh"
#include "netns/environment.hh"

namespace tcplab::app {

namespace {

std::optional<capture::Question> question_of(const ScriptInfo& info) {
  if (!info.quiz) return std::nullopt;
  capture::Question question{.asks = info.quiz->asks, .choices = {}};
  for (const reports::QuizChoice& choice : info.quiz->choices)
    question.choices.push_back({choice.text, choice.right, choice.because});
  return question;
}

}  // namespace

ScriptedRun::ScriptedRun(Script script, const lab::LaboratoryConfig& config,
                         base::nanoseconds slack)
    : script_(std::move(script)),
      laboratory_(config),
      context_(script_, laboratory_, slack),
      real_timeout_(laboratory_.loop()) {
  install_script_interface(script_.sandbox().state());
}

capture::RunStart ScriptedRun::run_start() const {
  const ScriptInfo& info = script_.info();
  return {.scenario = info.name,
          .title = info.title,
          .asks = info.asks,
          .article = info.article,
          .here = info.here,
          .why = info.why,
          .source = info.source,
          .file = info.file,
          .tags = info.tags,
          .family = laboratory_.config().family,
          .timers = std::string(name(laboratory_.config().timers)),
          .kernel = laboratory_.config().kernel(),
          .stacks = laboratory_.config().on.stack_words(),
          .machine = laboratory_.config().on.is_own() ? std::vector<std::string>{}
                                                      : netns::environment_notes(),
          .wall_offset = laboratory_.wall_offset(),
          .script = script_.text(),
          .quiz = question_of(info)};
}

void ScriptedRun::check_needs() {
  const std::string& since = script_.info().since;
  if (!context_.verdicts().has_kernel(since))
    throw lab::Skip("what it expects holds since Linux " + since + "; its hosts have Linux " +
                    laboratory_.config().kernel());
  for (const std::string& need : script_.info().needs) {
    const lab::KernelChoice& on = laboratory_.config().on;
    if (const auto missing = lab::missing_need(need, on)) throw lab::Skip(*missing);
    if (const std::string name = lab::needed_sysctl(need); on.is_own() && !name.empty())
      laboratory_.power().require_sysctl(name);
    if (need == lab::kTracepointsNeed) laboratory_.listen_to_kernels();
  }
}

void ScriptedRun::limit_time() {
  const lab::RunLimits& limits = laboratory_.config().limits;
  const base::nanoseconds timeout = limits.timeout;
  if (timeout.count() == 0) return;
  timeout_ = laboratory_.clock().make_alarm();
  timeout_->set(laboratory_.started() + timeout, [this, &limits] {
    throw base::LabError(lab::passed_timeout(limits, context_.waiter().awaited()));
  });
}

/// A virtual clock jumps only while all hosts rest. A host that never rests would make a run of
/// seconds last for hours. A run that a person steps through lasts as long as the person likes.
void ScriptedRun::limit_real_time() {
  const std::uint64_t seconds = laboratory_.config().limits.seconds;
  const lab::LaboratoryConfig& config = laboratory_.config();
  if (seconds == 0 || !config.has_virtual_clock() || config.is_stepped) return;
  real_timeout_.expires_after(std::chrono::seconds(seconds));
  real_timeout_.async_wait([this](const boost::system::error_code& error) {
    if (!error)
      throw base::LabError(
          lab::passed_seconds(laboratory_.config().limits, context_.waiter().awaited()));
  });
}

void ScriptedRun::heed(base::FileDescriptor guard) {
  guard_ = std::make_unique<lab::PipeReader>(
      laboratory_.loop(), std::move(guard),
      [](std::string_view reason) { throw base::LabError(std::string(reason)); });
}

RunStatus ScriptedRun::run() {
  try {
    laboratory_.timeline().append(laboratory_.started(), run_start());
    check_needs();
    limit_time();
    limit_real_time();
    begin();
    laboratory_.clock().run();
  } catch (const lab::Skip& skip) {
    finish(RunStatus::skipped, skip.what());
  } catch (const base::UsageError& error) {
    finish(RunStatus::bad_script, error.what());
  } catch (const std::exception& error) {
    finish(RunStatus::broken, error.what());
  }
  try {
    end_run();
  } catch (const std::exception& error) {  // a full disk, for example
    finish(RunStatus::broken, error.what());
  }
  return *status_;
}

void ScriptedRun::finish(RunStatus status, std::string reason) {
  if (!status_ || *status_ == RunStatus::passed) {
    status_ = status;
    reason_ = std::move(reason);
  }
  laboratory_.loop().stop();
}

/// Frames that a person dropped are in no script: the timeline and the reason mention them.
void ScriptedRun::append_stepping_note() {
  const lab::Stepper& stepper = laboratory_.network().frames().stepper();
  if (!stepper.has_stopped_any()) return;
  laboratory_.timeline().append(laboratory_.clock().now(), capture::Note{stepper.account()});
  if (*status_ == RunStatus::failed) reason_ += "; " + stepper.account();
}

void ScriptedRun::end_run() {
  append_stepping_note();
  laboratory_.kernels().look();
  if (*status_ == RunStatus::bad_script)
    last_lines_ = unmatched_lines(laboratory_.timeline(), context_.waiter().cursors());
  const bool does_not_arise =
      *status_ == RunStatus::skipped && context_.verdicts().requirement_does_not_arise();
  const base::Instant now = laboratory_.clock().now();
  laboratory_.timeline().append(now, capture::RunEnd{.outcome = outcome_of(*status_),
                                                     .reason = reason_,
                                                     .duration = now - laboratory_.started(),
                                                     .last_lines = last_lines_,
                                                     .requirement_does_not_arise = does_not_arise});
  laboratory_.finish();
}

}  // namespace tcplab::app
