#include "reports/trace/trace_lines.hh"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <system_error>

#include "base/error.hh"
#include "capture/event/event_json.hh"
#include "reports/text/call_text.hh"
#include "reports/text/probe_text.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using base::Instant;
using capture::Call;
using capture::CallPhase;

constexpr base::nanoseconds kBlocked = std::chrono::milliseconds(1);  // worth reporting

/// "4711", or "4711/4713" for another thread than the first.
template <typename Body>
std::string who(const Body& of) {
  return of.tid == 0 ? std::to_string(of.pid) : fmt::format("{}/{}", of.pid, of.tid);
}

std::string stack_lines(const Call& call) {
  std::string lines;
  for (const std::string& frame : call.stack) lines += "    at " + one_line(frame) + "\n";
  return lines;
}

class TextLines : public TraceLines {
public:
  explicit TextLines(const Style& style) : style_(style) { style_.verbose = true; }

  std::string begin(Instant /*at*/, base::nanoseconds wall_offset) override {
    wall_offset_ = wall_offset;
    return "";
  }

  std::string call(Instant at, const Call& call) override {
    StyledText line = invocation(at, call);
    if (call.phase == CallPhase::leave && at - call.entered > kBlocked)
      line.add(" after " + base::describe(at - call.entered), Paint::strong);
    add_connection(line, call);
    return render(line, style_) + "\n" + stack_lines(call);
  }

  std::string wait(const TraceWait& wait) override {
    StyledText line = invocation(wait.until, wait.call);
    line.add(fmt::format(" {}after {:.6f} s", wait.has_ended() ? "" : "not ended ",
                         base::in_seconds(wait.duration())),
             Paint::strong);
    add_connection(line, wait.call);
    for (const capture::FlowKey& key : wait.connections)
      line.add(fmt::format("{}{} > {}", &key == wait.connections.data() ? "  " : ", ",
                           key.source.to_string(), key.destination.to_string()),
               Paint::dim);
    return render(line, style_) + "\n" + stack_lines(wait.call);
  }

  std::string probe(Instant at, const capture::Probe& probe) override {
    StyledText line(time(at), Paint::dim);
    line.add(fmt::format(" [{}] ", who(probe)), Paint::dim);
    return render(line.add(probe_text(probe)), style_) + "\n";
  }

  std::string note(Instant at, const std::string& text) override {
    StyledText line(time(at) + " ", Paint::dim);
    line.add(text, Paint::note);
    return render(line, style_) + "\n";
  }

  std::string unseen(Instant at, int process, const std::string& why) override {
    StyledText line(time(at), Paint::dim);
    line.add(fmt::format(" [{}] ", process), Paint::dim);
    line.add("calls that are not seen: " + why, Paint::note);
    return render(line, style_) + "\n";
  }

private:
  std::string time(Instant at) {
    using std::chrono::microseconds;
    const auto since_epoch = at.time_since_epoch() + wall_offset_;
    const auto micro = std::chrono::duration_cast<microseconds>(since_epoch).count();
    constexpr std::int64_t kMillion = 1'000'000;
    if (micro / kMillion != second_ || date_.empty()) {
      second_ = micro / kMillion;
      date_ = fmt::format("{:%Y-%m-%dT%H:%M:%S}", fmt::gmtime(std::time_t{second_}));
    }
    return fmt::format("{}.{:06}Z", date_, micro % kMillion);
  }

  /// The time, the process, and the call with its result.
  StyledText invocation(Instant at, const Call& call) {
    const bool returned = call.phase == CallPhase::leave;
    StyledText line(time(at), Paint::dim);
    line.add(fmt::format(" [{}] ", who(call)), Paint::dim);
    line.add(call_text(call, returned ? CallView::whole : CallView::waits, {}, style_));
    if (returned && call.result == -1)
      line.add(fmt::format(" ({})", std::generic_category().message(call.error)));
    return line;
  }

  void add_connection(StyledText& line, const Call& call) {
    if (!call.remote || call.call == "socket") return;
    if (call.local != local_ || call.remote != remote_) {
      local_ = call.local;
      remote_ = call.remote;
      connection_ = fmt::format("  {} > {}", call.local ? call.local->to_string() : "",
                                call.remote->to_string());
    }
    line.add(connection_, Paint::dim);
  }

  Style style_;
  base::nanoseconds wall_offset_{};
  // The last second, and its text: many lines have the same.
  std::int64_t second_ = 0;
  std::string date_;
  // The last connection, and its text.
  std::optional<base::Endpoint> local_;
  std::optional<base::Endpoint> remote_;
  std::string connection_;
};

/// truss(1) of illumos: "Err#111 ECONNREFUSED" in the column of the results.
class TrussLines : public TraceLines {
public:
  explicit TrussLines(const Style& style) : style_(style) { style_.verbose = true; }

  std::string begin(Instant at, base::nanoseconds wall_offset) override {
    start_ = at;
    const auto since_epoch = at.time_since_epoch() + wall_offset;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since_epoch);
    const auto rest = std::chrono::duration_cast<std::chrono::microseconds>(since_epoch - seconds);
    return fmt::format("Base time stamp:  {}.{:04}  [ {:%a %b %d %H:%M:%S UTC %Y} ]\n",
                       seconds.count(), rest.count() / 100,
                       fmt::gmtime(std::time_t{seconds.count()}));
  }

  std::string call(Instant at, const Call& call) override {
    const std::string made = invocation(call);
    if (call.phase == CallPhase::enter)
      return fmt::format("{}:\t{} (sleeping...)\n", who(call), made);
    const auto since = base::in_seconds(at - start_);
    const std::string answer =
        call.result == -1 ? fmt::format("Err#{} {}", call.error, base::errno_name(call.error))
                          : fmt::format("= {}{}", call.result, events(call));
    return fmt::format("{}:\t{:9.4f} {:<45} {}\n{}", who(call), since, made, answer,
                       stack_lines(call));
  }

  std::string wait(const TraceWait& wait) override {
    const std::string line = call(wait.until, wait.call);
    return wait.has_ended() ? line : line + stack_lines(wait.call);
  }

  std::string probe(Instant at, const capture::Probe& probe) override {
    return fmt::format("{}:\t{:9.4f} {}\n", who(probe), base::in_seconds(at - start_),
                       render(probe_text(probe), style_));
  }

  std::string note(Instant /*at*/, const std::string& text) override { return text + "\n"; }

  std::string unseen(Instant /*at*/, int process, const std::string& why) override {
    return fmt::format("{}:\tcalls that are not seen: {}\n", process, why);
  }

private:
  std::string invocation(const Call& call) const {
    const std::string separator = call.fd >= 0 && !call.arguments.empty() ? ", " : "";
    const std::string data = call.data.empty() ? "" : ", \"" + call.data + "\"";
    return fmt::format("{}({}{}{}{})", call.call, call.fd >= 0 ? std::to_string(call.fd) : "",
                       separator, call.arguments, data);
  }
  static std::string events(const Call& call) {
    std::string text;
    if (call.result != -1 && call.error != 0)
      text += " " + base::errno_name(call.error);  // SO_ERROR
    for (const capture::ReadyDescriptor& ready : call.ready)
      text += fmt::format(" {{fd {} {}}}", ready.fd, capture::poll_events(ready.events));
    return text;
  }

  Style style_;
  Instant start_{};
};

class JsonLines : public TraceLines {
public:
  std::string begin(Instant /*at*/, base::nanoseconds /*wall_offset*/) override { return ""; }
  std::string call(Instant at, const Call& call) override {
    return capture::to_json_line({.number = 0, .at = at, .body = call}) + "\n";
  }
  std::string wait(const TraceWait& wait) override {
    return call(wait.has_ended() ? wait.until : wait.entered, wait.call);
  }
  std::string probe(Instant at, const capture::Probe& probe) override {
    return capture::to_json_line({.number = 0, .at = at, .body = probe}) + "\n";
  }
  std::string note(Instant at, const std::string& text) override {
    return capture::to_json_line({.number = 0, .at = at, .body = capture::Note{text}}) + "\n";
  }
  std::string unseen(Instant at, int process, const std::string& why) override {
    capture::Program program;
    program.pid = process;
    program.change = capture::ProgramChange::calls_unseen;
    program.text = why;
    return capture::to_json_line({.number = 0, .at = at, .body = program}) + "\n";
  }
};

}  // namespace

std::unique_ptr<TraceLines> trace_lines(TraceFormat format, const Style& style) {
  switch (format) {
    case TraceFormat::text:
      return std::make_unique<TextLines>(style);
    case TraceFormat::truss:
      return std::make_unique<TrussLines>(style);
    case TraceFormat::json:
      return std::make_unique<JsonLines>();
  }
  return nullptr;
}

}  // namespace tcplab::reports
