#include "app/verbs/notice_pattern.hh"

#include <chrono>

#include "base/error.hh"
#include "reports/text/notice_text.hh"

namespace tcplab::app {

Match NoticePattern::look(const capture::Event& event) const {
  const auto kind = audit::notice_kind(event);
  if (!kind) return Match::no;
  if (const auto* change = std::get_if<capture::Program>(&event.body))
    return change->host == host && change->program == program ? Match::yes : Match::no;
  const auto& call = std::get<capture::Call>(event.body);
  if (call.host != host || call.program != program) return Match::no;
  const bool is_timer = *kind == audit::NoticeKind::own_timer;
  return !connection.has || is_timer || connection.has(event, call.fd) ? Match::yes : Match::no;
}

std::string NoticePattern::describe() const {
  return host + "'s " + program + (connection.has ? " on " + connection.name : "") +
         " notices: a call fails, the stream ends, its own timer fires, or it ends";
}

std::optional<audit::Notice> NoticeExpectation::notice() const {
  if (decisive() == nullptr) return std::nullopt;
  audit::NoticeWatch watch;
  timeline_.visit_after(0, [&](const capture::Event& event) {
    watch.note(event);
    return true;
  });
  return watch.measure(*decisive());
}

std::string NoticeExpectation::seen() const {
  const auto noticed = notice();
  const std::string after = noticed ? reports::notice_text(*noticed) : "";
  return Eventually::seen() + (after.empty() ? "" : ", " + after);
}

std::map<std::string, double> NoticeExpectation::measured() const {
  std::map<std::string, double> fields;
  const auto add = [&](const char* name, const std::optional<base::nanoseconds>& span) {
    if (span) fields[name] = base::in_seconds(*span);
  };
  if (const auto noticed = notice()) {
    add("after_fault", noticed->after_fault);
    add("after_frame", noticed->after_frame);
  }
  return fields;
}

}  // namespace tcplab::app
