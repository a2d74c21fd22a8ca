// Frames picked by an expression of the field's own language, pcap-filter(7).
#pragma once

#include <memory>
#include <string>

#include "capture/bytes.hh"

struct bpf_program;

namespace tcplab::capture {

class PacketFilter {
public:
  /// For Ethernet frames. Host names are refused rather than looked up: the lab's hosts are in no
  /// DNS. Throws base::UsageError: `the filter "tcp[" is not valid: syntax error`.
  explicit PacketFilter(const std::string& expression);

  bool matches(Bytes frame) const;

private:
  struct Free {
    void operator()(bpf_program* program) const;
  };
  std::unique_ptr<bpf_program, Free> program_;
};

}  // namespace tcplab::capture
