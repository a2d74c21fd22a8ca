#include <nlohmann/json.hpp>
#include <ostream>

#include "look/failure_json.hh"
#include "reports/look/look_text.hh"
#include "reports/look/wait_words.hh"
#include "reports/text/json_document.hh"

namespace tcplab::reports {

namespace {

using Json = nlohmann::ordered_json;

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
    object["threads"].push_back(look::to_json(thread));
  if (process.are_tasks_known || !process.tasks.empty()) {
    object["tasks"] = Json::array();
    object["all_tasks"] = process.are_tasks_known;
  }
  for (const look::LookedTask& task : process.tasks) object["tasks"].push_back(look::to_json(task));
  object["connections"] = Json::array();
  for (const look::LookedConnection& connection : process.connections)
    object["connections"].push_back(look::to_json(connection));
  object["waits"] = Json::array();
  for (const look::LookedWait& wait : look::waits_of(process))
    object["waits"].push_back(json_of(process, wait));
  return object;
}

}  // namespace

void write_look_json(std::ostream& out, std::span<const look::LookedProcess> processes) {
  Json document = json_document("tcplab-look");
  Json& all = document["processes"] = Json::array();
  for (const look::LookedProcess& process : processes) all.push_back(json_of(process));
  out << json_text(document);
}

}  // namespace tcplab::reports
