// Reads pcap captures with libpcap, and pcapng captures, which libpcap reads only in part.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "capture/files/captured_frame.hh"
#include "capture/files/pcapng_reader.hh"

struct pcap;
struct pcap_pkthdr;

namespace tcplab::capture {

/// Converts what pcap_next_ex(3) returned. The capture's precision must be nanoseconds; then
/// tv_usec holds nanoseconds.
CapturedFrame frame_of(const pcap_pkthdr& header, const std::uint8_t* data);

class CaptureReader {
public:
  /// Opens a capture; "-" is standard input, and a pipe is fine. Throws base::UsageError that names
  /// the file if it cannot be read.
  explicit CaptureReader(std::string file);

  /// Returns true if the capture has several interfaces. It may then contain the same frame several
  /// times, once for each NIC that the frame passed.
  bool has_several_interfaces() const { return has_several_interfaces_; }

  /// Returns the next frame, whose bytes are valid until the next call; nullopt at the end. Throws
  /// base::UsageError if the file is cut off or damaged.
  std::optional<CapturedFrame> next();

private:
  struct Closer {
    void operator()(pcap* capture) const;
  };
  void open_with_libpcap(std::FILE* stream);
  std::optional<CapturedFrame> next_with_libpcap();

  std::string file_;
  std::unique_ptr<pcap, Closer> capture_;
  std::unique_ptr<PcapngReader> pcapng_;  // in place of capture_
  LinkType link_ = LinkType::ethernet;    // of capture_
  std::size_t frames_ = 0;                // that next() has returned
  bool has_several_interfaces_ = false;
};

}  // namespace tcplab::capture
