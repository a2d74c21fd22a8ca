#include "lab/programs/host_sockets.hh"

#include <algorithm>
#include <chrono>

namespace tcplab::lab {

namespace {

constexpr std::size_t kFewSockets = 200;
constexpr std::uint8_t kTimeWaitTimer = 3;  // idiag_timer, sock_diag(7)

}  // namespace

void HostSockets::came_up() {
  netns::Machine& machine = machine_.get();
  if (!machine.own_stack().empty()) return;
  table_ = std::make_unique<capture::SocketTable>(machine.ask_sockets(), machine.hear_destroyed());
}

void HostSockets::power_went() {
  table_.reset();
  frame_states_ = {};
  connections_.forget_all(base::now());
}

void HostSockets::look_at(const ConnectionKey& key, base::Instant at, const Cause& cause) {
  // A router has no socket for what it forwards.
  if (!can_ask() || !network_.has_had(key.local.address)) return;
  const std::optional<netns::FrameAnswer> said = machine_.get().frame_answer();
  if (!said || said->local != key.local || said->remote != key.remote)
    return observe(key, table_->detail(key.local, key.remote), at, cause);
  for (const base::Bytes answer : said->answers)
    observe(key, capture::SocketTable::read_detail(answer), at, cause);
}

void HostSockets::note_frame(const capture::DecodedFrame& frame, bool is_sent, base::Instant at,
                             std::uint64_t number) {
  if (can_ask() || !machine_.is_on() || !frame.tcp) return;
  for (const auto& [key, state] : frame_states_.note(frame, is_sent, at)) {
    const capture::Socket socket{.state = state, .local = key.local, .remote = key.remote};
    connections_.observe(
        key, socket, at,
        {.what = capture::StateCause::frame, .frame = number, .is_concluded = true});
  }
}

void HostSockets::observe(const ConnectionKey& key,
                          const std::optional<capture::SocketDetail>& found, base::Instant at,
                          const Cause& cause) {
  // A passive open comes from LISTEN, which no frame shows.
  if (found && found->socket.state == capture::TcpState::syn_recv &&
      !connections_.listens(key.local))
    look_at_listeners();
  connections_.observe(key, found ? std::optional(found->socket) : std::nullopt, at, cause);
  if (found && found->sending) connections_.note_sending(key, *found->sending, at, cause.frame);
}

void HostSockets::look_at_all(const Cause& cause) {
  if (!can_ask()) return;
  const auto sockets = table_->dump();
  looked_at_ = base::now();
  connections_.observe_all(sockets, looked_at_, cause);
}

void HostSockets::look_at_destroyed() {
  if (!can_ask()) return;
  const Cause cause{.what = capture::StateCause::destroyed};
  const capture::Destroyed destroyed = table_->take_destroyed();
  if (connections_.sockets().size() <= kFewSockets) return look_at_all(cause);
  // A look at all of them for each that ends would take time in the square of their number. Those
  // that the kernel does not name are found by the next poll.
  for (const auto& [local, remote] : destroyed.connections)
    connections_.observe({local, remote}, table_->find(local, remote), base::now(), cause);
}

void HostSockets::look_at_listeners() {
  if (!can_ask()) return;
  constexpr auto kListen = 1U << static_cast<unsigned>(capture::TcpState::listen);
  connections_.observe_listeners(table_->dump(kListen), base::now(),
                                 Cause{.what = capture::StateCause::poll});
}

template <typename Chosen>
std::optional<base::Instant> HostSockets::first_of(const Chosen& chosen) const {
  std::optional<base::Instant> first;
  for (const auto& [key, socket] : connections_.sockets()) {
    if (!chosen(socket)) continue;
    const base::Instant expiry = looked_at_ + std::chrono::milliseconds(socket.timer_expires_ms);
    first = first ? std::min(*first, expiry) : expiry;
  }
  return first;
}

std::optional<base::Instant> HostSockets::next_expiry() const {
  return first_of([](const capture::Socket& socket) { return socket.timer == kTimeWaitTimer; });
}

base::Instant HostSockets::first_timer() const {
  const auto first = first_of([](const capture::Socket& socket) { return socket.timer != 0; });
  return first.value_or(base::Instant::max());
}

std::optional<base::nanoseconds> HostSockets::retransmission_timeout(
    const ConnectionKey& key) const {
  if (!can_ask()) return std::nullopt;
  return table_->retransmission_timeout(key.local, key.remote);
}

std::optional<capture::SocketDetail> HostSockets::detail(const ConnectionKey& key) const {
  if (!machine_.is_on()) return std::nullopt;
  machine_.with_kernel_tcp("TCP_INFO");
  return table_->detail(key.local, key.remote);
}

std::vector<capture::SocketDetail> HostSockets::details() const {
  std::vector<capture::SocketDetail> details;
  if (!can_ask()) return details;
  for (const auto& [key, socket] : connections_.sockets())
    if (key.remote.port != 0)
      if (const auto detail = table_->detail(key.local, key.remote)) details.push_back(*detail);
  return details;
}

}  // namespace tcplab::lab
