// Decodes a tracepoint's record into a plain value, whichever kernel version wrote it. Pure. The
// value does not say which host caused the record: attribution in the lab finds that out.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "capture/event/event.hh"
#include "capture/kernel/tracepoint_format.hh"

namespace tcplab::capture {

/// The kinds of record. The last two become no events: they only help to find out which host
/// caused the others.
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
  bool this_thread_only;   // recorded only if it fires in the lab's own thread

  std::string title() const { return std::string(group) + ":" + std::string(name); }
};

/// Returns the tracepoints that the lab records.
std::span<const Tracepoint> tracepoints();

struct KernelRecord {
  TraceKind kind = TraceKind::drop;
  Instant at{};
  int thread = 0;  // in the reader's pid namespace; 0 if not in it
  int cpu = -1;
  std::uint64_t socket = 0;  // its address in the kernel; 0 if none
  std::uint64_t packet = 0;  // the address of its sk_buff in the kernel
  std::uint32_t length = 0;  // frame_received: of the packet, without the Ethernet header
  Endpoint local;
  Endpoint remote;
  std::string reason;
  int error = 0;
  std::optional<TcpState> state;  // socket_state: the new state
  std::optional<TcpState> old_state;
};

/// Decodes a record, which begins with common_type. Returns nullopt if it is not about TCP.
std::optional<KernelRecord> read_record(TraceKind kind, const TracepointFormat& format,
                                        Bytes record);

}  // namespace tcplab::capture
