#include "capture/filter.hh"

#include <pcap/pcap.h>
#include <string_view>

#include "base/error.hh"

namespace tcplab::capture {

namespace {

constexpr int kSnapLength = 262144;
constexpr std::size_t kEthernetHeader = 14;
constexpr std::uint16_t kEtherTypeIpv6 = 0x86DD;
constexpr std::string_view kTcpHeader = "tcp[";
constexpr std::string_view kIpv6TcpHeader = "ip6[40 + ";  // behind the fixed header, RFC 8200

[[noreturn]] void refuse(const std::string& expression, const std::string& why) {
  throw base::UsageError("the filter \"" + expression + "\" is not valid: " + why);
}

std::string with_addresses(const std::string& expression, const HostNames& names) {
  try {
    return replace_host_names(expression, names);
  } catch (const base::UsageError& error) {
    refuse(expression, error.what());
  }
}

}  // namespace

void PacketFilter::Free::operator()(bpf_program* program) const {
  pcap_freecode(program);
  delete program;
}

PacketFilter::Program PacketFilter::compile(const std::string& expression,
                                            const std::string& original) {
  const std::unique_ptr<pcap_t, void (*)(pcap_t*)> ethernet(pcap_open_dead(DLT_EN10MB, kSnapLength),
                                                            pcap_close);
  constexpr int kOptimize = 1;
  Program program(new bpf_program{});
  if (pcap_compile(ethernet.get(), program.get(), expression.c_str(), kOptimize,
                   PCAP_NETMASK_UNKNOWN) != 0)
    refuse(original, pcap_geterr(ethernet.get()));
  return program;
}

PacketFilter::PacketFilter(const std::string& expression, const HostNames& names) {
  std::string shifted = with_addresses(expression, names);
  program_ = compile(shifted, expression);
  if (shifted.find(kTcpHeader) == std::string::npos) return;
  for (std::size_t at = 0; (at = shifted.find(kTcpHeader, at)) != std::string::npos;
       at += kIpv6TcpHeader.size())
    shifted.replace(at, kTcpHeader.size(), kIpv6TcpHeader);
  ipv6_program_ = compile("ip6 proto 6 and (" + shifted + ")", expression);
}

bool PacketFilter::matches(Bytes frame) const {
  const auto size = static_cast<bpf_u_int32>(frame.size());
  const bool ipv6 = frame.size() >= kEthernetHeader && read_u16(frame, 12) == kEtherTypeIpv6;
  const bpf_program& program = ipv6 && ipv6_program_ ? *ipv6_program_ : *program_;
  return bpf_filter(program.bf_insns, frame.data(), size, size) != 0;
}

}  // namespace tcplab::capture
