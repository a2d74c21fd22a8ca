// Captures read back, pcap and pcapng alike, through libpcap.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/bytes.hh"
#include "capture/decode/decode.hh"

struct pcap;

namespace tcplab::capture {

struct CapturedFrame {
  std::int64_t at = 0;     // nanoseconds since 1970
  Bytes bytes;             // as much as was captured; until the next call of next()
  std::size_t length = 0;  // on the wire
};

/// libpcap does not tell which interface of a pcapng file a frame belongs to.
class CaptureReader {
public:
  /// "-" is standard input; what cannot be read twice need not be a file. Throws base::UsageError
  /// that names it: there is none, or it is a capture of links that decode() does not know.
  explicit CaptureReader(std::string file);

  LinkType link() const { return link_; }
  /// It may have a frame once for each NIC that it passed.
  bool has_several_interfaces() const { return has_several_interfaces_; }

  /// Nothing at the end. Throws base::UsageError for a file that breaks off.
  std::optional<CapturedFrame> next();

private:
  struct Closer {
    void operator()(pcap* capture) const;
  };
  std::string file_;
  std::unique_ptr<pcap, Closer> capture_;
  LinkType link_ = LinkType::ethernet;
  bool has_several_interfaces_ = false;
};

}  // namespace tcplab::capture
