#include "lab/record/capture_file.hh"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "base/error.hh"
#include "base/output_file.hh"
#include "reports/text/effect_text.hh"

namespace tcplab::lab {

namespace {

// Bytes of a frame on a flooded wire: Ethernet, IPv6 and TCP headers with all options fit.
constexpr std::size_t kHeaders = 128;

using namespace std::chrono_literals;

// How late a program's pipe may report a call: if somebody waits for the frames, and if nobody
// does.
constexpr auto kLatenessForReader = 200ms;
constexpr auto kLateness = 2000ms;
// How soon after a frame a call that the frame woke returns.
constexpr base::nanoseconds kConsequences = 100ms;
// More than this does not wait: the comments on the oldest then have only what is known so far.
constexpr std::size_t kMostBytes = std::size_t{8} << 20;
constexpr std::size_t kMostFrames = 10'000;
constexpr base::nanoseconds kMoment = 1ms;

}  // namespace

CaptureFile::CaptureFile(const std::string& path, base::nanoseconds wall_offset,
                         CaptureStream* stream)
    : writer_(base::make_output_file(path), path),
      host_captures_(std::filesystem::path(path).parent_path()),
      stream_(stream),
      lateness_(stream == nullptr ? kLateness : kLatenessForReader),
      wall_offset_(wall_offset),
      comments_(lateness_) {
  if (stream_ != nullptr)
    writer_.on_written = [this](std::span<const std::uint8_t> blocks) { stream_->take(blocks); };
}

std::uint32_t CaptureFile::interface(const std::string& host, const netns::NicConfig& nic) {
  const std::string name = host + "." + nic.name;
  const auto known = interfaces_.find(name);
  if (known != interfaces_.end()) return known->second;
  std::vector<std::pair<base::IpAddress, std::string>> names;
  for (const auto& address : nic.addresses) names.emplace_back(address.address, host);
  const capture::PcapngInterface description{
      .name = name, .description = nic.name + " of " + host, .mac = nic.mac.bytes};
  const std::uint32_t interface = writer_.add_interface(description);
  writer_.add_names(names);
  host_captures_.add_interface(host, description, names);
  if (stream_ != nullptr) stream_->interface(interface, name);
  interfaces_[name] = interface;
  hosts_.resize(interface + 1);
  hosts_[interface] = host;
  return interface;
}

void CaptureFile::keep(const NicFrame& sighting, capture::Direction direction) {
  const std::size_t size = sighting.bytes.size();
  const netns::Bytes bytes =
      headers_only_ ? sighting.bytes.first(std::min(size, kHeaders)) : sighting.bytes;
  kept_.push_back({sighting.interface,
                   sighting.frame,
                   sighting.at,
                   {bytes.begin(), bytes.end()},
                   size,
                   direction,
                   sighting.fate,
                   sighting.effects});
  kept_bytes_ += bytes.size();
  while (kept_bytes_ > kMostBytes || kept_.size() > kMostFrames) {
    comments_.settle(kept_.front().at + kMoment);
    write_oldest();
  }
}

void CaptureFile::flush(base::Instant now) {
  comments_.settle(now - lateness_);
  while (!kept_.empty() && kept_.front().at < now - lateness_ - kConsequences) write_oldest();
  writer_.flush();
  host_captures_.flush();
  if (stream_ != nullptr) stream_->pump();
}

void CaptureFile::finish() {
  comments_.settle(base::Instant::max());
  while (!kept_.empty()) write_oldest();
  writer_.finish();
  host_captures_.finish();
  if (stream_ != nullptr) stream_->finish();
}

std::string CaptureFile::comment_on(const Kept& kept) const {
  if (!comments_.knows(kept.frame)) return reports::fate_text(kept.fate, kept.effects, "");
  const bool is_sender = kept.direction == capture::Direction::outbound;
  const auto lines = is_sender ? comments_.of_sender(kept.frame)
                               : comments_.of_receiver(kept.frame, hosts_[kept.interface]);
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

void CaptureFile::write_oldest() {
  const Kept& kept = kept_.front();
  const capture::PcapngPacket packet{.interface = kept.interface,
                                     .at = base::to_nanoseconds(kept.at) + wall_offset_.count(),
                                     .bytes = kept.bytes,
                                     .length = kept.length,
                                     .direction = kept.direction,
                                     .comment = comment_on(kept),
                                     .id = kept.frame};
  writer_.write(packet);
  host_captures_.write(packet);
  kept_bytes_ -= kept.bytes.size();
  kept_.pop_front();
}

}  // namespace tcplab::lab
