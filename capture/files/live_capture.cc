#include "capture/files/live_capture.hh"

#include <pcap/pcap.h>

#include "base/error.hh"

namespace tcplab::capture {

namespace {

constexpr int kSnapLength = 65'535;
constexpr int kKernelBuffer = 4 * 1024 * 1024;

[[noreturn]] void fail(const std::string& nic, const std::string& why) {
  throw base::LabError("cannot capture on " + nic + ": " + why);
}

}  // namespace

void LiveCapture::Closer::operator()(pcap* capture) const { pcap_close(capture); }

LiveCapture::LiveCapture(const std::string& nic) : nic_(nic) {
  char why[PCAP_ERRBUF_SIZE] = "";
  capture_.reset(pcap_create(nic.c_str(), why));
  if (!capture_) fail(nic, why);
  pcap_set_snaplen(capture_.get(), kSnapLength);
  pcap_set_buffer_size(capture_.get(), kKernelBuffer);
  pcap_set_immediate_mode(capture_.get(), 1);  // deliver frames without filling a block first
  pcap_set_tstamp_precision(capture_.get(), PCAP_TSTAMP_PRECISION_NANO);
  // A positive result is only a warning.
  if (const int result = pcap_activate(capture_.get()); result < 0)
    fail(nic, std::string(pcap_statustostr(result)) + " " + pcap_geterr(capture_.get()));
  if (pcap_setnonblock(capture_.get(), 1, why) != 0) fail(nic, why);
}

int LiveCapture::descriptor() const { return pcap_get_selectable_fd(capture_.get()); }

std::optional<CapturedFrame> LiveCapture::next() {
  pcap_pkthdr* header = nullptr;
  const std::uint8_t* data = nullptr;
  const int result = pcap_next_ex(capture_.get(), &header, &data);
  if (result == 0) return std::nullopt;
  if (result < 0) fail(nic_, pcap_geterr(capture_.get()));
  return frame_of(*header, data);
}

CaptureCounts LiveCapture::counts() const {
  pcap_stat statistics{};
  if (pcap_stats(capture_.get(), &statistics) != 0) fail(nic_, pcap_geterr(capture_.get()));
  return {.seen = statistics.ps_recv, .dropped = statistics.ps_drop};
}

}  // namespace tcplab::capture
