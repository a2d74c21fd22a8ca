#include "app/script/script_context.hh"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/script/script_error.hh"
#include "base/error.hh"
#include "capture/event/event_json.hh"

namespace tcplab::app {

ScriptContext& context_of(const LuaCall& call) { return static_cast<ScriptContext&>(call.owner()); }

ScriptContext::ScriptContext(Script& script, lab::Laboratory& laboratory, base::nanoseconds slack)
    : script_(script),
      laboratory_(laboratory),
      waiter_(laboratory),
      handlers_(laboratory, waiter_.cursors()),
      verdicts_(script, laboratory, waiter_.cursors(), slack) {
  set_owner(script.sandbox().state(), *this);
  verdicts_.on_failed = [this](const std::string& reason) { end(RunStatus::failed, reason); };
  waiter_.on_decided = [this](const Suspension& suspension, bool met) { settled(suspension, met); };
}

void ScriptContext::start(lua_State* thread, int arguments) {
  thread_ = thread;
  boost::asio::post(laboratory_.loop(), [this, arguments] { resume(arguments); });
}

void ScriptContext::end(RunStatus status, const std::string& reason) {
  if (thread_ == nullptr) {
    if (session_goes_on_ && !stray_end_) stray_end_.emplace(status, reason);
    return;
  }
  waiter_.cancel();
  then_ = {};
  answer_ = {};
  thread_ = nullptr;
  on_end(status, reason);
}

/// Runs the coroutine until it waits or ends.
void ScriptContext::resume(int arguments) {
  if (thread_ == nullptr) return;
  if (const auto stray = std::exchange(stray_end_, std::nullopt))
    return end(stray->first, stray->second);
  int results = 0;
  int status = LUA_OK;
  {
    const Sandbox::Running limited(script_.sandbox(), thread_);
    status = lua_resume(thread_, script_.sandbox().state(), arguments, &results);
  }
  if (thread_ == nullptr) return;  // a verb has ended it
  if (status == LUA_YIELD) {
    lua_pop(thread_, results);
  } else if (status == LUA_OK) {
    script_returned();
  } else {
    const auto [how, reason] = failure_of(thread_, status);
    end(how, reason);
  }
}

/// The coroutine is kept from Lua's garbage collector while it runs.
void ScriptContext::act(int line, int function, const capture::Event* event) {
  lua_State* lua = script_.sandbox().state();
  lua_State* thread = lua_newthread(lua);
  const int reference = luaL_ref(lua, LUA_REGISTRYINDEX);
  lua_rawgeti(thread, LUA_REGISTRYINDEX, function);
  if (event != nullptr) push_event(thread, *event);
  int results = 0;
  int status = LUA_OK;
  is_acting_ = true;
  {
    const Sandbox::Running limited(script_.sandbox(), thread);
    status = lua_resume(thread, lua, event != nullptr ? 1 : 0, &results);
  }
  is_acting_ = false;
  if (status != LUA_OK && status != LUA_YIELD) {
    const auto [how, reason] = failure_of(thread, status);
    if (how == RunStatus::bad_script && on_wrong_handler)
      on_wrong_handler(line, reason);
    else
      end(how, reason);
  }
  luaL_unref(lua, LUA_REGISTRYINDEX, reference);
}

/// An expectation that the script has not finished checks nothing: the run must not pass.
void ScriptContext::script_returned() {
  handlers_.settle();
  if (thread_ == nullptr) return;  // a function of lab:when has ended it
  if (session_goes_on_) return end(RunStatus::passed, "");
  const auto problem = unfinished_.first();
  const auto missed = unfinished_.is_ignored() ? std::nullopt : handlers_.first_missed();
  if (!problem && missed) verdicts_.judge(false, missed->expected, missed->seen, "", missed->line);
  if (thread_ == nullptr) return;
  if (!problem && !unfinished_.is_ignored()) judge_injections();
  if (thread_ == nullptr) return;
  if (!problem) return end(RunStatus::passed, "");
  end(RunStatus::bad_script,
      script_.info().file + ":" + std::to_string(problem->line) + ": " + problem->what);
}

/// A rule that has never changed a call has tested nothing: the run must not pass.
void ScriptContext::judge_injections() {
  for (const auto& program : laboratory_.programs().all()) {
    const auto idle = program->calls().injections().first_idle();
    if (!idle) continue;
    const std::string seen = idle->matches == 0 ? "no call matched it"
                                                : std::to_string(idle->matches) +
                                                      " calls matched it, and its `nth` is " +
                                                      std::to_string(idle->given.rule.nth);
    verdicts_.judge(
        false, "the injection into " + idle->given.rule.call + " of " + program->title() + " acts",
        seen, program->host(), idle->given.line);
    return;
  }
}

ScriptContext::Failure ScriptContext::failure_of(lua_State* thread, int status) {
  const std::string& file = script_.info().file;
  if (status == LUA_ERRMEM)  // Lua had no memory left to say where
    return {RunStatus::bad_script, place_in(thread, file) + std::string(kNoMemory)};
  const std::string text = error_text(thread, file);
  if (!fatal_) return {RunStatus::bad_script, text};
  try {
    std::rethrow_exception(std::exchange(fatal_, nullptr));
  } catch (const lab::Skip& skip) {
    return {RunStatus::skipped, skip.what()};
  } catch (const std::exception&) {
    return {RunStatus::broken, text};
  }
}

void ScriptContext::require_may_wait() const {
  if (!is_acting_) return;
  throw base::UsageError(
      "a function of lab:when must not wait, and this verb does; wait in `run` instead");
}

int ScriptContext::suspend(std::unique_ptr<Suspension> suspension) {
  require_may_wait();
  waiter_.wait(std::move(suspension));
  return kSuspend;
}

int ScriptContext::await(std::unique_ptr<Suspension> suspension, Answer answer) {
  require_may_wait();
  answer_ = std::move(answer);
  return suspend(std::move(suspension));
}

int ScriptContext::suspend_until(std::unique_ptr<Suspension> condition, int line, Then then) {
  require_may_wait();
  condition->line = line;
  then_ = std::move(then);
  return suspend(std::move(condition));
}

std::unique_ptr<Condition> ScriptContext::condition(base::nanoseconds within, std::string expected,
                                                    std::function<Condition::Status()> ask) {
  return std::make_unique<Condition>(laboratory_.clock().now() + within, within,
                                     std::move(expected), std::move(ask));
}

void ScriptContext::settled(const Suspension& suspension, bool met) {
  if (const Answer answer = std::exchange(answer_, {})) {
    laboratory_.timeline().append(laboratory_.clock().now(),
                                  capture::Note{suspension.account(met)});
    return resume(answer(thread_, suspension, met));
  }
  if (!suspension.expected().empty() && (!met || suspension.line > 0))
    verdicts_.append({.passed = met,
                      .expected = suspension.expected() + (met ? "" : suspension.limit()),
                      .seen = suspension.seen(),
                      .nearest = met ? "" : suspension.nearest(),
                      .host = suspension.host,
                      .script = script_.info().file,
                      .line = suspension.line,
                      .code = script_.line(suspension.line)});
  if (thread_ == nullptr) return;
  // `then_` may make the script wait again.
  if (const int results = push_result(suspension); results != kSuspend) resume(results);
}

int ScriptContext::push_result(const Suspension& suspension) {
  if (const Then then = std::exchange(then_, {})) return then(thread_);
  const capture::Event* event = suspension.decisive();
  if (event == nullptr) return 0;
  push_decisive(thread_, suspension);
  return 1;
}

void ScriptContext::push_decisive(lua_State* thread, const Suspension& suspension) const {
  push_event(thread, *suspension.decisive());
  for (const auto& [name, seconds] : suspension.measured()) {
    lua_pushnumber(thread, seconds);
    lua_setfield(thread, -2, name.c_str());
  }
}

void ScriptContext::push_event(lua_State* thread, const capture::Event& event) const {
  nlohmann::json value = nlohmann::json::parse(capture::to_json_line(event));
  for (const char* field : {"t", "entered", "sent", "delivered"}) {
    const auto found = value.find(field);
    if (found == value.end()) continue;
    const auto since = base::from_nanoseconds(found->get<std::int64_t>()) - laboratory_.started();
    *found = base::in_seconds(since);
  }
  if (const auto delay = value.find("injected_delay"); delay != value.end())
    *delay = base::in_seconds(base::nanoseconds(delay->get<std::int64_t>()));
  if (event.number == 0) {  // a packet whose fate is open is not on the timeline yet
    value.erase("n");
    value.erase("fate");
  }
  push_json(thread, value);
}

void ScriptContext::act(capture::Action action) {
  laboratory_.timeline().append(laboratory_.clock().now(), std::move(action));
}

void ScriptContext::call_failed(const std::exception& error) {
  const bool is_scripts_fault = dynamic_cast<const base::UsageError*>(&error) != nullptr;
  if (!is_scripts_fault) fatal_ = std::current_exception();
}

}  // namespace tcplab::app
