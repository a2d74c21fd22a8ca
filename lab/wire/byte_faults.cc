#include "lab/wire/byte_faults.hh"

#include <fmt/format.h>

#include "lab/wire/packet_layout.hh"

namespace tcplab::lab {

namespace {

constexpr const char* kChecksumFixed = "checksum fixed";

}  // namespace

std::string CorruptFault::options() const {
  std::string text = change_.offset ? "byte " + std::to_string(*change_.offset) : "";
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  if (change_.value) add(fmt::format("to {:#04x}", *change_.value));
  if (!change_.value && change_.flip != 1) add(fmt::format("bits {:#04x}", change_.flip));
  if (change_.fixes_checksum) add(kChecksumFixed);
  return text;
}

void CorruptFault::act(FrameInTransit& frame_in_transit) {
  const auto layout = layout_of(frame_in_transit.bytes());
  if (!layout) return;
  const std::size_t first_of_data = std::min(layout->payload, layout->end - 1);
  const std::size_t at = change_.offset ? layout->transport + *change_.offset : first_of_data;
  if (at >= layout->end) return;
  std::vector<std::uint8_t> bytes =
      netns::with_checksum(frame_in_transit.bytes(), frame_in_transit.offload());
  const std::uint8_t was = bytes[at];
  bytes[at] = change_.value.value_or(was ^ change_.flip);
  if (bytes[at] == was) return;
  capture::Effect corrupted = effect(capture::EffectKind::corrupted);
  corrupted.offset = static_cast<std::uint32_t>(at - layout->transport);
  corrupted.before = was;
  corrupted.after = bytes[at];
  if (change_.fixes_checksum) fix_checksums(bytes, *layout);
  frame_in_transit.replace(std::move(bytes), std::move(corrupted));
}

std::string TruncateFault::options() const {
  return std::to_string(to_) + " bytes" +
         (fixes_checksum_ ? std::string(", ") + kChecksumFixed : "");
}

void TruncateFault::act(FrameInTransit& frame_in_transit) {
  auto layout = layout_of(frame_in_transit.bytes());
  if (!layout || layout->length() <= to_) return;
  const std::size_t length = layout->length();
  std::vector<std::uint8_t> bytes =
      netns::with_checksum(frame_in_transit.bytes(), frame_in_transit.offload());
  layout->end = layout->ip + to_;
  bytes.resize(layout->end);
  if (fixes_checksum_ && layout->end >= layout->payload) {
    fix_lengths(bytes, *layout);
    fix_checksums(bytes, *layout);
  }
  capture::Effect truncated = effect(capture::EffectKind::truncated);
  truncated.before = static_cast<std::uint32_t>(length);
  truncated.after = static_cast<std::uint32_t>(to_);
  frame_in_transit.replace(std::move(bytes), std::move(truncated));
}

}  // namespace tcplab::lab
