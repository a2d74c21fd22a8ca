// Captures frames on a NIC with libpcap, independently of the wire; for tests. The NIC is in the
// network namespace that is current at construction, where the process needs CAP_NET_RAW.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "capture/files/pcap_reader.hh"

namespace tcplab::capture {

struct CaptureCounts {
  std::uint64_t seen = 0;
  std::uint64_t dropped = 0;  // by the kernel, because the buffer was full
};

class LiveCapture {
public:
  /// Starts to capture in both directions. Throws base::LabError that names the NIC.
  explicit LiveCapture(const std::string& nic);

  /// Returns a descriptor that is readable (poll(2)) when next() may return a frame.
  int descriptor() const;
  /// Returns the next frame; nullopt if none is waiting. Throws base::LabError if the NIC is gone.
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
