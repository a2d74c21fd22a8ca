#include "scenarios/engine/script/experiment.hh"

#include <sys/utsname.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/error.hh"
#include "capture/event/event_json.hh"
#include "scenarios/engine/lab/needs.hh"
#include "scenarios/engine/script/lua_binding.hh"
#include "scenarios/engine/script/lua_lab.hh"
#include "scenarios/engine/script/script_error.hh"

namespace tcplab::engine {

using capture::Event;
using namespace std::chrono_literals;

namespace {

constexpr base::nanoseconds kAskEvery = 5ms;
// A deadline moves while somebody holds a frame in the air: so long until it is looked at again.
constexpr base::nanoseconds kHeldUp = 50ms;

}  // namespace

void call_failed(lua_State* lua, const std::exception& error) {
  Experiment& experiment = **static_cast<Experiment**>(lua_getextraspace(lua));
  const bool scripts_fault = dynamic_cast<const base::UsageError*>(&error) != nullptr;
  if (!scripts_fault) experiment.fatal_ = std::current_exception();
  luaL_where(lua, 1);
  lua_pushstring(lua, error.what());
  lua_concat(lua, 2);
}

namespace {

std::string waits_for(const Suspension& suspension, base::Instant now) {
  const std::string what = suspension.expected() + suspension.limit();
  return what.empty() ? base::describe(suspension.deadline() - now) + " to pass" : what;
}

}  // namespace

capture::Outcome outcome_of(RunStatus status) {
  switch (status) {
    case RunStatus::passed:
      return capture::Outcome::passed;
    case RunStatus::failed:
      return capture::Outcome::failed;
    case RunStatus::skipped:
      return capture::Outcome::skipped;
    case RunStatus::bad_script:
      return capture::Outcome::bad_script;
    case RunStatus::broken:
      return capture::Outcome::broken;
  }
  return capture::Outcome::broken;
}

Experiment::Experiment(const ExperimentConfig& config)
    : config_(config),
      script_(config.session ? Script(*config.session) : Script(config.script)),
      laboratory_(config.laboratory),
      alarm_(laboratory_.clock().make_alarm()) {
  lua_State* lua = script_.sandbox().state();
  *static_cast<Experiment**>(lua_getextraspace(lua)) = this;
  install_lab(lua, *this);
  laboratory_.timeline().listen([this](const Event& event) { look(event); });
}

capture::RunStart Experiment::run_start() const {
  utsname system{};
  ::uname(&system);
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
          .family = config_.laboratory.family,
          .timers = std::string(name(config_.laboratory.timers)),
          .kernel = system.release,
          .wall_offset = laboratory_.wall_offset()};
}

RunStatus Experiment::run() {
  try {
    laboratory_.timeline().append(laboratory_.started(), run_start());
    for (const std::string& need : script_.info().needs) {
      if (const auto missing = missing_need(need)) throw Skip(*missing);
      if (need == kTracepointsNeed) laboratory_.listen_to_kernels();
    }
    begin();
    laboratory_.loop().run();
  } catch (const Skip& skip) {
    finish(RunStatus::skipped, skip.what());
  } catch (const base::UsageError& error) {
    finish(RunStatus::bad_script, error.what());
  } catch (const std::exception& error) {
    finish(RunStatus::broken, error.what());
  }
  try {
    end_run();
  } catch (const std::exception& error) {  // a full disk: the reason that is there says more
    finish(RunStatus::broken, error.what());
  }
  return *status_;
}

void Experiment::begin() {
  if (config_.session) return;
  thread_ = script_.start();
  push_lab(thread_);
  boost::asio::post(laboratory_.loop(), [this] { resume(); });
}

/// Runs the script to its next suspension. Its arguments are on the coroutine's stack.
void Experiment::resume() {
  if (status_) return;
  if (thread_ == nullptr) return;
  const int first_arguments = config_.session ? 0 : 1;  // a script's run gets the lab
  const int arguments = suspension_ ? push_result() : first_arguments;
  suspension_.reset();
  decision_ = Decision::open;
  int results = 0;
  int status = LUA_OK;
  {
    const Sandbox::Running limited(script_.sandbox(), thread_);
    status = lua_resume(thread_, script_.sandbox().state(), arguments, &results);
  }
  resumed(status, results);
}

void Experiment::resumed(int status, int results) {
  if (thread_ == nullptr) return;  // the turn has ended inside of it
  if (status == LUA_YIELD) {
    lua_pop(thread_, results);
  } else if (status == LUA_OK) {
    finish(RunStatus::passed, "");
  } else {
    script_failed(status);
  }
}

void Experiment::script_failed(int status) {
  const std::string& file = script_.info().file;
  if (status == LUA_ERRMEM)  // Lua had no memory left for saying where
    return finish(
        RunStatus::bad_script,
        place_in(thread_, file) + "the script has used all the memory that it may have (64 MiB)");
  const std::string text = error_text(thread_, file);
  if (!fatal_) return finish(RunStatus::bad_script, text);
  try {
    std::rethrow_exception(std::exchange(fatal_, nullptr));
  } catch (const Skip& skip) {
    finish(RunStatus::skipped, skip.what());
  } catch (const std::exception&) {
    finish(RunStatus::broken, text);
  }
}

int Experiment::suspend(std::unique_ptr<Suspension> suspension) {
  const std::uint64_t after = cursor(suspension->stream);
  wait_for(std::move(suspension), after);
  return kSuspend;
}

int Experiment::suspend_from_now(std::unique_ptr<Suspension> suspension) {
  wait_for(std::move(suspension), laboratory_.timeline().last());
  return kSuspend;
}

int Experiment::suspend_until(base::nanoseconds within, std::string expected,
                              std::function<Condition::Status()> ask, int line, Then then) {
  auto condition = std::make_unique<Condition>(laboratory_.clock().now() + within, within,
                                               std::move(expected), std::move(ask));
  condition->line = line;
  then_ = std::move(then);
  wait_for(std::move(condition), laboratory_.timeline().last());
  return kSuspend;
}

int Experiment::suspend_asking(base::nanoseconds within, std::string expected,
                               std::function<Condition::Status()> ask, int line) {
  suspend_until(within, std::move(expected), std::move(ask), line);
  suspension_->ask_every = kAskEvery;
  return kSuspend;
}

std::uint64_t Experiment::cursor(const std::string& stream) const {
  const auto found = cursors_.find(stream);
  return stream.empty() || found == cursors_.end() ? 0 : found->second;
}

void Experiment::wait_for(std::unique_ptr<Suspension> suspension, std::uint64_t after) {
  suspension_ = std::move(suspension);
  held_before_ = laboratory_.watch().stepper().held_time();
  scanned_after_ = after;
  decision_ = Decision::open;
  is_waiting_ = false;
  if (on_waiting) on_waiting(waits_for(*suspension_, laboratory_.clock().now()));
  // From the loop, not from the script's call: a long history is not the script's own time.
  boost::asio::post(laboratory_.loop(), [this] { begin_waiting(); });
}

void Experiment::begin_waiting() {
  if (status_ || !suspension_) return;
  is_waiting_ = true;
  scan_history(scanned_after_);
  if (decision_ == Decision::open) decide(suspension_->at_start());
  wait_on();
}

/// The script's clock stands still while a frame hangs in the air for a person to look at.
base::Instant Experiment::deadline() const {
  return suspension_->deadline() + (laboratory_.watch().stepper().held_time() - held_before_);
}

void Experiment::wait_on() {
  if (decision_ != Decision::open) return;
  base::Instant next = deadline();
  if (!laboratory_.watch().stepper().hanging().empty())
    next = std::max(next, laboratory_.clock().now() + kHeldUp);
  if (suspension_->ask_every.count() > 0)
    next = std::min(next, laboratory_.clock().now() + suspension_->ask_every);
  alarm_->set(next, [this] { time_is_up(); });
}

void Experiment::scan_history(std::uint64_t after) {
  laboratory_.timeline().visit_after(after, [this](const Event& event) {
    decide(suspension_->look(event));
    return decision_ == Decision::open;
  });
}

/// Runs inside whatever has just happened, so it only decides; settling is the loop's.
void Experiment::look(const Event& event) {
  if (!is_waiting_ || !suspension_ || decision_ != Decision::open) return;
  const auto* call = std::get_if<capture::Call>(&event.body);
  // A program has said that a connection is its own: earlier events may now be about it.
  if (call != nullptr && call->remote) return scan_history(scanned_after_);
  decide(suspension_->look(event));
}

void Experiment::decide(Decision decision) {
  if (decision == Decision::open || decision_ != Decision::open) return;
  decision_ = decision;
  alarm_->cancel();
  boost::asio::post(laboratory_.loop(), [this] { settle(); });
}

void Experiment::time_is_up() {
  if (!suspension_ || decision_ != Decision::open) return;
  if (laboratory_.clock().now() < deadline()) {
    decide(suspension_->at_start());
    return wait_on();
  }
  laboratory_.look_at_all();
  if (decision_ == Decision::open) decide(suspension_->at_deadline());
}

void Experiment::settle() {
  if (status_ || !suspension_) return;
  const bool met = decision_ == Decision::met;
  const Event* decisive = suspension_->decisive();
  if (met && decisive != nullptr && !suspension_->stream.empty())
    move_cursor(suspension_->stream, decisive->number);
  if (!suspension_->expected().empty() && (!met || suspension_->line > 0)) {
    capture::Verdict verdict{
        .passed = met,
        .expected = suspension_->expected() + (met ? "" : suspension_->limit()),
        .seen = suspension_->seen(),
        .nearest = met ? "" : suspension_->nearest(),
        .host = suspension_->host,
        .script = script_.info().file,
        .line = suspension_->line,
        .code = script_.line(suspension_->line)};
    laboratory_.timeline().append(laboratory_.clock().now(), verdict);
    if (!met) {
      failed_verdict_ = verdict;
      return finish(RunStatus::failed, verdict.expected + "; " + verdict.seen);
    }
  }
  resume();
}

/// The decisive event as a table, its times in seconds since the run began.
int Experiment::push_result() {
  if (const Then then = std::exchange(then_, {})) return then(thread_);
  const Event* event = suspension_->decisive();
  if (event == nullptr) return 0;
  nlohmann::json value = nlohmann::json::parse(capture::to_json_line(*event));
  for (const char* field : {"t", "entered", "sent", "delivered"}) {
    const auto found = value.find(field);
    if (found == value.end()) continue;
    const auto since = base::from_nanoseconds(found->get<std::int64_t>()) - laboratory_.started();
    *found = std::chrono::duration<double>(since).count();
  }
  push_json(thread_, value);
  return 1;
}

int Experiment::judge(bool passed, const std::string& expected, const std::string& seen,
                      const std::string& host, int line) {
  capture::Verdict verdict{.passed = passed,
                           .expected = expected,
                           .seen = seen,
                           .nearest = {},
                           .host = host,
                           .script = script_.info().file,
                           .line = line,
                           .code = script_.line(line)};
  laboratory_.timeline().append(laboratory_.clock().now(), verdict);
  if (passed) return 0;
  failed_verdict_ = verdict;
  finish(RunStatus::failed, expected + "; " + seen);
  return kSuspend;
}

int Experiment::judge_time(bool passed, const std::string& expected, const std::string& seen,
                           int line) {
  if (!laboratory_.watch().stepper().has_stopped_any())
    return judge(passed, expected, seen, "", line);
  laboratory_.timeline().append(
      laboratory_.clock().now(),
      capture::Note{"not judged, for the run is stepped: " + expected + "; it was " + seen});
  return 0;
}

void Experiment::act(const std::string& host, const std::string& verb, const std::string& detail,
                     int line) {
  laboratory_.timeline().append(
      laboratory_.clock().now(),
      capture::Action{.host = host, .verb = verb, .detail = detail, .line = line});
}

void Experiment::finish(RunStatus status, std::string reason) {
  if (on_turn_end && thread_ != nullptr && status != RunStatus::broken)
    return end_turn(status, reason);
  if (!status_ || *status_ == RunStatus::passed) {
    status_ = status;
    reason_ = std::move(reason);
  }
  laboratory_.loop().stop();
}

/// A frame that was lost by hand is nothing that the script has been told of.
void Experiment::say_that_it_was_stepped() {
  const Stepper& stepper = laboratory_.watch().stepper();
  if (!stepper.has_stopped_any()) return;
  laboratory_.timeline().append(laboratory_.clock().now(), capture::Note{stepper.account()});
  if (*status_ == RunStatus::failed) reason_ += "; " + stepper.account();
}

void Experiment::end_run() {
  say_that_it_was_stepped();
  laboratory_.hear_kernels();
  const base::Instant now = laboratory_.clock().now();
  laboratory_.timeline().append(now, capture::RunEnd{.outcome = outcome_of(*status_),
                                                     .reason = reason_,
                                                     .duration = now - laboratory_.started()});
  laboratory_.finish();
}

}  // namespace tcplab::engine
