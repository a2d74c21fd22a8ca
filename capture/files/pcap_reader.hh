// Reads pcap and pcapng captures, with libpcap.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/bytes.hh"
#include "capture/decode/decode.hh"

struct pcap;
struct pcap_pkthdr;

namespace tcplab::capture {

struct CapturedFrame {
  std::int64_t at = 0;     // nanoseconds since 1970
  Bytes bytes;             // as much as was captured; valid until the next call of next()
  std::size_t length = 0;  // on the wire
};

/// Converts what pcap_next_ex(3) returned. The capture's precision must be nanoseconds; then
/// tv_usec holds nanoseconds.
CapturedFrame frame_of(const pcap_pkthdr& header, const std::uint8_t* data);

/// Note: libpcap does not say which interface of a pcapng file a frame belongs to.
class CaptureReader {
public:
  /// Opens a capture; "-" is standard input, and a pipe is fine. Throws base::UsageError that names
  /// the file if it cannot be read, or if decode() does not support its link type.
  explicit CaptureReader(std::string file);

  LinkType link() const { return link_; }
  /// Returns true if the capture has several interfaces. It may then contain the same frame several
  /// times, once for each NIC that the frame passed.
  bool has_several_interfaces() const { return has_several_interfaces_; }

  /// Returns the next frame; nullopt at the end. Throws base::UsageError if the file is cut off or
  /// damaged.
  std::optional<CapturedFrame> next();

private:
  struct Closer {
    void operator()(pcap* capture) const;
  };
  std::string file_;
  std::unique_ptr<pcap, Closer> capture_;
  LinkType link_ = LinkType::ethernet;
  std::size_t frames_ = 0;  // that next() has returned
  bool has_several_interfaces_ = false;
};

}  // namespace tcplab::capture
