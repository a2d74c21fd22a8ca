#include "capture/follow/call_octets.hh"

#include <string>
#include <variant>

#include "capture/event/call_names.hh"

namespace tcplab::capture {

bool reads_octets(const Call& call) {
  if (call.call == "splice") return call.fd == call.source_fd;
  return receives_data(call.call) && call.arguments.find("PEEK") == std::string::npos;
}

bool writes_octets(const Call& call) {
  return call.call == "splice" ? !reads_octets(call) : sends_data(call.call);
}

std::uint64_t octets_of(const Call& call) {
  if (call.result <= 0) return 0;
  if (!counts_messages(call.call)) return static_cast<std::uint64_t>(call.result);
  const auto* octets = std::get_if<std::int64_t>(&call.value);
  return octets == nullptr || *octets < 0 ? 0 : static_cast<std::uint64_t>(*octets);
}

}  // namespace tcplab::capture
