// What a tracepoint's record says, as a plain value: whichever kernel wrote it, and in whichever of
// its layouts. Pure. Whose it is, is not in it: engine/attribution finds that out.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "capture/event/event.hh"
#include "capture/kernel/tracepoint_format.hh"

namespace tcplab::capture {

/// Those that become events, and two that only help to say whose the others are.
enum class TraceKind : std::uint8_t {
  drop,
  reset,
  reset_received,
  error,
  retransmit,
  retransmit_synack,
  bad_checksum,
  socket_state,
  frame_received,
};

struct Tracepoint {
  TraceKind kind;
  std::string_view group;  // "tcp"
  std::string_view name;   // "tcp_send_reset"
  bool is_own;             // of interest only when this thread comes by it

  std::string title() const { return std::string(group) + ":" + std::string(name); }
};

/// Every one that is looked at.
std::span<const Tracepoint> tracepoints();

struct KernelRecord {
  TraceKind kind = TraceKind::drop;
  Instant at{};
  int thread = 0;  // in the reader's pid namespace; 0: none of it
  int cpu = -1;
  std::uint64_t socket = 0;  // the kernel's address of it; 0: none
  std::uint64_t packet = 0;  // of the buffer
  std::uint32_t length = 0;  // frame_received: of the packet, without the Ethernet header
  Endpoint local;
  Endpoint remote;
  std::string reason;
  int error = 0;
  std::optional<TcpState> state;  // socket_state: the new one
  std::optional<TcpState> old_state;
};

/// Nothing for what is not about TCP. `record` begins with common_type.
std::optional<KernelRecord> read_record(TraceKind kind, const TracepointFormat& format,
                                        Bytes record);

}  // namespace tcplab::capture
