// The messages between the lab and the agent of a guest. A message has a kind, and a payload of
// numbers and texts. Both ends run on one machine, so numbers have its byte order.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tcplab::uml {

using Bytes = std::span<const std::uint8_t>;

enum class Kind : std::uint8_t {
  // To the agent, which answers each with `answer` or `refusal`.
  configure,      // names, files and network devices of the host (Configuration)
  frame,          // nic, frame: delivers it. Answer: accepted, time, answer of sock_diag(7)
  question,       // netlink protocol, request: asks its kernel. Answer: the kernel's
  start,          // ProgramStart: starts a program. Answer: its pid
  input,          // pid, bytes: writes to its descriptor 0
  close_input,    // pid: closes it
  signal,         // pid, signal: kill(2). Answer: whether the process was there
  signal_all,     // mark, signal: every process with the mark. Answer: how many got it
  signal_every,   // signal: every process but the agent
  processes,      // mark. Answer: pids of the live processes with it
  sockets,        // pids. Answer: inodes of the sockets that they have open
  read_file,      // path. Answer: its text
  write_file,     // path, text
  private_file,   // netns::PrivateFile: writes it
  attach_folder,  // folder of the lab, path: shows it there, writable
  hide_folder,    // folder of the lab: hides it
  dns_listen,     // addresses: listens for queries there, port 53
  dns_reply,      // asker, as in the query, reply: sends it
  read_clock,     // Answer: CLOCK_MONOTONIC, and the same as counted in ticks
  trace,          // request to the tracer of programs (capture::to_text()). Answer: the tracer's
  tracepoints,    // std::vector<netns::TracepointChoice>: records them. Answer: their formats
  trace_pages,    // Answer: pages of the kernel's trace buffer
  credit,         // says only how many packets the lab has received
  // To the lab.
  up,          // release of the kernel: the first message
  answer,      // to the question before
  refusal,     // errno or 0, what failed
  sent_frame,  // nic, time, answer of sock_diag(7), frame: the host has sent it
  output,      // pid, descriptor, bytes: a program has written them (or kCallsStream: its calls)
  output_end,  // pid, descriptor: nobody can write there any more
  ended,       // pid, status as of waitpid(2): a program has ended
  dns_query,   // whether by TCP, asker, query: a program has asked
  destroyed,   // netlink messages: the kernel has destroyed sockets; empty: it has dropped some
};

struct Message {
  Kind kind{};
  std::vector<std::uint8_t> payload;
};

/// Writes a payload.
class PayloadWriter {
public:
  PayloadWriter& number(std::uint64_t value);
  /// A part with its length.
  PayloadWriter& bytes(Bytes bytes);
  PayloadWriter& text(std::string_view text);
  /// The rest of the payload.
  PayloadWriter& rest(Bytes bytes);
  template <typename Range, typename Write>
  PayloadWriter& list(const Range& items, Write write) {
    number(items.size());
    for (const auto& item : items) write(*this, item);
    return *this;
  }

  const std::vector<std::uint8_t>& payload() const { return payload_; }

private:
  std::vector<std::uint8_t> payload_;
};

/// Begins a payload with these numbers.
inline PayloadWriter numbers(std::initializer_list<std::uint64_t> values) {
  PayloadWriter to;
  for (const std::uint64_t value : values) to.number(value);
  return to;
}

/// Reads a payload, which must outlive what bytes() and rest() return. Every function throws
/// base::LabError if it is too short.
class PayloadReader {
public:
  explicit PayloadReader(Bytes payload) : left_(payload) {}

  std::uint64_t number();
  template <typename Integer>
  Integer as() {
    return static_cast<Integer>(number());
  }
  Bytes bytes();
  std::string text();
  Bytes rest() { return take(left_.size()); }
  /// Calls `read` for each item of a list.
  template <typename Read>
  void list(Read read) {
    for (std::uint64_t count = number(); count > 0; --count) read(*this);
  }

private:
  Bytes take(std::uint64_t size);

  Bytes left_;
};

/// Returns an integer or an enum as a number of a payload.
inline std::uint64_t as_number(auto value) { return static_cast<std::uint64_t>(value); }
inline Bytes as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
inline std::string as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace tcplab::uml
