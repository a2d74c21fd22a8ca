// Call records with fixed times and results, for tests of the log formats.
#pragma once

#include <poll.h>

#include <cerrno>

#include "dnc/calls/call_record.hh"

namespace tcplab::tests {

inline dnc::CallRecord record_of(std::string_view call, int fd, std::string_view arguments) {
  dnc::CallRecord record{.call = call, .fd = fd};
  record.arguments << arguments;
  record.id = 7;
  record.entered = base::from_nanoseconds(1'000'000'000);
  record.returned = base::from_nanoseconds(1'000'250'000);
  return record;
}

inline dnc::CallRecord failed(dnc::CallRecord record, int error) {
  record.result = -1;
  record.error = error;
  return record;
}

inline dnc::CallRecord moved(dnc::CallRecord record, std::string_view data) {
  record.data = data;
  record.result = static_cast<std::int64_t>(data.size());
  return record;
}

inline dnc::CallRecord polled(int stdin_revents, int revents) {
  dnc::CallRecord record = record_of("poll", 3, "{fd 0 IN} {fd 3 IN}, timeout none");
  record.stdin_revents = stdin_revents;
  record.revents = revents;
  record.result = (stdin_revents != 0 ? 1 : 0) + (revents != 0 ? 1 : 0);
  return record;
}

inline dnc::CallRecord connected(dnc::CallRecord record) {
  record.local = base::Endpoint::parse("10.0.0.1:40000");
  record.remote = base::Endpoint::parse("10.0.0.2:8080");
  return record;
}

inline dnc::CallRecord so_error(int error) {
  dnc::CallRecord record = record_of("getsockopt", 3, "SO_ERROR");
  record.option = error;
  return record;
}

}  // namespace tcplab::tests
