#include "reports/audit/audit_json.hh"

#include <nlohmann/json.hpp>
#include <ostream>

#include "base/error.hh"
#include "capture/event/event_words.hh"
#include "reports/audit/audit_words.hh"
#include "reports/text/json_document.hh"

namespace tcplab::reports {

namespace {

using Json = nlohmann::ordered_json;

std::string_view word_of(audit::NoticedBy by) {
  switch (by) {
    case audit::NoticedBy::error:
      return "error";
    case audit::NoticedBy::end_of_stream:
      return "end_of_stream";
    case audit::NoticedBy::hang_up:
      return "hang_up";
    case audit::NoticedBy::own_timer:
      return "own_timer";
    case audit::NoticedBy::closed:
      return "closed";
    case audit::NoticedBy::ended:
      return "ended";
  }
  return "";
}

void add(Json& object, const char* key, const std::optional<base::nanoseconds>& span) {
  if (span) object[key] = span->count();
}
void add(Json& object, const char* key, const std::optional<int>& number) {
  if (number) object[key] = *number;
}
void add(Json& object, const char* key, int count) {
  if (count != 0) object[key] = count;
}

Json noticed_json(const audit::Noticed& noticed) {
  Json object = {{"by", word_of(noticed.by)}, {"after", noticed.after.count()}};
  add_text(object, "call", noticed.call);
  if (noticed.error != 0) object["errno"] = base::errno_name(noticed.error);
  add(object, "timeout", noticed.timeout);
  object["event"] = noticed.event;
  add_text(object, "words", noticed_words(noticed));
  return object;
}

Json options_json(const audit::SocketOptions& options) {
  Json object = Json::object();
  if (options.keepalive) object["SO_KEEPALIVE"] = *options.keepalive;
  add(object, "TCP_KEEPIDLE", options.idle);
  add(object, "TCP_KEEPINTVL", options.interval);
  add(object, "TCP_KEEPCNT", options.count);
  add(object, "TCP_SYNCNT", options.syn_count);
  add(object, "TCP_USER_TIMEOUT", options.user_timeout);
  if (!options.by_lab.empty()) object["by_tcplab"] = options.by_lab;
  return object;
}

Json cell_json(const audit::Cell& cell) {
  Json object = Json::object();
  for (const auto& [key, text] : {std::pair{"failure", &cell.failure},
                                  {"failure_title", &cell.failure_title},
                                  {"moment", &cell.moment},
                                  {"moment_title", &cell.moment_title},
                                  {"side", &cell.side},
                                  {"run", &cell.run},
                                  {"page", &cell.page},
                                  {"command", &cell.command},
                                  {"library", &cell.library},
                                  {"server_command", &cell.server_command},
                                  {"trouble", &cell.trouble}})
    add_text(object, key, *text);
  if (cell.is_judged) object["outcome"] = capture::word(cell.outcome);
  if (cell.reaction) object["reaction"] = capture::word(*cell.reaction);
  add_text(object, "text", cell.text);
  add(object, "limit", std::optional(cell.limit));
  add(object, "took", cell.took);
  add(object, "took_after", cell.took_after);
  if (cell.noticed) object["noticed"] = noticed_json(*cell.noticed);
  if (const Json options = options_json(cell.options); !options.empty())
    object["options"] = options;
  add_text(object, "why", reason_words(cell));
  if (const auto advice = advice_words(cell); !advice.empty()) object["advice"] = advice;
  add(object, "name_lookup", cell.name_lookup);
  add(object, "connections", cell.connections);
  add(object, "opened_again", cell.opened_again);
  add(object, "sent_again", cell.sent_again);
  add(object, "received_again", cell.received_again);
  if (cell.first_error) object["first_errno"] = base::errno_name(*cell.first_error);
  if (cell.had_server_connection) object["server_kept"] = !cell.server_let_go;
  add(object, "server_let_go", cell.server_let_go);
  if (cell.server_noticed) object["server_noticed"] = noticed_json(*cell.server_noticed);
  return object;
}

}  // namespace

void write_json(std::ostream& out, const audit::Audit& audit) {
  Json object = json_document("tcplab-audit");
  object["title"] = audit.title;
  object["cells"] = Json::array();
  for (const audit::Cell& cell : audit.cells) object["cells"].push_back(cell_json(cell));
  out << json_text(object);
}

}  // namespace tcplab::reports
