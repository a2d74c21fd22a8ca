#include "reports/look/look_text.hh"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ostream>
#include <vector>

#include "reports/look/frame_lines.hh"
#include "reports/look/wait_words.hh"
#include "reports/text/hanging.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

namespace {

using look::LookedConnection;
using look::LookedProcess;
using look::LookedTask;
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

std::string waiter_of(const LookedThread& thread, const LookedWait& wait) {
  return fmt::format("thread {} {} waits in {}", thread.id, one_line(thread.name),
                     call_of(thread, wait));
}

std::string waiter_of(const LookedTask& task) {
  return fmt::format("{} waits in {} of fd {} ({})", task.name, task.call, task.descriptor,
                     one_line(task.state));
}

std::string no_waiter(const LookedProcess& process) {
  if (process.tasks.empty() || !process.are_tasks_known) return "no thread waits for:";
  return fmt::format("no thread and no {} waits for:", process.task_word);
}

class LookWriter {
public:
  LookWriter(std::ostream& out, const Style& style) : out_(out), style_(style) {}

  void process(const LookedProcess& of) {
    const std::vector<LookedWait> waits = look::waits_of(of);
    head(of);
    write(of, waits);
    if (of.connections.empty() && of.hidden.empty()) line("  ", "no TCP connection", Paint::dim);
    others(of, waits);
    threads(of);
  }

  void waits(const LookedProcess& of) {
    const std::vector<LookedWait> waits = look::waits_of(of);
    const bool is_any_known = !waits.empty() && waits.front().has_waiter();
    if (!is_any_known && of.hidden.empty()) return;
    head(of);
    if (is_any_known) write(of, waits);
  }

private:
  void head(const LookedProcess& of) {
    const std::string user = of.user.empty() ? "" : "  (" + of.user + ")";
    line("",
         of.id == 0 ? "Connections of unknown processes"
                    : fmt::format("{}  {}{}{}", of.id, one_line(of.command), user,
                                  of.runtime.empty() ? "" : "  " + of.runtime),
         Paint::strong);
    if (!of.hidden.empty()) line("  ", of.hidden, Paint::bad);
  }

  void write(const LookedProcess& of, const std::vector<LookedWait>& waits) {
    std::size_t shown = 0;
    for (const LookedWait& wait : waits) {
      if (shown++ == kMostShown) break;
      write(of, wait);
    }
    if (waits.size() > kMostShown)
      line("  ", fmt::format("and {} more", waits.size() - kMostShown), Paint::dim);
  }

  void line(const std::string& lead, const std::string& text, Paint paint = Paint::plain) {
    write_hanging(out_, lead, text, paint, style_);
  }

  void write(const LookedProcess& of, const LookedWait& wait) {
    const std::string connection = connection_line(*wait.connection);
    if (wait.has_waiter()) {
      line("  ", wait.task != nullptr ? waiter_of(*wait.task) : waiter_of(*wait.thread, wait),
           Paint::action);
      line("    ", connection);
    } else {
      const auto& descriptors = wait.connection->descriptors;
      line("  ", (descriptors.empty() ? "" : fmt::format("fd {}  ", fmt::join(descriptors, ", "))) +
                     connection);
    }
    if (!wait.connection->owner.empty())
      line("    ", "for " + one_line(wait.connection->owner), Paint::action);
    line("    ", wait_words(*wait.connection, of.kernel, wait.end),
         wait.may_last_for_ever ? Paint::bad : Paint::plain);
    if (!wait.has_waiter()) return;
    const std::string own = own_end_words(wait);
    if (!own.empty()) line("    ", own);
    write_frames(wait);
    const std::string advice(wait_advice(wait.end));
    if (!advice.empty() && own.empty()) line("    ", advice, Paint::dim);
    const std::string scenario(wait_scenario(wait.end));
    if (!scenario.empty()) line("    ", "See it: tcplab run " + scenario, Paint::dim);
  }

  /// The stack of a thread, at its first wait, or of a task, which has only one.
  void write_frames(const LookedWait& wait) {
    if (wait.thread != nullptr && wait.thread == last_with_frames_) return;
    last_with_frames_ = wait.thread;
    const std::vector<std::string>& frames =
        wait.task != nullptr ? wait.task->frames : wait.thread->frames;
    write_frames(frames);
    if (wait.task == nullptr || wait.task->requester.name.empty()) return;
    line("    ", wait.task->requester.name + " waits for its answer:");
    write_frames(wait.task->requester.frames);
  }

  void write_frames(const std::vector<std::string>& frames) {
    reports::write_frames(out_, frames, kMostFrames, Paint::dim, style_);
  }

  /// The connections that no thread waits for.
  void others(const LookedProcess& of, const std::vector<LookedWait>& waits) {
    const bool waits_for_some = !waits.empty() && waits.front().has_waiter();
    if (!waits_for_some) return;  // they are all shown
    std::size_t shown = 0;
    std::size_t left_out = 0;
    for (const LookedConnection& connection : of.connections) {
      const bool is_awaited = std::ranges::any_of(
          waits, [&](const LookedWait& wait) { return wait.connection == &connection; });
      if (is_awaited) continue;
      if (shown == 0) line("  ", no_waiter(of), Paint::dim);
      if (++shown > kMostShown) {
        ++left_out;
        continue;
      }
      line("    ", fmt::format("fd {}  {}", fmt::join(connection.descriptors, ", "),
                               connection_line(connection)));
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
    say(ThreadDoes::polls, of.are_tasks_known
                               ? "in the epoll_wait of the runtime"
                               : "in the epoll_wait of the runtime, for tasks that are not known "
                                 "(the program has no symbols, or others than look knows)");
    say(ThreadDoes::other,
        "in other calls (io_uring, and calls that a stop interrupted, are not seen)");
    say(ThreadDoes::may_not_look, "whose call the kernel does not show to you; try as root");
  }

  std::ostream& out_;
  const Style& style_;
  const LookedThread* last_with_frames_ = nullptr;
};

}  // namespace

std::string connection_line(const LookedConnection& connection, DataTimes times) {
  const audit::SocketFacts& facts = connection.facts;
  std::string text = ends_of(connection) + "  " + std::string(capture::name(facts.state));
  const std::string when = times == DataTimes::shown ? when_of(facts) : "";
  if (!when.empty()) text += "; " + when;
  if (facts.unread > 0 && facts.state != capture::TcpState::listen)
    text += "; " + counted(facts.unread, "octet") + " unread";
  if (const std::uint64_t count = unacknowledged_octets(facts); count > 0)
    text += "; " + counted(count, "octet") + " unacknowledged";
  return text;
}

void write_look(std::ostream& out, std::span<const LookedProcess> processes, const Style& style) {
  LookWriter writer(out, style);
  bool is_first = true;
  for (const LookedProcess& process : processes) {
    if (!is_first) out << "\n";
    is_first = false;
    writer.process(process);
  }
}

void write_waits(std::ostream& out, const LookedProcess& process, const Style& style) {
  LookWriter(out, style).waits(process);
}

}  // namespace tcplab::reports
