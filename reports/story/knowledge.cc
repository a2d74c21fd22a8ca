#include "reports/story/knowledge.hh"

#include <algorithm>
#include <fmt/format.h>

namespace tcplab::reports {

namespace {

using capture::ActionVerb;
using capture::Event;
using capture::State;
using capture::TcpState;

// As many as a reader can take in; a port scan makes more.
constexpr std::size_t kMostSockets = 12;

std::string blow(ActionVerb verb) {
  if (verb == ActionVerb::reboot) return "was rebooted";
  if (verb == ActionVerb::power_cycle) return "was power cycled";
  return verb == ActionVerb::crash ? "crashed" : "lost its power";
}

/// Both ends of a connection are bound to each other in these (RFC 9293 section 3.3.2).
bool believes_in_peer(TcpState state) {
  return state == TcpState::established || state == TcpState::fin_wait1 ||
         state == TcpState::fin_wait2 || state == TcpState::close_wait ||
         state == TcpState::last_ack || state == TcpState::closing;
}

KnownSocket& socket_of(std::vector<KnownSocket>& sockets, const capture::Endpoint& local,
                       const capture::Endpoint& remote) {
  const auto found = std::ranges::find_if(
      sockets, [&](const KnownSocket& socket) { return socket.is(local, remote); });
  if (found != sockets.end()) return *found;
  if (sockets.size() >= kMostSockets) {
    // The oldest that is gone; else the oldest.
    const auto gone = std::ranges::find_if_not(sockets, &KnownSocket::lives);
    sockets.erase(gone == sockets.end() ? sockets.begin() : gone);
  }
  return sockets.emplace_back(local, remote);
}

void append_line(std::string& text, const std::string& line) {
  text += (text.empty() ? "" : "\n") + line;
}

}  // namespace

void Knowledge::see(const Event& event) {
  std::visit(
      [this, &event](const auto& body) {
        if constexpr (requires { see_body(event, body); }) see_body(event, body);
      },
      event.body);
}

void Knowledge::see_body(const Event& event, const capture::RunStart&) { start_ = event.at; }

void Knowledge::see_body(const Event&, const capture::HostUp& up) {
  names_.learn(up);
  Host& one = host(up.host);
  one.has_power = true;
  one.addresses.clear();
  for (const capture::Interface& interface : up.interfaces)
    for (const std::string& text : interface.addresses)
      if (const auto address = base::IpAddress::parse(text.substr(0, text.find('/'))))
        one.addresses.push_back(*address);
}

void Knowledge::see_body(const Event&, const capture::Program& change) {
  program(host(change.host), change.program).changes(change);
}

void Knowledge::see_body(const Event& event, const capture::Call& call) {
  program(host(call.host), call.program).calls(call, event.at, names_);
}

void Knowledge::see_body(const Event&, const State& state) {
  socket_of(host(state.host).sockets, state.local, state.remote).changes(state);
}

void Knowledge::see_body(const Event&, const capture::Packet& packet) {
  if (packet.protocol != "TCP") return;
  const auto find = [](Host& one, const capture::Endpoint& local,
                       const capture::Endpoint& remote) -> KnownSocket* {
    const auto is_local = [&](const auto& address) { return address == local.address; };
    if (std::ranges::none_of(one.addresses, is_local)) return nullptr;  // it only forwards
    return &socket_of(one.sockets, local, remote);
  };
  if (!packet.from.empty() && packet.fate != capture::Fate::forged)
    if (auto* socket = find(host(packet.from), packet.source, packet.destination))
      socket->sends(packet);
  if (packet.to.empty() || !packet.delivered) return;
  if (auto* socket = find(host(packet.to), packet.destination, packet.source))
    socket->receives(packet);
}

void Knowledge::see_body(const Event& event, const capture::Action& action) {
  if (action.host.empty()) return;
  Host& one = host(action.host);
  if (forgets_connections(action.verb)) one.last_blow = blow(action.verb) + " at " + time(event.at);
  if (power_change(action.verb) == capture::PowerChange::cut) lose_power(one);
  if (action.verb == ActionVerb::unplug) one.is_plugged = false;
  if (action.verb == ActionVerb::plug) one.is_plugged = true;
  const bool freezes = action.verb == ActionVerb::freeze;
  if (!freezes && action.verb != ActionVerb::thaw) return;
  for (KnownProgram& each : one.programs)
    if (action.program == each.name()) each.freezes(freezes);
}

void Knowledge::lose_power(Host& host) {
  host.has_power = false;
  for (KnownProgram& each : host.programs) each.loses_power();
}

std::string Knowledge::time(capture::Instant at) const {
  if (!start_) return "some time";
  return fmt::format("{:.3f} s", base::in_seconds(at - *start_));
}

Knowledge::Host& Knowledge::host(const std::string& name) {
  const auto found = std::ranges::find(hosts_, name, &Host::name);
  if (found != hosts_.end()) return *found;
  hosts_.push_back({.name = name});
  return hosts_.back();
}

KnownProgram& Knowledge::program(Host& host, const std::string& name) {
  const auto found = std::ranges::find(host.programs, name, &KnownProgram::name);
  if (found != host.programs.end()) return *found;
  return host.programs.emplace_back(name);
}

const Knowledge::Host* Knowledge::owner(const base::IpAddress& address) const {
  for (const Host& one : hosts_)
    if (std::ranges::find(one.addresses, address) != one.addresses.end()) return &one;
  return nullptr;
}

std::string Knowledge::truth_about(const KnownSocket& socket, bool& is_mistaken) const {
  const Host* peer = owner(socket.remote().address);
  if (peer == nullptr || socket.listens() || !socket.lives()) return "";
  const bool believes = believes_in_peer(socket.state());
  if (!peer->has_power) {
    is_mistaken = is_mistaken || believes;
    return fmt::format("{} {}", peer->name, peer->last_blow);
  }
  const auto other = std::ranges::find_if(peer->sockets, [&](const KnownSocket& theirs) {
    return theirs.is(socket.remote(), socket.local());
  });
  std::string text;
  if (other == peer->sockets.end() || !other->has_been())
    return "";  // nobody has seen the other end: it may be behind a NAT
  if (other->lives()) {
    text = fmt::format("{}'s end is in {}", peer->name, capture::name(other->state()));
  } else {
    is_mistaken = is_mistaken || believes;
    text = peer->name + " has no such connection";
    if (other->lost_with_power()) text += ": it " + peer->last_blow;
  }
  if (!peer->is_plugged) text += "; " + peer->name + "'s cable is unplugged";
  return text;
}

HostView Knowledge::view(const Host& host) const {
  HostView view{.host = host.name};
  for (const KnownProgram& each : host.programs) append_line(view.program, each.describe());
  if (!host.has_power) {
    view.kernel = "there is none";
    view.truth = host.name + " " + host.last_blow;
    return view;
  }
  for (const KnownSocket& socket : host.sockets) {
    if (!socket.has_been() || socket.lost_with_power()) continue;
    if (socket.listens() || socket.lives() || &socket == &host.sockets.back())
      append_line(view.kernel, socket.describe(names_));
    if (socket.lives() && !socket.listens()) view.states.push_back(socket.state());
    const std::string truth = truth_about(socket, view.is_mistaken);
    if (!truth.empty()) append_line(view.truth, truth);
  }
  if (!host.is_plugged) append_line(view.truth, host.name + "'s cable is unplugged");
  const bool was_reset = !host.sockets.empty() && host.sockets.back().was_reset();
  if (was_reset && !host.programs.empty())
    if (const KnownProgram& last = host.programs.back(); last.runs() && !last.knows_of_error())
      append_line(view.truth, last.name() + " has not been told yet");
  return view;
}

std::vector<HostView> Knowledge::views() const {
  std::vector<HostView> all;
  for (const Host& one : hosts_) all.push_back(view(one));
  return all;
}

}  // namespace tcplab::reports
