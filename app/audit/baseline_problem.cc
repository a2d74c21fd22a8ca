#include "app/audit/baseline_problem.hh"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fmt/format.h>
#include <optional>
#include <set>

#include "app/audit/baseline_events.hh"
#include "base/error.hh"

namespace tcplab::app {

using capture::AuditReaction;
using capture::Event;
using capture::ProgramChange;

namespace {

/// The command of --after runs beside the server.
std::string_view host_of(std::string_view program) { return program == kAfter ? kServer : program; }

/// The end of a program before the run was judged; null if it ran on.
const capture::Program* end_of(const std::vector<Event>& events, const std::string& program) {
  for (const Event& event : events) {
    const auto* note = std::get_if<capture::AuditNote>(&event.body);
    if (note != nullptr && note->step == capture::AuditStep::judged) return nullptr;
    const auto* each = std::get_if<capture::Program>(&event.body);
    if (each != nullptr && each->host == host_of(program) && each->program == program &&
        is_end(each->change))
      return each;
  }
  return nullptr;
}

bool has_started(const std::vector<Event>& events, const std::string& program) {
  return std::ranges::any_of(all_of<capture::Program>(events), [&](const auto* each) {
    return each->program == program && each->change == ProgramChange::started;
  });
}

/// The last line that the program wrote, after ": "; empty if none.
std::string last_words(const std::vector<Event>& events, const std::string& program) {
  std::string written;
  for (const auto* each : all_of<capture::Program>(events))
    if (each->program == program && each->change == ProgramChange::wrote) written += each->text;
  while (!written.empty() && (written.back() == '\n' || written.back() == '\r')) written.pop_back();
  if (written.empty()) return ", and printed nothing";
  return ": " + written.substr(written.rfind('\n') + 1);
}

std::string how_ended(const capture::Program& end) {
  if (end.change == ProgramChange::killed) return "was killed by " + base::signal_name(end.code);
  return "exited with status " + std::to_string(end.code);
}

/// The ports that the server's host has listened on.
std::set<base::Endpoint> listeners_of(const std::vector<Event>& events) {
  std::set<base::Endpoint> all;
  for (const auto* state : all_of<capture::State>(events))
    if (state->host == kServer && state->to == capture::TcpState::listen) all.insert(state->local);
  return all;
}

bool has_listened(const std::vector<Event>& events, std::uint16_t port) {
  return std::ranges::any_of(listeners_of(events), [port](const base::Endpoint& listener) {
    return port == 0 || listener.port == port;
  });
}

/// Whether the last listener of the port was closed.
bool has_stopped_listening(const std::vector<Event>& events, std::uint16_t port) {
  std::set<base::Endpoint> open;
  for (const auto* state : all_of<capture::State>(events)) {
    if (state->host != kServer || (port != 0 && state->local.port != port)) continue;
    if (state->to == capture::TcpState::listen)
      open.insert(state->local);
    else if (state->from == capture::TcpState::listen)
      open.erase(state->local);
  }
  return open.empty();
}

std::string shown(std::uint16_t port) {
  return port == 0 ? "its port" : "port " + std::to_string(port);
}

/// What the server did wrong before the client started.
std::string problem_of_server(const std::vector<Event>& events, std::uint16_t port) {
  for (const auto* call : all_of<capture::Call>(events))
    if (call->host == kServer && call->call == "bind" && call->error == EADDRINUSE)
      return fmt::format(
          "bind({}) fails with EADDRINUSE: another program of the script listens "
          "on this port; give each a port of its own",
          call->arguments);
  if (const auto* end = end_of(events, kServer))
    return fmt::format(
        "the server {} {} {}{}", how_ended(*end),
        has_listened(events, port) ? "after it had listened on" : "before it listened on",
        shown(port), last_words(events, kServer));
  const std::set<base::Endpoint> listeners = listeners_of(events);
  if (listeners.empty())
    return fmt::format("the server does not listen on {}, nor on another{}", shown(port),
                       last_words(events, kServer));
  const std::string seen = listeners.begin()->to_string();
  return fmt::format("the server does not listen on {}, but on {}; use --port {}", shown(port),
                     seen, listeners.begin()->port);
}

/// 127.0.0.0/8 or ::1 (RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3).
bool is_loopback(const base::IpAddress& address) {
  constexpr std::uint8_t kLoopback = 127;
  return address.family == base::Family::ipv4 ? address.bytes[0] == kLoopback
                                              : address == *base::IpAddress::parse("::1");
}

/// A server that its own host alone can reach; empty if others can, too.
std::string loopback_problem(const std::vector<Event>& events, std::uint16_t port) {
  std::string seen;
  for (const base::Endpoint& listener : listeners_of(events)) {
    if (port != 0 && listener.port != port) continue;
    if (!is_loopback(listener.address)) return "";
    seen = listener.to_string();
  }
  if (seen.empty()) return "";
  return fmt::format(
      "the server listens on {} only, where no other host can reach it; let it listen on all "
      "addresses (0.0.0.0 or ::), by its options or its configuration",
      seen);
}

/// Whether the client had a connection to the server's port.
bool has_connected(const std::vector<Event>& events, std::uint16_t port) {
  return std::ranges::any_of(all_of<capture::State>(events), [&](const auto* state) {
    return state->host == kClient && (port == 0 || state->remote.port == port) &&
           state->to == capture::TcpState::established;
  });
}

/// The last address that the client tried to connect to; empty if it did not try.
std::optional<base::Endpoint> tried(const std::vector<Event>& events) {
  std::optional<base::Endpoint> last;
  for (const auto* call : all_of<capture::Call>(events))
    if (call->host == kClient && call->call == "connect" && call->remote) last = call->remote;
  return last;
}

/// SIGKILL: the audit waits for a command no longer.
bool is_our_kill(const capture::Program& end) {
  return end.change == ProgramChange::killed && end.code == SIGKILL;
}

bool has_succeeded(const capture::Program& end) {
  return end.change == ProgramChange::exited && end.code == 0;
}

/// A server that has ended though its client still needs it; empty if the client is to blame. A
/// main process that ends well may have left a daemon, or have served its only client.
std::string problem_of_ended_server(const std::vector<Event>& events, std::uint16_t port) {
  const auto* end = end_of(events, kServer);
  if (end == nullptr || (has_succeeded(*end) && !has_stopped_listening(events, port))) return "";
  const auto* client = end_of(events, kClient);
  if (client != nullptr && has_succeeded(*client)) return "";
  if (client != nullptr && has_succeeded(*end) && has_connected(events, port)) return "";
  return problem_of_server(events, port);
}

std::string problem_of_client(const std::vector<Event>& events, std::uint16_t port) {
  if (std::string problem = problem_of_ended_server(events, port); !problem.empty()) return problem;
  const auto* end = end_of(events, kClient);
  if (has_connected(events, port)) {
    if (end == nullptr || has_succeeded(*end)) return "";
    return "the client fails even without a failure: it " + how_ended(*end) +
           last_words(events, kClient);
  }
  if (std::string problem = loopback_problem(events, port); !problem.empty()) return problem;
  const auto address = tried(events);
  const std::string where = address
                                ? ", but tried " + address->to_string() + "; does it ignore SERVER?"
                                : ", and tried no other; does it need SERVER in its words?";
  if (end == nullptr)
    return fmt::format("the client never connected to {} of the server{}", shown(port), where);
  if (has_succeeded(*end))
    return fmt::format("the client succeeds without connecting to {} of the server{}", shown(port),
                       where);
  return fmt::format("the client {} before it connected to {} of the server{}", how_ended(*end),
                     shown(port), last_words(events, kClient));
}

std::string problem_of_command(const std::vector<Event>& events) {
  if (const auto* end = end_of(events, kAfter); end != nullptr && !is_our_kill(*end))
    return fmt::format("the command of --after {}{}", how_ended(*end), last_words(events, kAfter));
  return fmt::format("the command of --after has not ended after 10 s{}",
                     last_words(events, kAfter));
}

/// Why no reaction to the command of --after could be judged; empty if one can, or there is none.
std::string problem_of_reaction(const std::vector<Event>& events) {
  std::optional<AuditReaction> reaction;
  for (const auto* note : all_of<capture::AuditNote>(events))
    if (note->step == capture::AuditStep::judged) reaction = note->reaction;
  if (!reaction) return "";
  switch (*reaction) {
    case AuditReaction::printed:
    case AuditReaction::printed_error:
    case AuditReaction::sent:
      return "";
    case AuditReaction::none:
      return "the client does not react to the command of --after, even without a failure: for 10 "
             "s, it wrote nothing, and sent no data on a TCP connection";
    case AuditReaction::command_failed:
      return problem_of_command(events);
    case AuditReaction::client_ended: {
      const auto* end = end_of(events, kClient);
      return "--after is for a client that waits without end; this one " +
             (end == nullptr ? "ended" : how_ended(*end)) + " before the command";
    }
    case AuditReaction::always_active:
      return "the reaction of the client to the command of --after cannot be told: it also writes "
             "output or sends data in the seconds before the command, and did nothing else after "
             "it";
  }
  return "";
}

}  // namespace

std::string problem_of(const std::vector<Event>& events, std::uint16_t port) {
  if (!has_started(events, kClient)) return problem_of_server(events, port);
  const std::string problem = problem_of_client(events, port);
  return problem.empty() ? problem_of_reaction(events) : problem;
}

}  // namespace tcplab::app
