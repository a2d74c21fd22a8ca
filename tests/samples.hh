// Makes events and frames for tests. Only the fields that a test needs are set.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "capture/event/event.hh"
#include "lab/programs/connection_table.hh"

namespace tcplab::tests {

inline base::Endpoint endpoint(const std::string& text) {
  return base::Endpoint::parse(text).value();
}

inline const lab::ConnectionKey kKangsEnd = {endpoint("10.0.0.1:40000"), endpoint("10.0.0.2:8080")};
inline const lab::ConnectionKey kKodosEnd = {kKangsEnd.remote, kKangsEnd.local};
inline const lab::ConnectionKey kListener = {endpoint("0.0.0.0:8080"), endpoint("0.0.0.0:0")};

inline capture::Event event(capture::Body body) {
  return {.number = 1, .at = {}, .body = std::move(body)};
}

/// Returns the return of a call of kang's dnc.
inline capture::Call returned(const std::string& name, std::int64_t result, int error = 0) {
  capture::Call call;
  call.host = "kang";
  call.program = "dnc";
  call.phase = capture::CallPhase::leave;
  call.call = name;
  call.fd = 3;
  call.result = result;
  call.error = error;
  return call;
}

inline capture::Socket socket_of(const lab::ConnectionKey& key, capture::TcpState state,
                                 std::uint32_t inode = 0) {
  capture::Socket socket;
  socket.state = state;
  socket.local = key.local;
  socket.remote = key.remote;
  socket.inode = inode;
  return socket;
}

using Bytes = std::vector<std::uint8_t>;

/// Returns a TCP segment over IPv4 in an Ethernet frame, from 10.0.0.1:40000 to 10.0.0.2:8080, with
/// these flags (RFC 9293 section 3.1). Checksums are zero, because filters do not check them.
inline Bytes segment(std::uint8_t flags) {
  return {0x02, 0,    0,    0,    0,  2, 0x02, 0, 0,  0, 0, 1, 0x08, 0x00,   // Ethernet
          0x45, 0,    0,    40,   0,  0, 0x40, 0, 64, 6, 0, 0,               // IPv4
          10,   0,    0,    1,    10, 0, 0,    2,                            //
          0x9c, 0x40, 0x1f, 0x90, 0,  0, 0,    1, 0,  0, 0, 1, 0x50, flags,  // TCP
          0xff, 0xff, 0,    0,    0,  0};
}

inline constexpr std::uint8_t kSyn = 0x02;
inline constexpr std::uint8_t kRst = 0x04;
inline constexpr std::uint8_t kAck = 0x10;

}  // namespace tcplab::tests
