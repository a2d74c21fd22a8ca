// capture.pcapng of a run: one interface per host NIC, each frame as that NIC saw it; a lost
// frame only on its sender's side. Comments say what caused it, what befell it, what it caused.
// Frames wait a little before they are written: what programs say of their calls comes later.
// A copy of what is written may go elsewhere as it is written, to somebody who watches.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/clock.hh"
#include "capture/files/pcapng.hh"
#include "netns/host.hh"
#include "netns/wire.hh"
#include "reports/comments/frame_comments.hh"
#include "scenarios/engine/lab/capture_stream.hh"

namespace tcplab::engine {

/// One NIC's sight of a frame.
struct CapturedFrame {
  std::uint32_t interface = 0;
  std::uint64_t frame = 0;  // its number
  base::Instant at{};
  netns::Bytes bytes;
  // For the comment of a frame that no event is about:
  capture::Fate fate = capture::Fate::delivered;
  std::vector<capture::Effect> effects{};
};

class CaptureFile {
public:
  /// Throws base::SystemError when the file cannot be made. The stream, if one is given, gets a
  /// copy.
  CaptureFile(const std::string& path, base::nanoseconds wall_offset,
              CaptureStream* stream = nullptr);

  /// The interface of that NIC; the same for every incarnation of the host.
  std::uint32_t interface(const std::string& host, const netns::NicConfig& nic);

  void event(const capture::Event& event) { comments_.event(event); }
  void sent(const CapturedFrame& sighting) { keep(sighting, capture::Direction::outbound); }
  void received(const CapturedFrame& sighting) { keep(sighting, capture::Direction::inbound); }

  /// Writes what has waited long enough.
  void flush(base::Instant now);
  /// The last thing to be called.
  void finish();

  /// Captures only headers from here on (a flooded wire), or whole frames again.
  void headers_only(bool on) { headers_only_ = on; }

private:
  struct Kept {
    std::uint32_t interface = 0;
    std::uint64_t frame = 0;
    base::Instant at{};
    std::vector<std::uint8_t> bytes;
    std::size_t length = 0;
    capture::Direction direction = capture::Direction::outbound;
    capture::Fate fate = capture::Fate::delivered;
    std::vector<capture::Effect> effects{};
  };

  void keep(const CapturedFrame& sighting, capture::Direction direction);
  void write_oldest();
  std::string comment_on(const Kept& kept) const;

  capture::PcapngWriter writer_;
  CaptureStream* stream_;
  base::nanoseconds wall_offset_;
  std::map<std::string, std::uint32_t> interfaces_;
  std::vector<std::string> hosts_;  // of the interfaces
  reports::FrameComments comments_;
  std::deque<Kept> kept_;
  std::size_t kept_bytes_ = 0;
  bool headers_only_ = false;
};

}  // namespace tcplab::engine
