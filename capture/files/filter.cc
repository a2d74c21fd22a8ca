#include "capture/files/filter.hh"

#include <fmt/format.h>
#include <pcap/pcap.h>
#include <string_view>

#include "base/error.hh"

namespace tcplab::capture {

namespace {

constexpr int kFilterSnapLength = 262144;
constexpr std::size_t kEthernetHeader = 14;
constexpr std::uint16_t kEtherTypeIpv6 = 0x86DD;
constexpr std::string_view kTcpHeader = "tcp[";
constexpr std::string_view kIpv6TcpHeader = "ip6[40 + ";  // after the fixed header, RFC 8200
const std::string kRejectsAll = "expression rejects all packets";  // pcap_compile(3PCAP)

constexpr std::size_t kBytesShown = 60;

[[noreturn]] void refuse(const std::string& expression, const std::string& why) {
  throw base::UsageError("the filter \"" + expression + "\" is not valid: " + why);
}

void refuse_long(const std::string& expression, std::size_t size, std::size_t longest) {
  if (size <= longest) return;
  throw base::UsageError(
      fmt::format("the filter \"{}...\" is too long: it has {} bytes, and at most {} are allowed; "
                  "portrange and net stand for many ports and addresses",
                  expression.substr(0, kBytesShown), size, longest));
}

std::string with_addresses(const std::string& expression, const HostNames& names) {
  try {
    return replace_host_names(expression, names);
  } catch (const base::UsageError& error) {
    refuse(expression, error.what());
  }
}

/// Returns the expression with `tcp[` changed so that it works for IPv6.
std::string over_ipv6(std::string expression) {
  for (std::size_t at = 0; (at = expression.find(kTcpHeader, at)) != std::string::npos;
       at += kIpv6TcpHeader.size())
    expression.replace(at, kTcpHeader.size(), kIpv6TcpHeader);
  return "ip6 proto 6 and (" + expression + ")";
}

/// Compiles the expression. Returns pcap's error message; empty if there is none.
std::string try_to_compile(const std::string& expression, bpf_program& program, bool optimize) {
  const std::unique_ptr<pcap_t, void (*)(pcap_t*)> ethernet(
      pcap_open_dead(DLT_EN10MB, kFilterSnapLength), pcap_close);
  const int result = pcap_compile(ethernet.get(), &program, expression.c_str(), optimize ? 1 : 0,
                                  PCAP_NETMASK_UNKNOWN);
  return result == 0 ? "" : pcap_geterr(ethernet.get());
}

bool rejects_all(const std::string& expression) {
  bpf_program program{};
  const std::string why = try_to_compile(expression, program, true);
  if (why.empty()) pcap_freecode(&program);
  return why == kRejectsAll;
}

}  // namespace

void PacketFilter::Free::operator()(bpf_program* program) const {
  pcap_freecode(program);
  delete program;
}

PacketFilter::Program PacketFilter::compile(const std::string& expression,
                                            const std::string& original) {
  Program program(new bpf_program{});
  // With optimization, pcap rejects an expression that no frame can match. Here that is no error:
  // frames of the other IP version may match.
  const std::string why = try_to_compile(expression, *program, !rejects_all(expression));
  if (!why.empty()) refuse(original, why);
  return program;
}

PacketFilter::PacketFilter(const std::string& expression, const HostNames& names) {
  refuse_long(expression, expression.size(), kLongestFilter);
  std::string shifted = with_addresses(expression, names);
  refuse_long(expression, shifted.size(), kLongestFilterOfAddresses);
  const bool not_in_ipv4 = rejects_all(shifted);
  program_ = compile(shifted, expression);
  const bool per_family = shifted.find(kTcpHeader) != std::string::npos;
  if (per_family) {
    shifted = over_ipv6(shifted);
    ipv6_program_ = compile(shifted, expression);
  }
  if (not_in_ipv4 && (!per_family || rejects_all(shifted))) refuse(expression, kRejectsAll);
}

bool PacketFilter::matches(Bytes frame) const {
  const auto size = static_cast<bpf_u_int32>(frame.size());
  const bool ipv6 = frame.size() >= kEthernetHeader && read_u16(frame, 12) == kEtherTypeIpv6;
  const bpf_program& program = ipv6 && ipv6_program_ ? *ipv6_program_ : *program_;
  return bpf_filter(program.bf_insns, frame.data(), size, size) != 0;
}

}  // namespace tcplab::capture
