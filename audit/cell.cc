#include <algorithm>
#include <map>
#include <system_error>
#include <utility>

#include "audit/audit.hh"
#include "audit/cell_advice.hh"
#include "audit/cell_reason.hh"
#include "audit/host_watch.hh"
#include "audit/library.hh"
#include "audit/notice.hh"
#include "audit/notice_search.hh"
#include "base/error.hh"
#include "capture/event/call_names.hh"

namespace tcplab::audit {

using base::Instant;
using capture::Action;
using capture::AuditNote;
using capture::AuditOutcome;
using capture::AuditStep;
using capture::Call;
using capture::Event;
using capture::Program;
using capture::ProgramChange;

namespace {

constexpr std::uint16_t kDns = 53;
constexpr base::nanoseconds kSlowLookup = std::chrono::seconds(1);

/// When the marks came.
struct Marks {
  std::optional<Instant> begins;
  std::optional<Instant> failure;
  std::optional<Instant> failure_ends;
  std::optional<Instant> judged;
};

/// Makes one cell: first everything is read, then the rules look at it.
class CellMaker {
public:
  explicit CellMaker(std::vector<Event> events) : events_(std::move(events)) {
    for (const Event& event : events_) note_marks(event);
  }

  Cell make() {
    for (const Event& event : events_) {
      if (marks_.judged && event.at > *marks_.judged) continue;
      client_.note(event);
      server_.note(event);
      note(event);
    }
    count_connections();
    count_requests();
    if (const Library* library = library_in(errors_)) cell_.library = library->settings.names;
    if (marks_.failure)
      judge();
    else if (marks_.begins && marks_.judged)
      cell_.took = *marks_.judged - *marks_.begins;
    return cell_;
  }

private:
  void note_marks(const Event& event) {
    if (const auto* note = std::get_if<AuditNote>(&event.body)) note_mark(event.at, *note);
    if (const auto* run = std::get_if<capture::RunStart>(&event.body)) {
      cell_.run = run->scenario;
      cell_.has_stock_timers = run->timers == "stock";
    }
    const auto* end = std::get_if<capture::RunEnd>(&event.body);
    if (end != nullptr &&
        (end->outcome == capture::Outcome::broken || end->outcome == capture::Outcome::bad_script ||
         end->outcome == capture::Outcome::skipped))
      cell_.trouble = end->reason;
  }

  void note_mark(Instant at, const AuditNote& note) {
    switch (note.step) {
      case AuditStep::begins:
        marks_.begins = at;
        cell_.failure = note.failure;
        cell_.failure_title = note.failure_title.empty() ? note.failure : note.failure_title;
        cell_.moment = note.moment;
        cell_.moment_title = note.moment_title.empty() ? note.moment : note.moment_title;
        cell_.side = note.side;
        cell_.limit = note.limit;
        cell_.ends_after_limit = note.lasts > note.limit;
        cell_.client = note.client;
        cell_.server = note.server;
        program_ = note.program;
        client_ = HostWatch(note.client, false);
        server_ = HostWatch(note.server, true);
        break;
      case AuditStep::starting:
      case AuditStep::moment:
        break;
      case AuditStep::failure:
        marks_.failure = at;
        break;
      case AuditStep::failure_ends:
        marks_.failure_ends = at;
        break;
      case AuditStep::after:
        marks_.judged = at;  // what follows is only about the client's reaction
        break;
      case AuditStep::judged:
        marks_.judged = marks_.judged.value_or(at);
        cell_.is_judged = true;
        cell_.reaction = note.reaction;
        cell_.outcome = note.outcome;
        cell_.text = note.text;
        break;
    }
  }

  void note(const Event& event) {
    last_ = event.at;
    if (const auto* program = std::get_if<Program>(&event.body)) {
      note_program(event, *program);
    } else if (const auto* action = std::get_if<Action>(&event.body)) {
      if (action->verb == capture::ActionVerb::sysctl) cell_.has_stock_timers = false;
      if (cell_.side == "client" && action->host == cell_.client) {
        cell_.is_client_gone |= stops_programs(action->verb);
        cell_.is_client_frozen |= action->verb == capture::ActionVerb::freeze;
      }
      is_path_open_ |= action->verb == capture::ActionVerb::corrupt;
      // Before, the lab may stop the server, so that it does not answer before the failure.
      if (action->host != cell_.server || !marks_.failure || event.at < *marks_.failure) return;
      if (action->verb == capture::ActionVerb::freeze) is_server_frozen_ = true;
      if (action->verb == capture::ActionVerb::thaw) is_server_frozen_ = false;
    } else if (const auto* packet = std::get_if<capture::Packet>(&event.body)) {
      if (marks_.failure && event.at >= *marks_.failure) note_packet(*packet);
    }
  }

  void note_packet(const capture::Packet& packet) {
    const bool is_udp = packet.protocol == "UDP";
    if (is_udp && packet.from == cell_.client && packet.destination.port == kDns && !asked_name_)
      asked_name_ = packet.sent;
    if (packet.to != cell_.client || !packet.delivered) return;
    if (is_udp && packet.source.port == kDns && asked_name_ && !cell_.name_lookup)
      cell_.name_lookup = *packet.delivered - *asked_name_;
    has_icmp_ |= packet.protocol == "ICMP";
    has_icmp6_ |= packet.protocol == "ICMPv6";
  }

  /// Since the failure, the client has waited for a resolver.
  bool is_lookup_slow() const {
    return asked_name_ && cell_.name_lookup.value_or(kSlowLookup) >= kSlowLookup;
  }

  bool is_client_program(const std::string& host, const std::string& program) const {
    return host == cell_.client && (program_.empty() || program == program_);
  }

  void note_program(const Event& event, const Program& program) {
    const bool is_client = is_client_program(program.host, program.program);
    if (program.change == ProgramChange::started) {
      if (is_client) cell_.command = program.command;
      if (program.host == cell_.server) cell_.server_command = program.command;
    }
    const bool has_ended =
        program.change == ProgramChange::exited || program.change == ProgramChange::killed;
    if (is_client && program.stream == "stderr") errors_ += program.text;
    if (!is_client || !has_ended) return;
    client_ended_ = event.at;
    cell_.is_client_gone |= cell_.side == "client" && program.change == ProgramChange::killed;
  }

  /// Returns the calls in which the client's program waits at the end.
  std::vector<capture::TrackedCallPointer> waits() const {
    std::vector<capture::TrackedCallPointer> calls = client_.calls_under_way();
    std::erase_if(calls, [this](const capture::TrackedCallPointer& each) {
      const std::string& name = each->call.call;
      const bool may_wait = capture::waits_for_readiness(name) || capture::receives_data(name) ||
                            capture::sends_data(name);
      return !may_wait || !is_client_program(each->call.host, each->call.program);
    });
    return calls;
  }

  bool has_timed_wait() const {
    return std::ranges::any_of(
        waits(), [](const auto& wait) { return timeout_in(wait->call.arguments).has_value(); });
  }

  /// The server's end of a client's connection; null if it is not known.
  const WatchedConnection* server_end_of(const WatchedConnection* connection) const {
    if (connection == nullptr) return nullptr;
    const auto found = std::ranges::find_if(server_.connections(), [&](const auto& each) {
      return each.local == connection->remote && each.remote == connection->local;
    });
    return found == server_.connections().end() ? nullptr : &*found;
  }

  void count_connections() {
    cell_.connections = static_cast<int>(client_.connections().size());
    if (!marks_.failure) return;
    int alive = 0;
    int opened = 0;
    for (const WatchedConnection& connection : client_.connections()) {
      if (connection.opened >= *marks_.failure)
        ++opened;
      else if (!connection.closed() || *connection.closed() > *marks_.failure)
        ++alive;
    }
    cell_.opened_again = std::max(0, alive > 0 ? opened : opened - 1);
    for (const WatchedConnection& connection : client_.connections())
      if (connection.opened >= *marks_.failure && (alive > 0 || cell_.opened_again > 0))
        reopened_ = connection.opened;
  }

  /// A request that had no answer, and came again on another connection.
  void count_requests() {
    const std::vector<WatchedConnection>& all = client_.connections();
    for (std::size_t index = 0; index < all.size(); ++index)
      for (const WatchedRequest& request : all[index].requests)
        if (!request.is_answered && !request.data.empty() && comes_again(request, index)) {
          ++cell_.sent_again;
          if (times_received(request) > 1) ++cell_.received_again;
        }
  }

  bool comes_again(const WatchedRequest& first, std::size_t connection) const {
    const std::vector<WatchedConnection>& all = client_.connections();
    for (std::size_t other = 0; other < all.size(); ++other)
      for (const WatchedRequest& request : all[other].requests)
        if (other != connection && request.data == first.data && request.at > first.at) return true;
    return false;
  }

  /// On how many connections the server's program has read it.
  int times_received(const WatchedRequest& first) const {
    const auto is_it = [&first](const WatchedRequest& each) {
      return each.data == first.data && each.at >= first.at;
    };
    return static_cast<int>(
        std::ranges::count_if(server_.connections(), [&is_it](const WatchedConnection& connection) {
          return std::ranges::any_of(connection.requests, is_it);
        }));
  }

  /// A client that waits without end is judged at the limit, but served once it is connected.
  Instant ended() const {
    const Instant judged = marks_.judged.value_or(last_);
    if (client_ended_ && *client_ended_ >= *marks_.failure && *client_ended_ < judged)
      return *client_ended_;
    const WatchedConnection* newest = client_.last();
    const bool is_at_limit = judged - *marks_.failure >= cell_.limit;
    const bool is_served = cell_.outcome == AuditOutcome::recovered && is_at_limit &&
                           newest != nullptr &&
                           newest->established_at.value_or(Instant{}) > *marks_.failure;
    return is_served ? *newest->established_at : judged;
  }

  NoticeScope client_scope() const {
    NoticeScope scope{.host = cell_.client,
                      .program = program_,
                      .failure = *marks_.failure,
                      .until = marks_.judged.value_or(last_),
                      .usual_after = {},
                      .is_of_old_connections = false};
    if (cell_.outcome == AuditOutcome::recovered)
      scope.usual_after = reopened_.value_or(*marks_.failure);
    return scope;
  }

  void judge() {
    const bool has_answer =
        cell_.outcome != AuditOutcome::hangs && cell_.outcome != AuditOutcome::not_reached;
    if (has_answer) {
      cell_.took = ended() - *marks_.failure;
      if (marks_.failure_ends) cell_.took_after = ended() - *marks_.failure_ends;
    }
    cell_.has_failure_ended = marks_.failure_ends.has_value();
    std::optional<Sighting> seen;
    if (cell_.outcome != AuditOutcome::unaffected)
      seen = first_notice(events_, client_, client_scope());
    if (seen) cell_.noticed = seen->noticed;
    const WatchedConnection* connection =
        seen && seen->connection != nullptr ? seen->connection : client_.last();
    if (connection != nullptr) cell_.options = connection->options;
    cell_.reason = cell_.is_client_gone
                       ? Reason::nothing
                       : reason_of({.outcome = cell_.outcome,
                                    .sighting = seen ? &*seen : nullptr,
                                    .connection = connection,
                                    .server_end = server_end_of(connection),
                                    .failure = *marks_.failure,
                                    .has_icmp_error = has_icmp_error(),
                                    .is_server_frozen = is_server_frozen_,
                                    .is_lookup_slow = is_lookup_slow(),
                                    .has_endless_wait = !waits().empty() && !has_timed_wait()});
    cell_.waits_with_timeout = has_timed_wait();
    find_replaced_error();
    judge_server();
    if (cell_.is_client_gone) {  // then the server is what recovers
      cell_.took =
          cell_.outcome == AuditOutcome::recovered
              ? cell_.server_let_go.value_or(marks_.judged.value_or(last_) - *marks_.failure)
              : cell_.server_let_go;
      cell_.took_after.reset();
    }
    cell_.advice = advice_for(cell_);
  }

  /// The events do not distinguish ICMPv6 errors from neighbour discovery.
  std::optional<bool> has_icmp_error() const {
    if (has_icmp_) return true;
    return has_icmp6_ ? std::nullopt : std::optional(false);
  }

  /// Whether the user's text has the words for errno, of strerror(3), or its name.
  bool is_in_text(int error) const {
    return cell_.text.find(std::generic_category().message(error)) != std::string::npos ||
           cell_.text.find(base::errno_name(error)) != std::string::npos;
  }

  void find_replaced_error() {
    if (cell_.outcome != AuditOutcome::error) return;
    const std::vector<int> errors = errors_in(events_, client_scope());
    if (errors.size() < 2 || errors.front() == errors.back()) return;
    // Some programs, such as curl, have words of their own for the last error.
    if ((is_in_text(errors.back()) || cell_.opened_again > 0) && !is_in_text(errors.front()))
      cell_.first_error = errors.front();
  }

  /// When the server's end of a connection that the client's failure or the path's hit was closed.
  void judge_server() {
    const bool goes_on = cell_.outcome == AuditOutcome::unaffected ||
                         (cell_.outcome == AuditOutcome::recovered && cell_.opened_again == 0);
    if (cell_.side == "server" || (goes_on && !cell_.is_client_gone)) return;
    std::optional<Instant> let_go;
    bool keeps = false;
    for (const WatchedConnection& connection : server_.connections()) {
      if (connection.opened > *marks_.failure || !connection.is_established) continue;
      if (connection.is_to_itself()) continue;
      if (connection.closed() && *connection.closed() <= *marks_.failure) continue;
      cell_.had_server_connection = true;
      if (!connection.closed())
        keeps = true;
      else
        let_go = std::max(let_go.value_or(*connection.closed()), *connection.closed());
    }
    note_let_go(let_go, keeps);
    cell_.can_server_ask_client = is_path_open_ && !cell_.is_client_gone;
    if (!cell_.had_server_connection) return;
    const NoticeScope scope{.host = cell_.server,
                            .program = {},
                            .failure = *marks_.failure,
                            .until = marks_.judged.value_or(last_),
                            .usual_after = {},
                            .is_of_old_connections = true};
    if (const auto seen = first_notice(events_, server_, scope))
      cell_.server_noticed = seen->noticed;
  }

  /// If the client is gone, the script has seen that no program of the server holds a connection. A
  /// kernel may still have one, whose end is not in the events.
  void note_let_go(std::optional<Instant> let_go, bool keeps) {
    const bool has_let_go = cell_.is_client_gone && cell_.outcome == AuditOutcome::recovered;
    if (keeps && has_let_go) let_go = marks_.judged;
    if ((!keeps || has_let_go) && let_go) cell_.server_let_go = *let_go - *marks_.failure;
  }

  std::vector<Event> events_;  // in the order of time
  Cell cell_;
  Marks marks_;
  std::string program_;
  std::string errors_;  // what the client wrote to standard error
  HostWatch client_{"", false};
  HostWatch server_{"", true};
  Instant last_{};
  std::optional<Instant> client_ended_;
  std::optional<Instant> reopened_;    // when the client last opened a connection again
  std::optional<Instant> asked_name_;  // the first DNS query after the failure
  bool is_server_frozen_ = false;
  bool is_path_open_ = false;  // the failure changes segments, and they arrive
  bool has_icmp_ = false;
  bool has_icmp6_ = false;
};

}  // namespace

bool is_cell(const std::vector<Event>& events) {
  return std::ranges::any_of(
      events, [](const Event& event) { return std::holds_alternative<AuditNote>(event.body); });
}

Cell cell_of(std::vector<Event> events) {
  // Hours of a busy program are millions of events: a stable sort would copy half of them.
  std::ranges::sort(events, {},
                    [](const Event& event) { return std::pair(event.at, event.number); });
  return CellMaker(std::move(events)).make();
}

}  // namespace tcplab::audit
