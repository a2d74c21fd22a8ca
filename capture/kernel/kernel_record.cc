#include "capture/kernel/kernel_record.hh"

#include <netinet/in.h>

#include <array>
#include <cstdlib>
#include <cstring>

namespace tcplab::capture {

namespace {

using base::Family;
using base::IpAddress;

constexpr std::array<Tracepoint, 9> kTracepoints = {{
    {TraceKind::reset, "tcp", "tcp_send_reset", false},
    {TraceKind::reset_received, "tcp", "tcp_receive_reset", false},
    {TraceKind::error, "sock", "inet_sk_error_report", false},
    {TraceKind::retransmit, "tcp", "tcp_retransmit_skb", false},
    {TraceKind::retransmit_synack, "tcp", "tcp_retransmit_synack", false},
    {TraceKind::bad_checksum, "tcp", "tcp_bad_csum", false},
    {TraceKind::socket_state, "sock", "inet_sock_set_state", false},
    {TraceKind::drop, "skb", "kfree_skb", true},
    {TraceKind::frame_received, "net", "netif_receive_skb", true},
}};

constexpr int kNewSynRecv = 12;  // include/net/tcp_states.h: a connection that has no socket yet

/// The kernel shows IPv4 connections of an IPv6 socket with mapped addresses (RFC 4291).
IpAddress address_of(Family family, Bytes bytes) {
  static constexpr std::array<std::uint8_t, 12> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  const bool is_mapped =
      family == Family::ipv6 && std::equal(kMapped.begin(), kMapped.end(), bytes.begin());
  if (is_mapped) return IpAddress::from_bytes(Family::ipv4, bytes.data() + kMapped.size());
  return IpAddress::from_bytes(family, bytes.data());
}

/// Reads a sockaddr_in or sockaddr_in6 from 28 bytes, as in resets and bad checksums since Linux
/// 6.10.
Endpoint socket_address(Bytes bytes) {
  std::uint16_t family = 0;
  std::memcpy(&family, bytes.data(), sizeof family);
  const std::uint16_t port = read_u16(bytes, 2);
  if (family == AF_INET) return {address_of(Family::ipv4, slice(bytes, 4)), port};
  if (family == AF_INET6) return {address_of(Family::ipv6, slice(bytes, 8)), port};
  return {};
}

/// Reads an address from the separate fields that all other records have for each family.
Endpoint endpoint_from_fields(const TracepointFormat& format, Bytes record, bool is_source) {
  const auto family = format.number(record, "family");
  const bool is_ipv6 = family == AF_INET6;
  const char* const field = is_source ? is_ipv6 ? "saddr_v6" : "saddr"
                            : is_ipv6 ? "daddr_v6"
                                      : "daddr";
  const Bytes bytes = format.bytes(record, field);
  if (bytes.size() != (is_ipv6 ? 16U : 4U)) return {};
  const auto port = format.number(record, is_source ? "sport" : "dport").value_or(0);
  return {address_of(is_ipv6 ? Family::ipv6 : Family::ipv4, bytes),
          static_cast<std::uint16_t>(port)};
}

Endpoint endpoint(const TracepointFormat& format, Bytes record, bool is_source) {
  const Bytes whole = format.bytes(record, is_source ? "saddr" : "daddr");
  return whole.size() == sizeof(sockaddr_in6) ? socket_address(whole)
                                              : endpoint_from_fields(format, record, is_source);
}

std::optional<TcpState> state(const TracepointFormat& format, Bytes record,
                              std::string_view field) {
  const auto number = format.number(record, field);
  if (!number || *number <= 0 || *number > kNewSynRecv) return std::nullopt;
  return *number == kNewSynRecv ? TcpState::syn_recv : static_cast<TcpState>(*number);
}

std::uint64_t pointer(const TracepointFormat& format, Bytes record, std::string_view field) {
  return static_cast<std::uint64_t>(format.number(record, field).value_or(0));
}

bool is_about_tcp(const TracepointFormat& format, Bytes record, TraceKind kind) {
  if (kind != TraceKind::error && kind != TraceKind::socket_state) return true;
  return format.number(record, "protocol").value_or(IPPROTO_TCP) == IPPROTO_TCP;
}

}  // namespace

std::span<const Tracepoint> tracepoints() { return kTracepoints; }

std::optional<KernelRecord> read_record(TraceKind kind, const TracepointFormat& format,
                                        Bytes record) {
  if (!is_about_tcp(format, record, kind)) return std::nullopt;
  KernelRecord read{.kind = kind};
  read.socket = pointer(format, record, "skaddr");
  read.packet = pointer(format, record, "skbaddr");
  read.length = static_cast<std::uint32_t>(format.number(record, "len").value_or(0));
  read.local = endpoint(format, record, true);
  read.remote = endpoint(format, record, false);
  read.reason = format.word(record, "reason");
  read.error = std::abs(static_cast<int>(
      format.number(record, kind == TraceKind::error ? "error" : "err").value_or(0)));
  const bool is_change = kind == TraceKind::socket_state;
  read.state = state(format, record, is_change ? "newstate" : "state");
  read.old_state = state(format, record, "oldstate");
  return read;
}

}  // namespace tcplab::capture
