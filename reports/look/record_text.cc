#include "reports/look/record_text.hh"

#include <algorithm>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ostream>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/error.hh"
#include "capture/event/call_thread.hh"
#include "capture/event/event_words.hh"
#include "reports/look/frame_lines.hh"
#include "reports/look/look_text.hh"
#include "reports/text/call_text.hh"
#include "reports/text/hanging.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using capture::Call;
using capture::Event;
using look::FailureRecord;
using look::LookedThread;
using look::RecordedConnection;
using look::ThreadDoes;

constexpr std::size_t kMostFailedCalls = 12;  // of the connection that failed
constexpr std::size_t kMostOtherCalls = 3;
constexpr std::size_t kMostConnections = 20;
constexpr std::size_t kMostThreadFrames = 40;

const Call& call_of(const Event& event) { return std::get<Call>(event.body); }

/// "12:31:07.123456Z": as `tcplab trace` writes times.
std::string time_of_day(base::Instant at, const FailureRecord& record) {
  using std::chrono::microseconds;
  const auto since_epoch = at.time_since_epoch() + record.wall_clock;
  const auto micro = std::chrono::duration_cast<microseconds>(since_epoch).count();
  constexpr std::int64_t kMillion = 1'000'000;
  return fmt::format("{:%H:%M:%S}.{:06}Z", fmt::gmtime(std::time_t{micro / kMillion}),
                     micro % kMillion);
}

std::string date_of(base::Instant at, const FailureRecord& record) {
  const auto since_epoch = at.time_since_epoch() + record.wall_clock;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since_epoch).count();
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time_t{seconds}));
}

/// "recvfrom(3, 100 bytes)"
std::string invocation_of(const Call& call) {
  if (call.fd < 0) return fmt::format("{}({})", call.call, one_line(call.arguments));
  return fmt::format("{}({}{}{})", call.call, call.fd, call.arguments.empty() ? "" : ", ",
                     one_line(call.arguments));
}

std::string on_or_off(bool is_on) { return is_on ? "on" : "off"; }

/// The options that decide how long a wait lasts.
std::string options_words(const audit::TimeoutOptions& options) {
  std::vector<std::string> words;
  if (options.keepalive) words.push_back("keepalive " + on_or_off(*options.keepalive));
  if (options.keepalive.value_or(false) && options.idle && options.interval && options.probes)
    words.back() += fmt::format(" ({} idle, {} probes every {})", base::describe(*options.idle),
                                *options.probes, base::describe(*options.interval));
  const auto add = [&words](const char* name, const std::optional<base::nanoseconds>& time) {
    if (time && time->count() > 0) words.push_back(name + (" " + base::describe(*time)));
  };
  add("TCP_USER_TIMEOUT", options.user_timeout);
  add("SO_RCVTIMEO", options.receive_timeout);
  add("SO_SNDTIMEO", options.send_timeout);
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string set_words(const RecordedConnection& connection) {
  if (connection.options_set.empty()) return "";
  std::string words = "set by the program: ";
  for (const std::string& option : connection.options_set)
    words += (&option == connection.options_set.data() ? "" : ", ") + one_line(option);
  return words;
}

/// Why the kernel has no connection, by the counters that its socket keeps.
std::string forgotten_words(const RecordedConnection& connection) {
  if (!connection.was_connected)
    return "No call has shown that it was ever connected. The ends are those of the attempt.";
  const std::uint32_t times = connection.looked.facts.retransmissions;
  const std::uint32_t probes = connection.looked.facts.probes;
  std::vector<std::string> before;
  if (times > 0)
    before.push_back(fmt::format("it had retransmitted {} without an acknowledgment",
                                 times == 1 ? "once" : fmt::format("{} times in a row", times)));
  if (probes > 0)
    before.push_back(fmt::format("it had sent {} without an answer", counted(probes, "probe")));
  return fmt::format(
      "The kernel has forgotten the connection{}{}. The ends are known from earlier calls.",
      before.empty() ? "" : ", after ", fmt::join(before, " and "));
}

std::string octets_words(const RecordedConnection& connection) {
  if (connection.calls_returned == 0) return "";
  return fmt::format("by its calls: {} sent, {} received", counted(connection.octets_sent, "octet"),
                     counted(connection.octets_received, "octet"));
}

std::string socket_words(const capture::Socket& socket) {
  std::string words(capture::name(socket.state));
  if (socket.receive_queue > 0)
    words += fmt::format("; {} unread", counted(socket.receive_queue, "octet"));
  if (socket.send_queue > 0)
    words += fmt::format("; {} unacknowledged", counted(socket.send_queue, "octet"));
  if (socket.retransmits > 0)
    words += "; retransmitted " +
             (socket.retransmits == 1 ? "once" : fmt::format("{} times", socket.retransmits));
  return words;
}

/// The calls have more exact times.
DataTimes times_of(const RecordedConnection& connection) {
  return connection.calls_returned == 0 ? DataTimes::shown : DataTimes::left_out;
}

/// The kernel's number counts a SYN or a FIN, too, and the state tells it no more. After an attempt
/// that failed, the number means nothing.
look::LookedConnection without_control(const RecordedConnection& connection) {
  look::LookedConnection looked = connection.looked;
  if (!connection.is_forgotten || looked.facts.unacknowledged == 0) return looked;
  const bool has_sent_fin = std::ranges::any_of(connection.calls, [](const Event& event) {
    const Call& call = call_of(event);
    return call.call == "shutdown" && call.arguments != "SHUT_RD" && call.result == 0;
  });
  if (has_sent_fin) --looked.facts.unacknowledged;
  if (!connection.was_connected) looked.facts.unacknowledged = 0;
  return looked;
}

/// Threads of a pool wait at the same place.
bool are_alike(const LookedThread& one, const LookedThread& other) {
  return thread_words(one) == thread_words(other) && one.frames == other.frames &&
         !one.frames.empty();
}

std::string peer_words(const look::PeerSide& peer) {
  if (!peer.has_power) return "without power";
  if (!peer.can_be_asked) return "its TCP stack cannot be asked";
  return peer.socket ? socket_words(*peer.socket) : "its kernel has no such connection";
}

class RecordWriter {
public:
  RecordWriter(std::ostream& out, const FailureRecord& record, const Style& style)
      : out_(out), record_(record), style_(style) {
    style_.verbose = true;  // whole calls
  }

  void failure(const std::string& path, bool names_thread) {
    const Call& call = call_of(record_.failure);
    const std::string thread =
        names_thread ? fmt::format(", in thread {}", capture::thread_of(call)) : "";
    const bool is_error = call.result == -1;
    line("  ",
         fmt::format("{} {} {}{}{}", invocation_of(call), is_error ? "failed with" : "reported",
                     base::errno_name(call.error), after(record_.failure), thread),
         Paint::bad);
    line("    ",
         fmt::format("{} {} on {}, Linux {}; {}", date_of(record_.failure.at, record_),
                     time_of_day(record_.failure.at, record_), one_line(record_.machine),
                     one_line(record_.kernel), act_words()),
         Paint::dim);
    line("    ", "from " + one_line(path), Paint::dim);
    if (!record_.hidden.empty()) line("    ", one_line(record_.hidden), Paint::bad);
  }

  void connections() {
    std::size_t shown = 0;
    for (const RecordedConnection& connection : record_.connections) {
      if (shown++ == kMostConnections) break;
      write(connection, &connection == record_.connections.data());
    }
    if (record_.connections.size() > kMostConnections)
      line("  ", "and " + counted(record_.connections.size() - kMostConnections, "more connection"),
           Paint::dim);
    if (record_.connections.empty() && record_.hidden.empty())
      line("  ", "no TCP socket was open", Paint::dim);
  }

  void failed_thread() { write(record_.threads.front(), 0); }

  void other_threads() {
    std::span<const LookedThread> left = std::span(record_.threads).subspan(1);
    while (!left.empty()) {
      const auto end = std::ranges::find_if_not(
          left, [&](const LookedThread& each) { return are_alike(each, left.front()); });
      const auto count = std::max<std::size_t>(1, static_cast<std::size_t>(end - left.begin()));
      write(left.front(), count - 1);
      left = left.subspan(count);
    }
    for (const look::LookedTask& task : record_.tasks) {
      line("  ",
           fmt::format("{} waited in {} of fd {}", one_line(task.name), one_line(task.call),
                       task.descriptor),
           Paint::action);
      frames(task.frames);
    }
  }

private:
  void line(const std::string& lead, const std::string& text, Paint paint = Paint::plain) {
    write_hanging(out_, lead, text, paint, style_);
  }

  /// The record is written before the signal. The program may ignore SIGABRT.
  std::string act_words() const {
    return record_.act == look::FailureAct::aborted ? "tcplab sent SIGABRT to the program there"
                                                    : "the program was stopped there";
  }

  static std::string after(const Event& event) {
    constexpr base::nanoseconds kLeast = std::chrono::milliseconds(1);
    const Call& call = call_of(event);
    const base::nanoseconds took = event.at - call.entered;
    return call.entered == base::Instant{} || took < kLeast ? "" : " after " + base::describe(took);
  }

  void write(const LookedThread& thread, std::size_t others) {
    line("  ",
         fmt::format("thread {} {}{}{}", thread.id, one_line(thread.name), thread_words(thread),
                     others == 0 ? "" : fmt::format(", and {} more at the same place", others)),
         Paint::action);
    frames(thread.frames);
  }

  void write(const RecordedConnection& connection, bool is_first) {
    const bool is_failed = is_first && has_failed(connection);
    line("  ",
         fmt::format("fd {}  {}{}", fmt::join(connection.looked.descriptors, ", "),
                     connection_line(without_control(connection), times_of(connection)),
                     is_failed ? "  <- the call that failed" : ""),
         Paint::strong);
    if (!connection.looked.owner.empty())
      line("    ", "for " + one_line(connection.looked.owner), Paint::action);
    if (connection.is_forgotten) line("    ", forgotten_words(connection));
    const bool listens = connection.looked.facts.state == capture::TcpState::listen;
    for (const std::string& words :
         {listens ? "" : octets_words(connection),
          listens ? "" : options_words(connection.looked.settings), set_words(connection)})
      if (!words.empty()) line("    ", words);
    if (connection.peer) write(*connection.peer);
    calls(connection, is_failed ? kMostFailedCalls : kMostOtherCalls);
    packets(connection);
  }

  bool has_failed(const RecordedConnection& connection) const {
    const auto& descriptors = connection.looked.descriptors;
    return std::ranges::find(descriptors, call_of(record_.failure).fd) != descriptors.end();
  }

  void write(const look::PeerSide& peer) {
    line("    ", fmt::format("its peer, {}: {}", one_line(peer.host), peer_words(peer)),
         Paint::state);
    for (const Event& event : peer.calls_open)
      line("      ", fmt::format("{} waits there in {}", one_line(call_of(event).program),
                                 invocation_of(call_of(event))));
  }

  void calls(const RecordedConnection& connection, std::size_t most) {
    const std::size_t shown = std::min(connection.calls.size(), most);
    if (shown == 0) return;
    const std::uint64_t all = std::max<std::uint64_t>(connection.calls_returned, shown);
    line("    ", shown == all ? counted(all, "call") + ":"
                              : fmt::format("the last {} of {}:", shown, counted(all, "call")));
    for (std::size_t i = connection.calls.size() - shown; i < connection.calls.size(); ++i)
      write(connection.calls[i]);
  }

  void write(const Event& event) {
    const Call& call = call_of(event);
    StyledText text("      " + time_of_day(event.at, record_) + "  ", Paint::dim);
    text.add(call_text(call, CallView::whole, {}, style_));
    text.add(after(event), Paint::strong);
    out_ << render(text.fitted(style_.width, style_), style_) << "\n";
  }

  void packets(const RecordedConnection& connection) {
    if (connection.frames.empty()) return;
    line("    ", "the last " + counted(connection.frames.size(), "frame") + ":");
    for (const Event& event : connection.frames) {
      const auto& packet = std::get<capture::Packet>(event.body);
      StyledText text("      " + time_of_day(event.at, record_) + "  ", Paint::dim);
      text.add(packet_line(packet));
      out_ << render(text.fitted(style_.width, style_), style_) << "\n";
    }
  }

  static std::string packet_line(const capture::Packet& packet) {
    const std::string fate = packet.fate == capture::Fate::delivered
                                 ? ""
                                 : fmt::format("  ({})", capture::word(packet.fate));
    return fmt::format("{} > {}  {}{}", packet.from, packet.to, packet.summary, fate);
  }

  void frames(const std::vector<std::string>& frames) {
    write_frames(out_, frames, kMostThreadFrames, Paint::plain, style_);
  }

  std::ostream& out_;
  const FailureRecord& record_;
  Style style_;
};

}  // namespace

std::string thread_words(const LookedThread& thread) {
  if (thread.does == ThreadDoes::runs) return " ran";
  if (thread.call.empty()) return "";
  const std::string descriptors = fmt::format("{}", fmt::join(thread.descriptors, ", "));
  const std::string between = descriptors.empty() || thread.arguments.empty() ? "" : ", ";
  return fmt::format(" was in {}({}{}{})", thread.call, descriptors, between,
                     one_line(thread.arguments));
}

void write_failure(std::ostream& out, const std::string& path, const FailureRecord& record,
                   const Style& style) {
  // In its own PID namespace, which the core file is of, the thread has another number.
  RecordWriter(out, record, style).failure(path, record.process == record.own_process);
}

void write_connections(std::ostream& out, const FailureRecord& record, const Style& style) {
  RecordWriter(out, record, style).connections();
}

void write_failed_thread(std::ostream& out, const FailureRecord& record, const Style& style) {
  RecordWriter(out, record, style).failed_thread();
}

void write_other_threads(std::ostream& out, const FailureRecord& record, const Style& style) {
  RecordWriter(out, record, style).other_threads();
}

void write_record(std::ostream& out, const std::string& path, const FailureRecord& record,
                  const Style& style) {
  write_hanging(out, "",
                fmt::format("{}  (process {}){}", one_line(record.command), record.process,
                            record.runtime.empty() ? "" : "  " + one_line(record.runtime)),
                Paint::strong, style);
  RecordWriter writer(out, record, style);
  writer.failure(path, true);
  writer.failed_thread();
  writer.connections();
  writer.other_threads();
}

}  // namespace tcplab::reports
