#include "capture/filter.hh"

#include <pcap/pcap.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "base/endpoint.hh"
#include "base/error.hh"

namespace tcplab::capture {

namespace {

constexpr int kSnapLength = 262144;

[[noreturn]] void refuse(const std::string& expression, const std::string& why) {
  throw base::UsageError("the filter \"" + expression + "\" is not valid: " + why);
}

bool is_host_name(const std::string& word) {
  if (word.empty() || std::isalpha(static_cast<unsigned char>(word.front())) == 0) return false;
  return !base::IpAddress::parse(word) && word.find(':') == std::string::npos;
}

/// libpcap would ask DNS for these, and wait: "host kang", "src kang".
void refuse_host_names(const std::string& expression) {
  constexpr std::array<std::string_view, 5> kIntroduceHost = {"host", "src", "dst", "net", "gateway"};
  constexpr std::array<std::string_view, 12> kQualifiers = {
      "host", "net", "port", "portrange", "and", "or", "src", "dst", "proto", "not", "gateway", "mask"};
  std::string previous;
  std::string word;
  for (const char c : expression + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == ':' || c == '-' || c == '_') {
      word += c;
      continue;
    }
    const bool introduced = std::find(kIntroduceHost.begin(), kIntroduceHost.end(), previous) != kIntroduceHost.end();
    const bool qualifier = std::find(kQualifiers.begin(), kQualifiers.end(), word) != kQualifiers.end();
    if (introduced && !qualifier && is_host_name(word))
      refuse(expression, "\"" + word + "\" is a name; give the direction (\"kang > kodos\") or an address");
    if (!word.empty()) previous = std::exchange(word, "");
  }
}

}  // namespace

void PacketFilter::Free::operator()(bpf_program* program) const {
  pcap_freecode(program);
  delete program;
}

PacketFilter::PacketFilter(const std::string& expression) : program_(new bpf_program{}) {
  refuse_host_names(expression);
  const std::unique_ptr<pcap_t, void (*)(pcap_t*)> ethernet(pcap_open_dead(DLT_EN10MB, kSnapLength),
                                                            pcap_close);
  constexpr int kOptimize = 1;
  if (pcap_compile(ethernet.get(), program_.get(), expression.c_str(), kOptimize,
                   PCAP_NETMASK_UNKNOWN) != 0)
    refuse(expression, pcap_geterr(ethernet.get()));
}

bool PacketFilter::matches(Bytes frame) const {
  const auto size = static_cast<bpf_u_int32>(frame.size());
  return bpf_filter(program_->bf_insns, frame.data(), size, size) != 0;
}

}  // namespace tcplab::capture
