// For whom a connection of Go's net/http waits: a request waits for a channel, while a goroutine of
// the library reads from the connection.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "capture/memory/process_memory.hh"
#include "capture/runtimes/go_layout.hh"

namespace tcplab::capture {

class GoRequests {
public:
  GoRequests(const ProcessMemory& memory, const GoLayout& layout)
      : memory_(memory), layout_(layout) {}

  /// Returns those of the runtime.pollDescs whose net/http.persistConn this part of a stack points
  /// to.
  std::set<Address> polls_in(Address begin, Address end, const std::set<Address>& polls) const;

private:
  std::optional<Address> pointer(Address from) const;
  std::optional<Address> poll_of_net(Address interface) const;

  const ProcessMemory& memory_;
  GoLayout layout_;
};

}  // namespace tcplab::capture
