// One system call while it is made: what it was given, and once it has returned what it answered.
// It lives on the stack of the call and holds no memory of its own, for recording is on the hot
// path of a bulk transfer: text that it points at must outlive it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/clock.hh"
#include "base/endpoint.hh"

namespace tcplab::dnc {

/// The text of a call's arguments, built in place. What does not fit is cut.
class ArgumentText {
public:
  std::string_view view() const { return {text_.data(), size_}; }
  ArgumentText& operator<<(std::string_view text);
  ArgumentText& operator<<(std::int64_t number);

private:
  std::array<char, 160> text_;
  std::size_t size_ = 0;
};

struct CallRecord {
  std::string_view call;  // "read"; a literal, so null-terminated
  int fd = -1;            // the descriptor that it is about; -1: none
  bool waits = false;     // it may block: the record must be on its way before
  ArgumentText arguments{};

  std::uint64_t id = 0;  // the recorder's: counts up from 1
  base::Instant entered{};

  // Once it has returned:
  base::Instant returned{};
  std::int64_t result = 0;
  int error = 0;                // errno, when result is -1
  std::optional<int> option{};  // getsockopt SO_ERROR: the error that the socket held
  int revents = 0;              // poll: the socket's
  int stdin_revents = 0;        // poll: standard input's
  std::string_view data{};      // read, write: the bytes; all of them, a log shows the first
  std::optional<base::Endpoint> local{};  // connect, accept: the connection; listen
  std::optional<base::Endpoint> remote{};

  bool failed() const { return result == -1; }
};

/// "IN|ERR|HUP" for poll(2)'s events and revents; "0" for none.
std::string_view poll_events(int events, ArgumentText& into);

}  // namespace tcplab::dnc
