#include <nlohmann/json.hpp>
#include <ostream>

#include "reports/look/look_text.hh"
#include "reports/look/wait_words.hh"

namespace tcplab::reports {

namespace {

using Json = nlohmann::ordered_json;

std::string_view word_of(look::ThreadDoes does) {
  switch (does) {
    case look::ThreadDoes::runs:
      return "runs";
    case look::ThreadDoes::waits:
      return "waits";
    case look::ThreadDoes::polls:
      return "polls";
    case look::ThreadDoes::other:
      return "other";
    case look::ThreadDoes::may_not_look:
      return "hidden";
  }
  return "";
}

std::string_view word_of(audit::WaitEndKind kind) {
  switch (kind) {
    case audit::WaitEndKind::not_connected:
      return "not-connected";
    case audit::WaitEndKind::unread:
      return "unread";
    case audit::WaitEndKind::peer_closed:
      return "peer-closed";
    case audit::WaitEndKind::both_closed:
      return "both-closed";
    case audit::WaitEndKind::unsent:
      return "unsent";
    case audit::WaitEndKind::kernel:
      return "kernel";
    case audit::WaitEndKind::retransmissions:
      return "retransmissions";
    case audit::WaitEndKind::user_timeout:
      return "user-timeout";
    case audit::WaitEndKind::syn:
      return "syn";
    case audit::WaitEndKind::keepalive:
      return "keepalive";
    case audit::WaitEndKind::window:
      return "window";
    case audit::WaitEndKind::peer:
      return "peer";
    case audit::WaitEndKind::client:
      return "client";
  }
  return "";
}

void put(Json& object, const char* name, const std::optional<base::nanoseconds>& time) {
  if (time) object[name] = time->count();
}

Json json_of(const look::LookedConnection& connection) {
  const audit::SocketFacts& facts = connection.facts;
  Json object = {{"fds", connection.descriptors}, {"local", connection.local.to_string()}};
  if (!connection.owner.empty()) object["owner"] = connection.owner;
  if (connection.remote) object["remote"] = connection.remote->to_string();
  object["state"] = capture::name(facts.state);
  object["unread"] = facts.unread;
  object["unacknowledged"] = facts.unacknowledged;
  object["in_flight"] = facts.in_flight;
  object["retransmissions"] = facts.retransmissions;
  object["probes"] = facts.probes;
  if (facts.peer_window) object["peer_window"] = *facts.peer_window;
  object["rto"] = facts.rto.count();
  put(object, "since_sent", facts.since_sent);
  put(object, "since_received", facts.since_received);
  put(object, "since_heard", facts.since_heard);
  const audit::TimeoutOptions& settings = connection.settings;
  Json options = Json::object();
  if (settings.keepalive) options["SO_KEEPALIVE"] = *settings.keepalive;
  put(options, "TCP_KEEPIDLE", settings.idle);
  put(options, "TCP_KEEPINTVL", settings.interval);
  if (settings.probes) options["TCP_KEEPCNT"] = *settings.probes;
  put(options, "TCP_USER_TIMEOUT", settings.user_timeout);
  if (settings.syn_retries) options["TCP_SYNCNT"] = *settings.syn_retries;
  put(options, "SO_RCVTIMEO", settings.receive_timeout);
  put(options, "SO_SNDTIMEO", settings.send_timeout);
  if (!options.empty()) object["options"] = std::move(options);
  return object;
}

Json json_of(const look::LookedThread& thread) {
  Json object = {{"tid", thread.id}, {"name", thread.name}, {"does", word_of(thread.does)}};
  if (!thread.call.empty()) object["call"] = thread.call;
  if (!thread.arguments.empty()) object["args"] = thread.arguments;
  if (!thread.descriptors.empty()) object["fds"] = thread.descriptors;
  put(object, "timeout", thread.own_timeout);
  if (!thread.frames.empty()) object["frames"] = thread.frames;
  return object;
}

Json json_of(const look::LookedTask& task) {
  Json object = {
      {"name", task.name}, {"state", task.state}, {"call", task.call}, {"fd", task.descriptor}};
  object["has_deadline"] = task.has_deadline;
  put(object, "deadline", task.deadline);
  if (!task.frames.empty()) object["frames"] = task.frames;
  if (!task.requester.empty())
    object["requester"] = {{"name", task.requester}, {"frames", task.requester_frames}};
  return object;
}

Json json_of(const look::LookedProcess& process, const look::LookedWait& wait) {
  Json object = Json::object();
  if (wait.thread != nullptr) object["tid"] = wait.thread->id;
  if (wait.task != nullptr) object["task"] = wait.task->name;
  object["local"] = wait.connection->local.to_string();
  if (wait.connection->remote) object["remote"] = wait.connection->remote->to_string();
  object["ends_by"] = word_of(wait.end.kind);
  put(object, "within", wait.end.within);
  object["text"] = wait_words(*wait.connection, process.kernel, wait.end);
  if (const auto advice = wait_advice(wait.end); !advice.empty()) object["advice"] = advice;
  if (const auto scenario = wait_scenario(wait.end); !scenario.empty())
    object["scenario"] = scenario;
  if (wait.has_waiter()) object["may_last_for_ever"] = wait.may_last_for_ever;
  return object;
}

Json json_of(const look::LookedProcess& process) {
  Json object = Json::object();
  if (process.id != 0) object["pid"] = process.id;
  if (!process.command.empty()) object["command"] = process.command;
  if (!process.user.empty()) object["user"] = process.user;
  if (!process.hidden.empty()) object["hidden"] = process.hidden;
  if (!process.runtime.empty()) object["runtime"] = process.runtime;
  object["threads"] = Json::array();
  for (const look::LookedThread& thread : process.threads)
    object["threads"].push_back(json_of(thread));
  if (process.are_tasks_known || !process.tasks.empty()) {
    object["tasks"] = Json::array();
    object["all_tasks"] = process.are_tasks_known;
  }
  for (const look::LookedTask& task : process.tasks) object["tasks"].push_back(json_of(task));
  object["connections"] = Json::array();
  for (const look::LookedConnection& connection : process.connections)
    object["connections"].push_back(json_of(connection));
  object["waits"] = Json::array();
  for (const look::LookedWait& wait : look::waits_of(process))
    object["waits"].push_back(json_of(process, wait));
  return object;
}

}  // namespace

void write_look_json(std::ostream& out, std::span<const look::LookedProcess> processes) {
  Json all = Json::array();
  for (const look::LookedProcess& process : processes) all.push_back(json_of(process));
  out << Json({{"processes", std::move(all)}}).dump(2, ' ', false, Json::error_handler_t::replace)
      << "\n";
}

}  // namespace tcplab::reports
