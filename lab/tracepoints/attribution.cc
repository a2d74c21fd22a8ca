#include "lab/tracepoints/attribution.hh"

#include <algorithm>
#include <chrono>
#include <utility>

#include "capture/decode/decode.hh"

namespace tcplab::lab {

using capture::KernelAction;
using capture::KernelRecord;
using capture::TcpState;
using capture::TraceKind;
using namespace std::chrono_literals;

namespace {

// The time between the end of a socket and the report of its error. Both happen in one kernel
// function (tcp_done_with_error, tcp_reset in net/ipv4): microseconds apart, unless this machine is
// a guest whose processor is descheduled.
constexpr base::nanoseconds kSideBySide = 10ms;
constexpr std::size_t kMostClosed = 4096;
constexpr std::size_t kEthernetHeader = 14;

bool is_pair(const KernelRecord& record, const base::Endpoint& one, const base::Endpoint& other) {
  return (record.local == one && record.remote == other) ||
         (record.local == other && record.remote == one);
}

/// Reasons that do not mean that the kernel dropped a frame.
bool is_real(const std::string& reason) {
  return !reason.empty() && reason != "NOT_SPECIFIED" && reason != "CONSUMED" &&
         reason != "NOT_DROPPED_YET";
}

/// Some tracepoints have the addresses of a socket, some those of a packet, some none.
KernelRecord seen_by(const Delivery& delivery, KernelRecord record) {
  record.local = delivery.local;
  record.remote = delivery.remote;
  return record;
}

KernelAction deed_of(TraceKind kind) {
  switch (kind) {
    case TraceKind::reset:
      return KernelAction::reset;
    case TraceKind::reset_received:
      return KernelAction::reset_received;
    case TraceKind::error:
      return KernelAction::error;
    case TraceKind::retransmit:
      return KernelAction::retransmit;
    case TraceKind::retransmit_synack:
      return KernelAction::retransmit_synack;
    case TraceKind::bad_checksum:
      return KernelAction::bad_checksum;
    case TraceKind::drop:
    case TraceKind::socket_state:
    case TraceKind::frame_received:
      break;
  }
  return KernelAction::drop;
}

/// True if the socket has just been made, or is about to be.
bool is_birth(const KernelRecord& record) {
  if (record.old_state == TcpState::listen) return record.state == TcpState::syn_recv;
  return record.old_state == TcpState::close &&
         (record.state == TcpState::syn_sent || record.state == TcpState::listen);
}

}  // namespace

Delivery Delivery::of(capture::Bytes frame) {
  const capture::DecodedFrame decoded = capture::decode(frame);
  Delivery delivery;
  delivery.length = frame.size() < kEthernetHeader ? 0 : frame.size() - kEthernetHeader;
  if (decoded.icmp && decoded.icmp->quoted) {
    delivery.local = decoded.icmp->quoted->source;
    delivery.remote = decoded.icmp->quoted->destination;
  } else if (decoded.ip) {
    delivery.local.address = decoded.ip->destination;
    delivery.remote.address = decoded.ip->source;
  }
  if (decoded.tcp) {
    delivery.local.port = decoded.tcp->destination_port;
    delivery.remote.port = decoded.tcp->source_port;
  }
  return delivery;
}

bool Attribution::is_of(const KernelRecord& record, const Delivery* delivery) const {
  return delivery != nullptr && record.thread == own_thread_ && record.at >= delivery->begin &&
         record.at <= delivery->end;
}

std::vector<Attributed> Attribution::sort_out(std::span<const KernelRecord> records,
                                              const Delivery* delivery) {
  packet_ = 0;
  for (const KernelRecord& record : records) {
    const Delivery* within = is_of(record, delivery) ? delivery : nullptr;
    if (record.kind == TraceKind::socket_state) {
      if (only_host_.empty()) follow(record, within);
    } else if (record.kind == TraceKind::frame_received) {
      if (within != nullptr && packet_ == 0 && record.length == within->length)
        packet_ = record.packet;
    } else if (record.kind == TraceKind::drop) {
      if (within != nullptr) tell_drop(record, *within);
    } else {
      tell_other(record, within);
    }
  }
  if (!records.empty()) limit_memory(records.back().at);
  return std::exchange(found_, {});
}

/// Notes which host has which socket.
void Attribution::follow(const KernelRecord& record, const Delivery* delivery) {
  if (record.state == TcpState::close) return closed(record);
  if (is_birth(record)) return born(record);
  const bool is_accepted =
      record.old_state == TcpState::syn_recv && record.state == TcpState::established;
  if (is_accepted && delivery != nullptr && is_pair(record, delivery->local, delivery->remote))
    sockets_[record.socket] = {delivery->host};
}

/// The program's own thread makes sockets for connect(2) and listen(2). Other new sockets are
/// connections of a listener, whose addresses are not known yet.
void Attribution::born(const KernelRecord& record) {
  sockets_.erase(record.socket);
  if (record.old_state == TcpState::listen || record.thread == 0) return;
  std::string host = hosts_.of_program(record.thread);
  if (host.empty()) host = hosts_.of_address(record.local.address);
  if (!host.empty()) sockets_[record.socket] = {std::move(host)};
}

/// Keeps the socket: the reset of close(2) comes after the state.
void Attribution::closed(const KernelRecord& record) {
  const auto found = sockets_.find(record.socket);
  const std::string host = found == sockets_.end() ? "" : found->second.host;
  if (found != sockets_.end()) found->second.is_closed = true;
  const auto error = std::ranges::find_if(errors_, [&](const KernelRecord& each) {
    return each.cpu == record.cpu && record.at - each.at <= kSideBySide &&
           is_pair(each, record.local, record.remote);
  });
  ended_[record.cpu] = {record, host, error != errors_.end()};
  if (error == errors_.end()) return;
  if (!host.empty()) tell(*error, host, 0);
  errors_.erase(error);
}

std::string Attribution::owner_of(const KernelRecord& record) const {
  if (!only_host_.empty()) return only_host_;
  const auto found = sockets_.find(record.socket);
  return record.socket == 0 || found == sockets_.end() ? "" : found->second.host;
}

void Attribution::tell(const KernelRecord& record, const std::string& host, std::uint64_t frame) {
  found_.push_back({record.at, capture::Kernel{.host = host,
                                               .what = deed_of(record.kind),
                                               .local = record.local,
                                               .remote = record.remote,
                                               .reason = record.reason,
                                               .error = record.error,
                                               .state = record.state,
                                               .frame = frame}});
}

void Attribution::tell_drop(const KernelRecord& record, const Delivery& delivery) {
  if (packet_ == 0 || record.packet != packet_ || !is_real(record.reason)) return;
  tell(seen_by(delivery, record), delivery.host, delivery.frame);
}

/// An error of a timer, or of work that waited for a busy program: known by the socket that ends.
void Attribution::tell_error(const KernelRecord& record) {
  const auto ended = ended_.find(record.cpu);
  const bool is_its = ended != ended_.end() && !ended->second.has_error &&
                      record.at - ended->second.record.at <= kSideBySide &&
                      is_pair(record, ended->second.record.local, ended->second.record.remote);
  if (!is_its) return errors_.push_back(record);
  ended->second.has_error = true;
  if (!ended->second.host.empty()) tell(record, ended->second.host, 0);
}

void Attribution::tell_other(const KernelRecord& record, const Delivery* delivery) {
  if (record.kind == TraceKind::error && record.error == 0) return;  // there is one no more
  const bool is_its = delivery != nullptr && is_pair(record, delivery->local, delivery->remote);
  if (is_its && record.kind == TraceKind::error) ended_.erase(record.cpu);  // it has its error
  if (is_its) return tell(seen_by(*delivery, record), delivery->host, delivery->frame);
  if (record.kind == TraceKind::error && only_host_.empty()) return tell_error(record);
  const std::string host = owner_of(record);
  if (!host.empty()) tell(record, host, 0);
}

void Attribution::forget(const std::string& host) {
  std::erase_if(sockets_, [&](const auto& socket) { return socket.second.host == host; });
  std::erase_if(ended_, [&](const auto& ended) { return ended.second.host == host; });
}

void Attribution::limit_memory(base::Instant now) {
  std::erase_if(errors_, [&](const KernelRecord& error) { return now - error.at > kSideBySide; });
  if (sockets_.size() > kMostClosed)
    std::erase_if(sockets_, [](const auto& socket) { return socket.second.is_closed; });
}

}  // namespace tcplab::lab
