#include "reports/text/notice_text.hh"

#include <variant>

#include "base/error.hh"
#include "capture/event/event_words.hh"

namespace tcplab::reports {

using audit::NoticeKind;

namespace {

std::string how(const audit::Notice& notice, const capture::Event& event) {
  const auto* call = std::get_if<capture::Call>(&event.body);
  switch (notice.kind) {
    case NoticeKind::error: {
      const std::string error = base::errno_name(call->error);
      return call->result == -1 ? call->call + " failed with " + error : "SO_ERROR was " + error;
    }
    case NoticeKind::end_of_stream:
      return "by the end of the stream: " + call->call + " returned 0";
    case NoticeKind::own_timer:
      return "by its own timer: " + call->call + " returned 0";
    case NoticeKind::end:
      return "it ended, and no call had failed";
  }
  return "";
}

}  // namespace

std::string notice_text(const audit::Notice& notice) {
  if (!notice.fault || !notice.after_fault) return "";
  const std::string host = notice.fault->host.empty() ? "" : notice.fault->host + ": ";
  std::string text = base::describe(*notice.after_fault) + " after the fault (" + host +
                     std::string(capture::word(notice.fault->verb)) + ")";
  if (notice.after_frame)
    text +=
        ", " + base::describe(*notice.after_frame) + " after the frame that informed its kernel";
  return text;
}

std::string notice_line(const audit::Notice& notice, const capture::Event& event) {
  const auto* call = std::get_if<capture::Call>(&event.body);
  const auto* change = std::get_if<capture::Program>(&event.body);
  const std::string& host = call != nullptr ? call->host : change->host;
  const std::string& program = call != nullptr ? call->program : change->program;
  return host + "'s " + program + " noticed " + notice_text(notice) + ", " + how(notice, event);
}

}  // namespace tcplab::reports
