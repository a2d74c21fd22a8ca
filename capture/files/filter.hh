// Frames picked by an expression of the field's own language, pcap-filter(7).
#pragma once

#include <memory>
#include <string>

#include "base/bytes.hh"
#include "capture/files/filter_names.hh"

struct bpf_program;

namespace tcplab::capture {

class PacketFilter {
public:
  /// For Ethernet frames. Host names stand for the addresses that `names` has for them; others
  /// are refused, and never looked up. An empty expression matches every frame.
  /// Unlike pcap's, `tcp[...]` holds for IPv6, too (without extension headers); an expression
  /// with it picks nothing of IPv6 but TCP.
  /// Throws base::UsageError: `the filter "tcp[" is not valid: syntax error`.
  explicit PacketFilter(const std::string& expression, const HostNames& names = {});

  bool matches(Bytes frame) const;

private:
  struct Free {
    void operator()(bpf_program* program) const;
  };
  using Program = std::unique_ptr<bpf_program, Free>;
  static Program compile(const std::string& expression, const std::string& original);

  Program program_;
  Program ipv6_program_;  // for frames of IPv6, where the expression looks into a TCP header
};

}  // namespace tcplab::capture
