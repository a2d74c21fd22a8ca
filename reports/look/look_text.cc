#include "reports/look/look_text.hh"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ostream>
#include <vector>

#include "reports/look/wait_words.hh"
#include "reports/text/hanging.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using look::LookedConnection;
using look::LookedProcess;
using look::LookedThread;
using look::LookedWait;
using look::ThreadDoes;

constexpr std::size_t kMostFrames = 20;
constexpr std::size_t kMostShown = 20;  // waits, and connections, of a process

std::string ends_of(const LookedConnection& connection) {
  if (!connection.remote) return connection.local.to_string();
  return connection.local.to_string() + " > " + connection.remote->to_string();
}

std::string call_of(const LookedThread& thread, const LookedWait& wait) {
  const bool is_one = thread.descriptors.size() == 1;
  const std::string descriptor =
      wait.connection->descriptors.empty()
          ? ""
          : fmt::format("{}", fmt::join(wait.connection->descriptors, ", "));
  if (!thread.arguments.empty())
    return fmt::format("{}({}, {})", thread.call, descriptor, thread.arguments);
  return fmt::format("{}({}{})", thread.call, is_one ? "" : "... ", descriptor);
}

/// "last data sent 3 min ago, none received"
std::string when_of(const audit::SocketFacts& facts) {
  if (!facts.since_sent || !facts.since_received) return "";
  const auto ago = [](base::nanoseconds time) { return base::describe(time) + " ago"; };
  if (!facts.has_sent && !facts.has_received) return "no data sent or received";
  if (!facts.has_sent) return "no data sent, last received " + ago(*facts.since_received);
  const std::string sent = "last data sent " + ago(*facts.since_sent);
  return sent +
         (facts.has_received ? ", received " + ago(*facts.since_received) : ", none received");
}

std::string line_of(const LookedConnection& connection) {
  const audit::SocketFacts& facts = connection.facts;
  std::string text = ends_of(connection) + "  " + std::string(capture::name(facts.state));
  if (const std::string when = when_of(facts); !when.empty()) text += "; " + when;
  if (facts.unread > 0 && facts.state != capture::TcpState::listen)
    text += "; " + counted(facts.unread, "octet") + " unread";
  if (const std::uint64_t count = unacknowledged_octets(facts); count > 0)
    text += "; " + counted(count, "octet") + " unacknowledged";
  return text;
}

class LookWriter {
public:
  LookWriter(std::ostream& out, const Style& style) : out_(out), style_(style) {}

  void process(const LookedProcess& of) {
    const std::string user = of.user.empty() ? "" : "  (" + of.user + ")";
    line("",
         of.id == 0 ? "Connections of unknown processes"
                    : fmt::format("{}  {}{}{}", of.id, one_line(of.command), user,
                                  of.runtime.empty() ? "" : "  " + of.runtime),
         Paint::strong);
    if (!of.hidden.empty()) line("  ", of.hidden, Paint::bad);
    const std::vector<LookedWait> waits = look::waits_of(of);
    std::size_t shown = 0;
    for (const LookedWait& wait : waits) {
      if (shown++ == kMostShown) break;
      write(of, wait);
    }
    if (waits.size() > kMostShown)
      line("  ", fmt::format("and {} more", waits.size() - kMostShown), Paint::dim);
    if (of.connections.empty() && of.hidden.empty()) line("  ", "no TCP connection", Paint::dim);
    others(of, waits);
    threads(of);
  }

private:
  void line(const std::string& lead, const std::string& text, Paint paint = Paint::plain) {
    write_hanging(out_, lead, text, paint, style_);
  }

  void write(const LookedProcess& of, const LookedWait& wait) {
    const std::string connection = line_of(*wait.connection);
    if (wait.thread != nullptr) {
      line("  ",
           fmt::format("thread {} {} waits in {}", wait.thread->id, one_line(wait.thread->name),
                       call_of(*wait.thread, wait)),
           Paint::action);
      line("    ", connection);
    } else {
      const auto& descriptors = wait.connection->descriptors;
      line("  ", (descriptors.empty() ? "" : fmt::format("fd {}  ", fmt::join(descriptors, ", "))) +
                     connection);
    }
    line("    ", wait_words(*wait.connection, of.kernel, wait.end),
         wait.may_last_for_ever ? Paint::bad : Paint::plain);
    if (wait.thread != nullptr && wait.thread->own_timeout)
      line("    ",
           fmt::format("The call itself ends {} after it began, at the latest ({}).",
                       base::describe(*wait.thread->own_timeout), wait.thread->own_timeout_name));
    if (wait.thread == nullptr) return;
    write_frames(*wait.thread);
    const std::string advice(wait_advice(wait.end));
    if (!advice.empty() && !wait.thread->own_timeout) line("    ", advice, Paint::dim);
    const std::string scenario(wait_scenario(wait.end));
    if (!scenario.empty()) line("    ", "See it: tcplab run " + scenario, Paint::dim);
  }

  /// The stack of a thread, at its first wait.
  void write_frames(const LookedThread& thread) {
    if (&thread == last_with_frames_) return;
    last_with_frames_ = &thread;
    std::size_t shown = 0;
    for (const std::string& frame : thread.frames) {
      if (shown++ == kMostFrames) break;
      line("      ", "at " + one_line(frame), Paint::dim);
    }
    if (thread.frames.size() > kMostFrames)
      line("      ", fmt::format("and {} more frames", thread.frames.size() - kMostFrames),
           Paint::dim);
  }

  /// The connections that no thread waits for.
  void others(const LookedProcess& of, const std::vector<LookedWait>& waits) {
    const bool waits_for_some = !waits.empty() && waits.front().thread != nullptr;
    if (!waits_for_some) return;  // they are all shown
    std::size_t shown = 0;
    std::size_t left_out = 0;
    for (const LookedConnection& connection : of.connections) {
      const bool is_awaited = std::ranges::any_of(
          waits, [&](const LookedWait& wait) { return wait.connection == &connection; });
      if (is_awaited) continue;
      if (shown == 0) line("  ", "no thread waits for:", Paint::dim);
      if (++shown > kMostShown) {
        ++left_out;
        continue;
      }
      line("    ",
           fmt::format("fd {}  {}", fmt::join(connection.descriptors, ", "), line_of(connection)));
    }
    if (left_out > 0) line("    ", fmt::format("and {} more", left_out), Paint::dim);
  }

  void threads(const LookedProcess& of) {
    const auto count = [&of](ThreadDoes does) {
      return std::ranges::count(of.threads, does, &LookedThread::does);
    };
    const auto say = [&](ThreadDoes does, const char* what) {
      const auto number = count(does);
      if (number > 0)
        line("  ", fmt::format("{} {} {}", number, number == 1 ? "thread" : "threads", what),
             Paint::dim);
    };
    if (of.connections.empty()) return;
    say(ThreadDoes::runs, "on a processor, or waiting for one");
    say(ThreadDoes::other,
        "in other calls (io_uring, and calls that a stop interrupted, are not seen)");
    say(ThreadDoes::may_not_look, "whose call the kernel does not show to you; try as root");
  }

  std::ostream& out_;
  const Style& style_;
  const LookedThread* last_with_frames_ = nullptr;
};

}  // namespace

void write_look(std::ostream& out, std::span<const LookedProcess> processes, const Style& style) {
  LookWriter writer(out, style);
  bool is_first = true;
  for (const LookedProcess& process : processes) {
    if (!is_first) out << "\n";
    is_first = false;
    writer.process(process);
  }
}

}  // namespace tcplab::reports
