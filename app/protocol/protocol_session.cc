#include "app/protocol/protocol_session.hh"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <fmt/format.h>
#include <random>

#include "app/protocol/lua_values.hh"
#include "app/protocol/lua_writer.hh"
#include "app/protocol/members.hh"
#include "app/suite/failure_text.hh"
#include "app/verbs/script_interface.hh"
#include "base/error.hh"
#include "base/output_file.hh"
#include "base/utf8.hh"
#include "capture/event/event_json.hh"

namespace tcplab::app {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

constexpr const char* kChunk = "=session";
constexpr std::string_view kPlace = "session:";
constexpr std::size_t kLongestLine = 200;  // bytes of a request, as the reader of the run sees it
constexpr std::size_t kMostEvents = 10'000;

std::string random_name() { return fmt::format("{:06x}", std::random_device{}() & 0xffffffU); }

/// Removes the place from "session:3: there is no ...": it is the request that was just sent.
std::string without_place(const std::string& message) {
  if (!message.starts_with(kPlace)) return message;
  const auto end = message.find(": ");
  return end == std::string::npos ? message : message.substr(end + 2);
}

std::string cut(std::string text) {
  if (text.size() <= kLongestLine) return text;
  std::size_t end = kLongestLine;
  while (base::continues_utf8(text[end])) --end;
  return text.substr(0, end) + "...";
}

json parse(const std::string& text) {
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    throw base::UsageError(
        fmt::format("the line is not JSON, at byte {}; write one request in each line: "
                    "{{\"verb\": \"pair\"}}",
                    error.byte));
  } catch (const json::exception&) {
    throw base::UsageError("the line has a number that is too large; the largest is 1.7e308");
  }
}

/// Throws base::UsageError if a member that is no part of a call has a wrong type.
void require_types(const json& request) {
  const json& id = member(request, "id");
  if (!id.is_null() && !id.is_string() && !id.is_number())
    throw base::UsageError("`id` is a text or a number");
  const json& after = member(request, "events_after");
  if (!after.is_null() && !after.is_number_unsigned())
    throw base::UsageError("`events_after` is the number of an event, 0 before the first");
  const json& release = member(request, "release");
  if (!release.is_null() && !release.is_array())
    throw base::UsageError("`release` is a list of handles: {\"release\": [3, 4]}");
  const json& interface = member(request, "interface");
  if (!interface.is_null() && interface != true)
    throw base::UsageError("`interface` is true, or absent");
}

}  // namespace

ProtocolSession::ProtocolSession(const ScriptInfo& info, const lab::LaboratoryConfig& config,
                                 base::nanoseconds slack, RunChannelWriter& channel,
                                 base::FileDescriptor control)
    : ScriptedRun(Script(info), config, slack),
      channel_(channel),
      control_(laboratory().loop(), std::move(control)),
      handles_(script().sandbox().state(), random_name()) {
  context().set_session(true);
  laboratory().timeline().listen([this](const capture::Event& event) {
    if (std::holds_alternative<capture::Verdict>(event.body))
      verdicts_.push_back(ordered_json::parse(capture::to_json_line(event)));
  });
  context().waiter().on_waiting = [this](const std::string& what) { channel_.waiting(what); };
  context().on_end = [this](RunStatus status, const std::string& reason) {
    turn_ended(status, reason);
  };
  context().on_wrong_handler = [this](int line, const std::string& reason) {
    finish(RunStatus::bad_script,
           fmt::format("{}{}: {}: {}", kPlace, line, script().line(line), without_place(reason)));
  };
  control_.on("request", [this](const std::string& text) { take_request(text); });
  control_.on("quit", [this](const std::string&) { quit(); });
  control_.on_end = [this] { quit(); };
}

void ProtocolSession::begin() {
  laboratory().clock().hold(true);
  channel_.say("ready", handles_.session());
}

void ProtocolSession::take_request(const std::string& text) {
  answer_ = {{"id", nullptr}, {"ok", true}};
  verdicts_ = ordered_json::array();
  events_after_.reset();
  try {
    carry_out(parse(text));
  } catch (const base::UsageError& error) {
    refuse("request", error.what());
  }
}

void ProtocolSession::carry_out(const json& request) {
  const json& id = member(request, "id");
  if (id.is_string() || id.is_number()) answer_["id"] = id;
  require_members(request,
                  {"id", "on", "verb", "field", "args", "release", "events_after", "interface"},
                  "a request");
  require_types(request);
  if (const json& after = member(request, "events_after"); !after.is_null())
    events_after_ = after.get<std::uint64_t>();
  for (const json& each : member(request, "release")) handles_.release(handles_.number_of(each));
  if (member(request, "interface") == true)
    answer_["values"] = ordered_json::array({interface_json()});
  if (request.contains("verb") || request.contains("field")) return call(request);
  reply();
}

void ProtocolSession::call(const json& request) {
  LuaWriter writer(handles_, LuaWriter::For::execution);
  const std::string text = writer.call(request);
  expression_ = cut(LuaWriter(handles_, LuaWriter::For::reader).call(request));
  lua_State* lua = script().sandbox().state();
  thread_ = lua_newthread(lua);
  thread_reference_ = luaL_ref(lua, LUA_REGISTRYINDEX);
  const int status = load(text);
  script().add_line(expression_);
  laboratory().clock().hold(false);
  if (status != LUA_OK) return turn_ended(RunStatus::bad_script, lua_tostring(thread_, -1));
  handles_.push_objects(thread_, writer.objects());
  context().start(thread_, 1);
}

/// Leaves a function or an error message on the coroutine's stack. The request number N is line N
/// of the script.
int ProtocolSession::load(const std::string& lua_text) {
  const std::string chunk = std::string(static_cast<std::size_t>(script().lines()), '\n') +
                            "local h = ... return " + lua_text;
  const Sandbox::Running limited(script().sandbox(), thread_);
  return luaL_loadbufferx(thread_, chunk.data(), chunk.size(), kChunk, "t");
}

/// The turn may still be on the call stack; its values are complete when it has returned.
void ProtocolSession::turn_ended(RunStatus status, const std::string& reason) {
  if (quits_ || status == RunStatus::broken || status == RunStatus::skipped)
    return finish(status, reason);
  boost::asio::post(laboratory().loop(), [this, status, reason] { tell_turn(status, reason); });
}

void ProtocolSession::tell_turn(RunStatus status, const std::string& reason) {
  if (status == RunStatus::passed) add_values();
  end_thread();
  laboratory().clock().hold(true);  // while nobody waits, and everything rests
  if (status == RunStatus::passed) return reply();
  if (status != RunStatus::failed) return refuse("usage", without_place(reason));
  ++failures_;
  const capture::Verdict& verdict = *failed_verdict();
  const std::string text = failure_text(*this);
  base::write_output_file((laboratory().config().folder / "failure.txt").string(), text);
  answer_["error"] = {{"kind", "expectation"},        {"message", reason},
                      {"expected", verdict.expected}, {"seen", verdict.seen},
                      {"nearest", verdict.nearest},   {"text", text}};
  reply();
}

void ProtocolSession::add_values() {
  ordered_json values = ordered_json::array();
  for (int i = 1; i <= lua_gettop(thread_); ++i)
    values.push_back(json_of_value(thread_, i, handles_, expression_));
  answer_["values"] = std::move(values);
}

void ProtocolSession::end_thread() {
  luaL_unref(script().sandbox().state(), LUA_REGISTRYINDEX, thread_reference_);
  thread_ = nullptr;
}

void ProtocolSession::add_events() {
  if (!events_after_) return;
  ordered_json events = ordered_json::array();
  laboratory().timeline().visit_after(*events_after_, [&](const capture::Event& event) {
    events.push_back(ordered_json::parse(capture::to_json_line(event)));
    return events.size() < kMostEvents;
  });
  answer_["events"] = std::move(events);
  answer_["last_event"] = laboratory().timeline().last();
}

void ProtocolSession::refuse(const std::string& kind, const std::string& message) {
  answer_["error"] = {{"kind", kind}, {"message", message}};
  reply();
}

void ProtocolSession::reply() {
  const bool is_refusal = answer_.contains("error");
  answer_["ok"] = !is_refusal;
  if (!verdicts_.empty()) answer_["verdicts"] = verdicts_;
  add_events();
  laboratory().flush();
  channel_.say(is_refusal ? "refusal" : "answer",
               answer_.dump(-1, ' ', false, json::error_handler_t::replace));
}

void ProtocolSession::quit() {
  if (quits_) return;
  quits_ = true;
  if (thread_ != nullptr)
    return finish(RunStatus::failed, "the client ended the session during: " + expression_);
  if (failures_ == 0) return judge_rest();
  finish(RunStatus::failed, std::to_string(failures_) +
                                (failures_ == 1 ? " expectation" : " expectations") +
                                " of the session failed");
}

/// Judges as at the end of a scenario: statements that are not finished, handlers and injections.
void ProtocolSession::judge_rest() {
  lua_State* lua = script().sandbox().state();
  thread_ = lua_newthread(lua);
  thread_reference_ = luaL_ref(lua, LUA_REGISTRYINDEX);
  context().set_session(false);
  laboratory().clock().hold(false);
  luaL_loadbufferx(thread_, "", 0, kChunk, "t");
  context().start(thread_, 0);
}

}  // namespace tcplab::app
