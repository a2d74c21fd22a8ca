#include "reports/audit/requirement_words.hh"

#include <optional>

#include "reports/audit/audit_words.hh"

namespace tcplab::reports {

std::string miss_words(const audit::Miss& miss, const audit::Requirements& requirements) {
  const auto within = [&miss](const std::optional<base::nanoseconds>& limit,
                              const std::string& verb, const std::string& never) {
    const std::string allowed =
        "; required within " + base::describe(limit.value_or(base::nanoseconds{}));
    return (miss.took ? verb + " after " + base::describe(*miss.took) : never) + allowed;
  };
  switch (miss.requirement) {
    case audit::Requirement::notice_within:
      if (audit::is_of_server(*miss.cell))
        return within(requirements.notice_within, "the server let go",
                      "the server still kept the connection at the end");
      return within(requirements.notice_within, "noticed", "never noticed");
    case audit::Requirement::recover_within:
      return within(requirements.recover_within, "recovered",
                    "did not recover: " + outcome_label(*miss.cell));
    case audit::Requirement::no_repeat:
      return "the server read a request twice; required: no repeat";
  }
  return "";
}

}  // namespace tcplab::reports
