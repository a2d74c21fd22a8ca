#include "capture/files/pcap_reader.hh"

#include <pcap/pcap.h>

#include "base/error.hh"
#include "capture/files/capture_input.hh"

namespace tcplab::capture {

namespace {

constexpr std::int64_t kNanosecondsInASecond = 1'000'000'000;

/// The numbers of pcap_datalink(3PCAP) differ between systems; those of LinkType do not.
std::optional<LinkType> link_type(int datalink) {
  switch (datalink) {
    case DLT_EN10MB:
      return LinkType::ethernet;
    case DLT_NULL:
      return LinkType::null;
    case DLT_LOOP:
      return LinkType::loop;
    case DLT_RAW:
    case DLT_IPV4:
    case DLT_IPV6:
      return LinkType::raw;
    case DLT_LINUX_SLL:
      return LinkType::linux_sll;
    case DLT_LINUX_SLL2:
      return LinkType::linux_sll2;
    default:
      return std::nullopt;
  }
}

std::string name_of(const std::string& file) { return file == "-" ? "standard input" : file; }

}  // namespace

void CaptureReader::Closer::operator()(pcap* capture) const { pcap_close(capture); }

CaptureReader::CaptureReader(std::string file) : file_(std::move(file)) {
  auto input = std::make_unique<CaptureInput>(file_);
  if (input->is_empty())
    throw base::UsageError(name_of(file_) + ": is empty, so it is not a capture");
  has_several_interfaces_ = input->has_several_interfaces();
  std::FILE* const stream = CaptureInput::stream(std::move(input));
  char why[PCAP_ERRBUF_SIZE] = "";
  capture_.reset(pcap_fopen_offline_with_tstamp_precision(stream, PCAP_TSTAMP_PRECISION_NANO, why));
  if (!capture_) {
    std::fclose(stream);  // on success pcap_close(3PCAP) closes it
    throw base::UsageError("cannot read the capture " + file_ + ": " + why);
  }
  const int datalink = pcap_datalink(capture_.get());
  const auto link = link_type(datalink);
  const char* name = pcap_datalink_val_to_name(datalink);
  if (!link)
    throw base::UsageError("cannot read the capture " + file_ + ": its link type is " +
                           (name == nullptr ? std::to_string(datalink) : name) +
                           "; supported are Ethernet, Linux cooked, loopback and raw IP");
  link_ = *link;
}

CapturedFrame frame_of(const pcap_pkthdr& header, const std::uint8_t* data) {
  return {.at = header.ts.tv_sec * kNanosecondsInASecond + header.ts.tv_usec,
          .bytes = Bytes(data, header.caplen),
          .length = header.len};
}

std::optional<CapturedFrame> CaptureReader::next() {
  pcap_pkthdr* header = nullptr;
  const std::uint8_t* data = nullptr;
  const int result = pcap_next_ex(capture_.get(), &header, &data);
  if (result == PCAP_ERROR_BREAK) return std::nullopt;  // the end
  if (result != 1)
    throw base::UsageError(name_of(file_) + ": cut off or damaged after frame " +
                           std::to_string(frames_) + ": " + pcap_geterr(capture_.get()));
  ++frames_;
  return frame_of(*header, data);
}

}  // namespace tcplab::capture
