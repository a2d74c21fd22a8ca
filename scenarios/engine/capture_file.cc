#include "scenarios/engine/capture_file.hh"

#include <fcntl.h>

#include <algorithm>

#include "base/error.hh"

namespace tcplab::engine {

namespace {

// Of a flooded wire's data: Ethernet, IPv6 and TCP headers with all their options fit.
constexpr std::size_t kHeaders = 128;

base::FileDescriptor make_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  return base::FileDescriptor(base::check("make " + path, descriptor));
}

}  // namespace

CaptureFile::CaptureFile(const std::string& path, base::nanoseconds wall_offset)
    : writer_(make_file(path), path), wall_offset_(wall_offset) {}

std::uint32_t CaptureFile::interface(const std::string& host, const netns::NicConfig& nic) {
  const std::string name = host + "." + nic.name;
  const auto known = interfaces_.find(name);
  if (known != interfaces_.end()) return known->second;
  std::vector<std::pair<base::IpAddress, std::string>> names;
  for (const auto& address : nic.addresses) names.emplace_back(address.address, host);
  const std::uint32_t interface = writer_.add_interface(
      {.name = name, .description = nic.name + " of " + host, .mac = nic.mac.bytes});
  writer_.add_names(names);
  interfaces_[name] = interface;
  return interface;
}

void CaptureFile::sent(std::uint32_t interface, base::Instant at, netns::Bytes frame,
                       const std::string& comment) {
  write(interface, at, frame, capture::Direction::outbound, comment);
}

void CaptureFile::received(std::uint32_t interface, base::Instant at, netns::Bytes frame,
                           const std::string& comment) {
  write(interface, at, frame, capture::Direction::inbound, comment);
}

void CaptureFile::write(std::uint32_t interface, base::Instant at, netns::Bytes frame,
                        capture::Direction direction, const std::string& comment) {
  writer_.write({.interface = interface,
                 .at = base::to_nanoseconds(at) + wall_offset_.count(),
                 .bytes = headers_only_ ? frame.first(std::min(frame.size(), kHeaders)) : frame,
                 .length = frame.size(),
                 .direction = direction,
                 .comment = comment});
}

}  // namespace tcplab::engine
