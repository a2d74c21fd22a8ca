// Frames as libpcap sees them on a NIC: a witness that is not the wire. The capture belongs to
// the network namespace that was current when it was made; there it needs CAP_NET_RAW.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "capture/files/pcap_reader.hh"

namespace tcplab::capture {

struct CaptureCounts {
  std::uint64_t seen = 0;
  std::uint64_t dropped = 0;  // by the kernel, for want of room
};

class LiveCapture {
public:
  /// Sees each frame at once, both ways. Throws base::LabError that names the NIC.
  explicit LiveCapture(const std::string& nic);

  /// Readable (poll(2)) when next() may have a frame.
  int descriptor() const;
  /// Never waits. Throws base::LabError when the NIC has gone.
  std::optional<CapturedFrame> next();
  CaptureCounts counts() const;

private:
  struct Closer {
    void operator()(pcap* capture) const;
  };
  std::string nic_;
  std::unique_ptr<pcap, Closer> capture_;
};

}  // namespace tcplab::capture
