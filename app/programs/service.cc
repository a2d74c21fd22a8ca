#include "app/programs/service.hh"

#include <chrono>
#include <csignal>
#include <memory>
#include <utility>

#include "app/programs/start_program.hh"
#include "base/escape.hh"

namespace tcplab::app {

using namespace std::chrono_literals;

namespace {

constexpr base::nanoseconds kCheckEvery = 100ms;  // from the end of one check to the next
constexpr base::nanoseconds kAskEvery = 10ms;     // no event says that a port is open
constexpr std::size_t kShownOutput = 200;         // bytes

/// What a program has written since an event, on both streams.
class OutputSince {
public:
  OutputSince(ScriptContext& context, const lab::LabProgram& program, std::uint64_t since)
      : timeline_(context.laboratory().timeline()), program_(program), seen_(since) {}

  const std::string& text() {
    timeline_.visit_after(seen_, [this](const capture::Event& event) {
      seen_ = event.number;
      const auto* wrote = std::get_if<capture::Program>(&event.body);
      if (wrote != nullptr && wrote->change == capture::ProgramChange::wrote &&
          wrote->host == program_.host() && wrote->program == program_.name())
        text_ += wrote->text;
      return true;
    });
    return text_;
  }

  /// Returns `, after it printed "..."`, with the end of the text.
  std::string shown() {
    std::string_view end = text();
    while (end.ends_with('\n')) end.remove_suffix(1);
    if (end.empty()) return ", and has printed nothing";
    const bool is_cut = end.size() > kShownOutput;
    if (is_cut) end.remove_prefix(end.size() - kShownOutput);
    return std::string(", after it printed \"") + (is_cut ? "..." : "") + base::c_escape(end) +
           "\"";
  }

private:
  lab::Timeline& timeline_;
  const lab::LabProgram& program_;
  std::uint64_t seen_;
  std::string text_;
};

/// Whether a client of that family can reach the port. Some programs make one socket for each
/// family, one after the other. An IPv6 socket mostly serves IPv4, too (ipv6(7), IPV6_V6ONLY).
bool listens(lab::LabHost& host, std::uint16_t port, base::Family family) {
  host.sockets().look_at_listeners();
  for (const auto& [key, socket] : host.sockets().connections().sockets())
    if (socket.state == capture::TcpState::listen && key.local.port == port &&
        (family == base::Family::ipv4 || key.local.address.family == base::Family::ipv6))
      return true;
  return false;
}

/// Waits for one service.
class ReadyWait : public std::enable_shared_from_this<ReadyWait> {
public:
  ReadyWait(ScriptContext& context, const Service& service, lab::LabProgram& program,
            std::uint64_t since, int line, ScriptContext::Then then)
      : context_(context),
        host_(*service.host),
        ready_(service.ready),
        program_(program),
        output_(context, program, since),
        line_(line),
        then_(std::move(then)),
        deadline_(now() + ready_.within),
        busy_at_begin_(context.laboratory().processor().waited()) {}

  int wait() { return ready_.check.command.empty() ? wait_for_itself() : check(); }

private:
  base::Instant now() { return context_.laboratory().clock().now(); }
  std::string expected() const { return program_.title() + " is ready: it " + ready_.describe(); }

  /// A service that ends will never be ready.
  std::string ending() {
    std::string text = "it " + program_.ending() + output_.shown();
    if (const std::size_t left = program_.processes().size(); left > 0)
      text += "; " + std::to_string(left) +
              " of its processes run on: it has forked away, so start it in the foreground";
    return text;
  }

  Condition::Status status() {
    if (!program_.running()) return {false, ending(), true};
    const base::Family family = context_.laboratory().config().family;
    const bool is_ready = ready_.port != 0 ? listens(host_, ready_.port, family)
                                           : output_.text().find(ready_.text) != std::string::npos;
    if (is_ready) return {true, "it does"};
    const bool has_other = ready_.port != 0 && listens(host_, ready_.port, base::Family::ipv4);
    return {false, (has_other ? "it listens for IPv4 only" : "it runs") + output_.shown()};
  }

  int wait_for_itself() {
    auto ready = context_.condition(ready_.within, expected(),
                                    [self = shared_from_this()] { return self->status(); });
    ready->host = host_.name();
    if (ready_.port != 0) ready->ask_every = kAskEvery;
    return context_.suspend_until(std::move(ready), line_, then_);
  }

  /// The time that a busy machine took does not count.
  bool is_late() {
    return now() >= deadline_ + context_.laboratory().processor().waited() - busy_at_begin_;
  }

  /// Waits for a condition that is always met in the end, then calls a function.
  int when(std::function<bool()> holds, int (ReadyWait::*next)(lua_State*)) {
    auto self = shared_from_this();
    auto condition = context_.condition(
        ready_.within + kCheckEvery, expected(), [self, holds = std::move(holds)] {
          return Condition::Status{holds() || !self->program_.running() || self->is_late(), ""};
        });
    condition->ask_every = kAskEvery;
    return context_.suspend_until(std::move(condition), 0,
                                  [self, next](lua_State* lua) { return ((*self).*next)(lua); });
  }

  int check() {
    check_ = &start_program(context_, host_, ready_.check.command, ready_.check.options);
    return when([this] { return !check_->running(); }, &ReadyWait::checked);
  }

  int checked(lua_State* lua) {
    if (check_->succeeded() && program_.running()) {
      context_.verdicts().judge(true, expected(), "it does", host_.name(), line_);
      return then_(lua);
    }
    if (!program_.running() || is_late()) return fail();
    const base::Instant again = now() + kCheckEvery;
    return when([this, again] { return now() >= again; }, &ReadyWait::check_again);
  }

  int check_again(lua_State*) { return program_.running() && !is_late() ? check() : fail(); }

  int fail() {
    const std::string last = check_->running() ? "still runs" : check_->ending();
    if (check_->running()) check_->signals().send_to_all(SIGKILL);
    const std::string seen = program_.running() ? check_->title() + " " + last + ", after " +
                                                      base::describe(ready_.within)
                                                : ending();
    return context_.verdicts().judge(false, expected(), seen, host_.name(), line_);
  }

  ScriptContext& context_;
  lab::LabHost& host_;
  ReadyWhen ready_;
  lab::LabProgram& program_;
  OutputSince output_;
  int line_;
  ScriptContext::Then then_;
  base::Instant deadline_;
  base::nanoseconds busy_at_begin_;
  lab::LabProgram* check_ = nullptr;
};

}  // namespace

std::string ReadyWhen::describe() const {
  if (port != 0) return "listens on port " + std::to_string(port);
  if (!text.empty()) return "prints \"" + base::c_escape(text) + "\"";
  return "answers " + check.command.front();
}

lab::LabProgram& start_service(ScriptContext& context, Service& service) {
  service.incarnation = service.host->incarnation();
  return start_program(context, *service.host, service.call.command, service.call.options);
}

int await_ready(ScriptContext& context, const Service& service, lab::LabProgram& program,
                std::uint64_t since, int line, ScriptContext::Then then) {
  return std::make_shared<ReadyWait>(context, service, program, since, line, std::move(then))
      ->wait();
}

}  // namespace tcplab::app
