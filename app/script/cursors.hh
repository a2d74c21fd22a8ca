// Where the next expectation of each stream starts. A stream is one kind of events about one
// subject, "call kang/dnc", or what a program writes, "stdout kang/dnc".
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace tcplab::app {

class Cursors {
public:
  /// Returns the event that met the last expectation of that stream; 0 if there was none.
  std::uint64_t event_at(const std::string& stream) const;
  /// Returns how many bytes of that event's text are consumed. Only output has any.
  std::size_t bytes_at(const std::string& stream) const;

  void move(const std::string& stream, std::uint64_t event, std::size_t bytes = 0);

  const std::map<std::string, std::uint64_t>& events() const { return events_; }

private:
  std::map<std::string, std::uint64_t> events_;
  std::map<std::string, std::size_t> bytes_;
};

}  // namespace tcplab::app
