// Where Go's runtime keeps what its goroutines wait for: the offsets of its internal structures. A
// program with debug information says them itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tcplab::capture {

/// Offsets in bytes.
struct GoLayout {
  // runtime.g, a goroutine
  std::uint64_t stack_low = 0;
  std::uint64_t stack_high = 0;
  std::uint64_t stack_pointer = 0;  // where it was parked
  std::uint64_t program_counter = 0;
  std::uint64_t status = 0;
  std::uint64_t number = 0;
  std::uint64_t wait_reason = 0;
  // runtime.pollDesc, a descriptor that goroutines may wait for
  std::uint64_t descriptor = 0;
  std::uint64_t reader = 0;
  std::uint64_t writer = 0;
  std::uint64_t read_deadline = 0;
  std::uint64_t write_deadline = 0;
  std::uint64_t self = 0;  // its own address
  // net/http.persistConn, a connection of a client. Its connection leads to a pollDesc.
  bool has_http = false;
  std::uint64_t http_connection = 0;  // net.Conn in net/http.persistConn
  std::uint64_t tls_connection = 0;   // net.Conn in crypto/tls.Conn
  std::uint64_t net_poll = 0;         // pollDesc in net.netFD

  bool operator==(const GoLayout&) const = default;
};

/// Reads the layout from the DWARF of a program. Returns nothing if it has none, or if a member is
/// missing.
std::optional<GoLayout> go_layout_in(const std::string& file);

/// Returns the layout of a version like "1.19.8" on a 64-bit machine, for programs that were linked
/// without debug information (-w). Returns nothing if it is not known.
std::optional<GoLayout> go_layout_of(std::string_view version);

}  // namespace tcplab::capture
