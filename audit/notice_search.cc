#include "audit/notice_search.hh"

#include <cerrno>
#include <charconv>

#include "audit/notice.hh"
#include "capture/event/call_names.hh"

namespace tcplab::audit {

using capture::Call;
using capture::Event;

namespace {

constexpr base::nanoseconds kBlocked = std::chrono::milliseconds(1);
/// A socket without a frame is only seen to be closed when the kernel is asked again.
constexpr base::nanoseconds kSeenLater = std::chrono::seconds(1);
constexpr std::string_view kTimeout = "timeout ";

const std::string* program_of(const Event& event, const std::string& host) {
  if (const auto* call = std::get_if<Call>(&event.body))
    return call->host == host ? &call->program : nullptr;
  const auto* program = std::get_if<capture::Program>(&event.body);
  return program != nullptr && program->host == host ? &program->program : nullptr;
}

bool is_in(const NoticeScope& scope, const Event& event) {
  if (event.at < scope.failure || event.at > scope.until) return false;
  const std::string* program = program_of(event, scope.host);
  return program != nullptr && (scope.program.empty() || *program == scope.program);
}

bool sets_socket_timeout(const Call& call) {
  return call.call == "setsockopt" && call.result == 0 &&
         (call.arguments.starts_with("SO_RCVTIMEO") || call.arguments.starts_with("SO_SNDTIMEO"));
}

/// A blocked call that fails with EAGAIN (socket(7)). On a busy machine, one that does not block
/// may take as long; so it counts only if the program has set SO_RCVTIMEO or SO_SNDTIMEO.
bool is_socket_timeout(const Event& event, const Call& call) {
  return call.phase == capture::CallPhase::leave && call.result == -1 && call.error == EAGAIN &&
         event.at - call.entered >= kBlocked && !capture::waits_for_readiness(call.call);
}

/// SIGKILL comes from outside, for example when a host loses its power: nothing was noticed.
bool is_killed(const Event& event) {
  constexpr int kSigkill = 9;
  const auto* program = std::get_if<capture::Program>(&event.body);
  return program != nullptr && program->change == capture::ProgramChange::killed &&
         program->code == kSigkill;
}

bool hangs_up(const Call& call) {
  const int bad = capture::parse_poll_events("ERR|HUP").value_or(0);
  for (const capture::ReadyDescriptor& ready : call.ready)
    if ((ready.events & bad) != 0) return true;
  return (call.revents & bad) != 0;
}

/// Looks at events in order until one is a notice.
class Search {
public:
  Search(const HostWatch& watch, const NoticeScope& scope) : watch_(watch), scope_(scope) {}

  std::optional<Sighting> look(const Event& event) {
    const auto* call = std::get_if<Call>(&event.body);
    if (call != nullptr && call->host == scope_.host)
      has_timeout_set_ |= sets_socket_timeout(*call);
    if (!is_in(scope_, event) || is_killed(event)) return std::nullopt;
    const auto kind = notice_kind(event);
    if (kind == NoticeKind::end)
      return is_usual(event) ? std::nullopt : std::optional(given_up(event, nullptr));
    if (call == nullptr || call->phase != capture::CallPhase::leave || call->injected ||
        call->by_lab)
      return std::nullopt;
    if (scope_.is_of_old_connections && !is_of_old_connection(*call)) return std::nullopt;
    if (kind == NoticeKind::error) return sighting(event, *call, NoticedBy::error);
    if (has_timeout_set_ && is_socket_timeout(event, *call)) return timed_out_call(event, *call);
    if (kind == NoticeKind::end_of_stream && !is_usual(event))
      return sighting(event, *call, NoticedBy::end_of_stream);
    if (call->call == "close" && closes_connection(event, *call) && !is_usual(event))
      return given_up(event, call);
    remember(event, *call, kind);
    return std::nullopt;
  }

private:
  bool is_usual(const Event& event) const {
    return scope_.usual_after && event.at >= *scope_.usual_after;
  }

  bool is_of_old_connection(const Call& call) const {
    const WatchedConnection* connection = watch_.connection_of(call);
    return connection != nullptr && connection->opened <= scope_.failure;
  }

  /// False if another process still has the socket.
  bool closes_connection(const Event& event, const Call& call) const {
    const WatchedConnection* connection = watch_.connection_of(call);
    return connection != nullptr && connection->closed() &&
           *connection->closed() <= event.at + kSeenLater;
  }

  Sighting sighting(const Event& event, const Call& call, NoticedBy by) const {
    return {.noticed = {.by = by,
                        .after = event.at - scope_.failure,
                        .call = call.call,
                        .error = by == NoticedBy::error ? call.error : 0,
                        .event = event.number},
            .at = event.at,
            .connection = watch_.connection_of(call)};
  }

  std::optional<Sighting> timed_out_call(const Event& event, const Call& call) const {
    if (is_usual(event)) return std::nullopt;
    Sighting seen = sighting(event, call, NoticedBy::own_timer);
    seen.noticed.timeout = event.at - call.entered;
    return seen;
  }

  /// A program that closes or ends has noticed by the last failure that a call reported to it, if
  /// any.
  Sighting given_up(const Event& event, const Call* call) const {
    if (hung_up_) return *hung_up_;
    if (timeout_) return *timeout_;
    if (call != nullptr) return sighting(event, *call, NoticedBy::closed);
    return {.noticed = {.by = NoticedBy::ended,
                        .after = event.at - scope_.failure,
                        .event = event.number},
            .at = event.at};
  }

  void remember(const Event& event, const Call& call, std::optional<NoticeKind> kind) {
    if (kind == NoticeKind::own_timer) {
      timeout_ = sighting(event, call, NoticedBy::own_timer);
      timeout_->noticed.timeout = timeout_in(call.arguments);
    } else if (capture::waits_for_readiness(call.call) && call.result > 0 && hangs_up(call)) {
      hung_up_ = sighting(event, call, NoticedBy::hang_up);
    } else if (call.result > 0) {
      timeout_.reset();  // it has gone on: that timeout ended nothing
    }
  }

  const HostWatch& watch_;
  const NoticeScope& scope_;
  bool has_timeout_set_ = false;
  std::optional<Sighting> timeout_;
  std::optional<Sighting> hung_up_;
};

}  // namespace

std::optional<Sighting> first_notice(const std::vector<Event>& events, const HostWatch& watch,
                                     const NoticeScope& scope) {
  Search search(watch, scope);
  for (const Event& event : events)
    if (auto seen = search.look(event)) return seen;
  return std::nullopt;
}

std::vector<int> errors_in(const std::vector<Event>& events, const NoticeScope& scope) {
  std::vector<int> errors;
  for (const Event& event : events)
    if (is_in(scope, event) && notice_kind(event) == NoticeKind::error)
      errors.push_back(std::get<Call>(event.body).error);
  return errors;
}

std::optional<base::nanoseconds> timeout_in(const std::string& arguments) {
  const std::size_t at = arguments.rfind(kTimeout);
  if (at == std::string::npos) return std::nullopt;
  std::int64_t count = 0;
  const char* begin = arguments.data() + at + kTimeout.size();
  const auto [end, error] = std::from_chars(begin, arguments.data() + arguments.size(), count);
  if (error != std::errc()) return std::nullopt;
  return std::chrono::milliseconds(count);
}

}  // namespace tcplab::audit
