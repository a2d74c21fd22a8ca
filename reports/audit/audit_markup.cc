#include "reports/audit/audit_markup.hh"

#include <algorithm>
#include <fmt/format.h>

#include "audit/requirements.hh"
#include "capture/event/event_words.hh"
#include "reports/audit/audit_words.hh"
#include "reports/html/markup.hh"
#include "reports/html/outcome_table.hh"

namespace tcplab::reports {

namespace {

/// Each part of the path is encoded by itself, so that a slash stays one.
std::string link(const std::string& page) {
  std::string url = ".";
  for (std::size_t begin = 0; begin <= page.size();) {
    const std::size_t end = std::min(page.find('/', begin), page.size());
    url += html::link_to(page.substr(begin, end - begin)).substr(1);
    begin = end + 1;
  }
  return url;
}

}  // namespace

std::string linked(const std::string& markup, const audit::Cell& cell) {
  return cell.page.empty() ? markup : fmt::format("<a href=\"{}\">{}</a>", link(cell.page), markup);
}

std::string outcome_markup(const audit::Cell& cell) {
  const std::string outcome = html::outcome_words(outcome_mark(cell), outcome_label(cell));
  return "<p class=\"a-outcome\">" + linked(outcome, cell) + "</p>";
}

std::string_view outcome_class(const audit::Cell& cell) {
  if (audit::did_not_react(cell)) return capture::word(capture::AuditOutcome::hangs);
  return cell.trouble.empty() && cell.is_judged ? capture::word(cell.outcome) : "broken";
}

}  // namespace tcplab::reports
