// capture.pcapng of a run: one interface per host NIC, each frame as that NIC saw it; a lost
// frame only on its sender's side. Comments say what a fault did to a frame.
#pragma once

#include <map>
#include <string>

#include "base/clock.hh"
#include "capture/pcapng.hh"
#include "netns/host.hh"
#include "netns/wire.hh"

namespace tcplab::engine {

class CaptureFile {
public:
  /// Throws base::SystemError when the file cannot be made.
  CaptureFile(const std::string& path, base::nanoseconds wall_offset);

  /// The interface of that NIC; the same for every incarnation of the host.
  std::uint32_t interface(const std::string& host, const netns::NicConfig& nic);

  void sent(std::uint32_t interface, base::Instant at, netns::Bytes frame,
            const std::string& comment);
  void received(std::uint32_t interface, base::Instant at, netns::Bytes frame,
                const std::string& comment);
  void flush() { writer_.flush(); }
  /// The last thing to be called.
  void finish() { writer_.finish(); }

  /// Captures only headers from here on (a flooded wire), or whole frames again.
  void headers_only(bool on) { headers_only_ = on; }

private:
  void write(std::uint32_t interface, base::Instant at, netns::Bytes frame,
             capture::Direction direction, const std::string& comment);

  capture::PcapngWriter writer_;
  base::nanoseconds wall_offset_;
  std::map<std::string, std::uint32_t> interfaces_;
  bool headers_only_ = false;
};

}  // namespace tcplab::engine
