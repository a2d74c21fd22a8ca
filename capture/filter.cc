#include "capture/filter.hh"

#include <pcap/pcap.h>

#include "base/error.hh"

namespace tcplab::capture {

namespace {

constexpr int kSnapLength = 262144;

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

PacketFilter::PacketFilter(const std::string& expression, const HostNames& names)
    : program_(new bpf_program{}) {
  const std::string resolved = with_addresses(expression, names);
  const std::unique_ptr<pcap_t, void (*)(pcap_t*)> ethernet(pcap_open_dead(DLT_EN10MB, kSnapLength),
                                                            pcap_close);
  constexpr int kOptimize = 1;
  if (pcap_compile(ethernet.get(), program_.get(), resolved.c_str(), kOptimize,
                   PCAP_NETMASK_UNKNOWN) != 0)
    refuse(expression, pcap_geterr(ethernet.get()));
}

bool PacketFilter::matches(Bytes frame) const {
  const auto size = static_cast<bpf_u_int32>(frame.size());
  return bpf_filter(program_->bf_insns, frame.data(), size, size) != 0;
}

}  // namespace tcplab::capture
