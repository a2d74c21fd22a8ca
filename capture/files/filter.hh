// Selects frames with an expression of pcap-filter(7).
#pragma once

#include <memory>
#include <string>

#include "base/bytes.hh"
#include "capture/files/filter_names.hh"

struct bpf_program;

namespace tcplab::capture {

/// The longest expression, in bytes. The time of pcap_compile(3PCAP) grows with the third power of
/// the number of ports: 100 take 0.5 s, 400 take 16 s, 20,000 take more memory than a machine has.
inline constexpr std::size_t kLongestFilter = 1000;
/// The same, with addresses in place of the names of hosts. Addresses cost little.
inline constexpr std::size_t kLongestFilterOfAddresses = 8000;

class PacketFilter {
public:
  /// Compiles an expression for Ethernet frames; an empty one matches every frame. Host names mean
  /// their addresses in `names`; other names are an error, and are never looked up. Unlike in
  /// pcap, `tcp[...]` works for IPv6, too, but not with extension headers; an expression with it
  /// matches no IPv6 frame except TCP.
  /// Throws base::UsageError: `the filter "tcp[" is not valid: syntax error`; also for an
  /// expression longer than kLongestFilter, because pcap's optimizer needs minutes for some.
  explicit PacketFilter(const std::string& expression, const HostNames& names = {});

  bool matches(Bytes frame) const;

private:
  struct Free {
    void operator()(bpf_program* program) const;
  };
  using Program = std::unique_ptr<bpf_program, Free>;
  static Program compile(const std::string& expression, const std::string& original);

  Program program_;
  Program ipv6_program_;  // for IPv6 frames, if the expression contains `tcp[`
};

}  // namespace tcplab::capture
