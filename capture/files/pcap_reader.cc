#include "capture/files/pcap_reader.hh"

#include <pcap/pcap.h>

#include "base/error.hh"
#include "capture/files/capture_input.hh"

namespace tcplab::capture {

namespace {

constexpr std::int64_t kNanosecondsInASecond = 1'000'000'000;

/// The numbers of pcap_datalink(3PCAP) are those of LinkType, but for a few that differ between
/// systems.
LinkType link_type(int datalink) {
  return datalink == DLT_RAW ? LinkType::raw : LinkType{static_cast<std::uint16_t>(datalink)};
}

std::string name_of(const std::string& file) { return file == "-" ? "standard input" : file; }

}  // namespace

void CaptureReader::Closer::operator()(pcap* capture) const { pcap_close(capture); }

CaptureReader::CaptureReader(std::string file) : file_(std::move(file)) {
  auto input = std::make_unique<CaptureInput>(file_);
  if (input->is_empty())
    throw base::UsageError(name_of(file_) + ": is empty, so it is not a capture");
  has_several_interfaces_ = input->has_several_interfaces();
  const bool is_pcapng = input->is_pcapng();
  std::FILE* const stream = CaptureInput::stream(std::move(input));
  if (is_pcapng)
    pcapng_ = std::make_unique<PcapngReader>(stream);
  else
    open_with_libpcap(stream);
}

void CaptureReader::open_with_libpcap(std::FILE* stream) {
  char why[PCAP_ERRBUF_SIZE] = "";
  capture_.reset(pcap_fopen_offline_with_tstamp_precision(stream, PCAP_TSTAMP_PRECISION_NANO, why));
  if (!capture_) {
    std::fclose(stream);  // on success pcap_close(3PCAP) closes it
    throw base::UsageError("cannot read the capture " + file_ + ": " + why);
  }
  link_ = link_type(pcap_datalink(capture_.get()));
}

CapturedFrame frame_of(const pcap_pkthdr& header, const std::uint8_t* data) {
  return {.at = header.ts.tv_sec * kNanosecondsInASecond + header.ts.tv_usec,
          .bytes = Bytes(data, header.caplen),
          .length = header.len};
}

std::optional<CapturedFrame> CaptureReader::next() {
  try {
    const auto frame = pcapng_ ? pcapng_->next() : next_with_libpcap();
    if (frame) ++frames_;
    return frame;
  } catch (const base::UsageError& error) {
    throw base::UsageError(name_of(file_) + ": cut off or damaged after frame " +
                           std::to_string(frames_) + ": " + error.what());
  }
}

std::optional<CapturedFrame> CaptureReader::next_with_libpcap() {
  pcap_pkthdr* header = nullptr;
  const std::uint8_t* data = nullptr;
  const int result = pcap_next_ex(capture_.get(), &header, &data);
  if (result == PCAP_ERROR_BREAK) return std::nullopt;  // the end
  if (result != 1) throw base::UsageError(pcap_geterr(capture_.get()));
  CapturedFrame frame = frame_of(*header, data);
  frame.link = link_;
  return frame;
}

}  // namespace tcplab::capture
