// The record of one system call: its arguments and, after it has returned, its result. A record
// lives on the stack and allocates no memory, because logging is on the hot path of a bulk
// transfer. The text that it points to must outlive it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/clock.hh"
#include "base/endpoint.hh"

namespace tcplab::dnc {

/// The text of a call's arguments. Text that does not fit is cut off.
class ArgumentText {
public:
  std::string_view view() const { return {text_.data(), size_}; }
  ArgumentText& operator<<(std::string_view text);
  ArgumentText& operator<<(std::int64_t number);

private:
  std::array<char, 160> text_;
  std::size_t size_ = 0;
};

/// A member of a C struct, and its value.
struct MemberValue {
  std::string_view name;
  std::int64_t value = 0;
};

/// What getsockopt(2) or ioctl(2) stored: a number, a name, or the members of a struct.
struct StoredValue {
  std::optional<std::int64_t> number{};
  std::string_view name{};  // "cubic"
  std::span<const MemberValue> members{};
  std::string_view text{};  // for people: "1.5 s"; empty to show none
};

struct CallRecord {
  std::string_view call;  // "read"; a literal, so null-terminated
  int fd = -1;            // the descriptor argument; -1 if none
  int source_fd = -1;     // splice: where the bytes come from
  bool waits = false;     // the call may block or end dnc: flush the logs before it
  ArgumentText arguments{};

  std::uint64_t id = 0;  // set by the recorder: counts up from 1
  base::Instant entered{};

  // After the call has returned:
  base::Instant returned{};
  std::int64_t result = 0;
  int error = 0;                          // errno, if result is -1
  std::optional<int> option{};            // getsockopt SO_ERROR: the error that the socket held
  StoredValue stored{};                   // getsockopt of any other option, ioctl
  int revents = 0;                        // poll: of the socket
  int stdin_revents = 0;                  // poll: of standard input
  std::string_view data{};                // read, write: all bytes; a log shows only the first ones
  std::optional<base::Endpoint> local{};  // connect, accept, listen
  std::optional<base::Endpoint> remote{};

  bool failed() const { return result == -1; }
};

/// Appends events or revents of poll(2) to `into`, and returns the appended text: "IN|ERR|HUP"; "0"
/// if none.
std::string_view poll_events(int events, ArgumentText& into);
/// Parses "IN|OUT", "in,hup", "POLLIN", "none" or "0x11". Returns nullopt for other text.
std::optional<int> parse_poll_events(std::string_view text);

}  // namespace tcplab::dnc
