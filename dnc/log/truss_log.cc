#include "dnc/log/truss_log.hh"

#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <utility>

#include "base/error.hh"
#include "base/escape.hh"

namespace tcplab::dnc {

namespace {

constexpr std::size_t kTrussBytesShown = 24;

std::string base_line(base::Instant base) {
  const double since_1970 = base::in_seconds(base.time_since_epoch() + base::wall_clock_offset());
  const std::tm utc = fmt::gmtime(static_cast<std::time_t>(since_1970));
  return fmt::format("Base time stamp:  {:.4f}  [ {:%a %b %e %H:%M:%S UTC %Y} ]", since_1970, utc);
}

std::string connection_text(const CallRecord& record) {
  if (!record.local || !record.remote) return "";
  return fmt::format(" [{} to {}]", record.local->to_string(), record.remote->to_string());
}

}  // namespace

std::string truss_call(const CallRecord& record, bool returned) {
  std::string inside = record.fd >= 0 ? std::to_string(record.fd) : "";
  const auto add = [&inside](const std::string& text) {
    if (!inside.empty() && !text.empty()) inside += ", ";
    inside += text;
  };
  const bool reads = record.call == "read" || record.call == "recv";
  const bool writes = record.call == "write" || record.call == "send";
  if (writes || (reads && returned && record.result >= 0))
    add(base::c_quote(record.data, kTrussBytesShown));
  add(std::string(record.arguments.view()));
  return fmt::format("{}({})", record.call, inside);
}

std::string truss_answer(const CallRecord& record) {
  if (record.failed())
    return fmt::format("Err#{} {}", record.error, base::errno_name(record.error));
  std::string answer = fmt::format("= {}", record.result);
  if (record.option) answer += fmt::format(" [{}]", base::errno_name(*record.option));
  if (!record.stored.text.empty()) answer += fmt::format(" [{}]", record.stored.text);
  if (record.call == "poll") {
    ArgumentText names;
    const auto stdin_names = poll_events(record.stdin_revents, names);
    const auto socket_names = poll_events(record.revents, names);
    answer += fmt::format(" [{:#x}/{:#x} {}/{}]", record.stdin_revents, record.revents, stdin_names,
                          socket_names);
  }
  return answer + connection_text(record);
}

TrussLog::TrussLog(HumanOutput output) : output_(std::move(output)), base_(base::now()) {
  output_.line(base_, base_line(base_));
}

void TrussLog::enter(const CallRecord& record) {
  if (record.waits) output_.line(record.entered, truss_call(record, false) + " (sleeping...)");
}

void TrussLog::leave(const CallRecord& record) {
  const double since = base::in_seconds(record.returned - base_);
  output_.line(record.returned, fmt::format("{:9.4f} {:<46} {}", since, truss_call(record, true),
                                            truss_answer(record)));
}

}  // namespace tcplab::dnc
