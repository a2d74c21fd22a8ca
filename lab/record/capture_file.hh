// Writes capture.pcapng of a run, and a file for each host beside it (host_captures.hh). It has an
// interface per NIC, and each frame as that NIC saw it; a lost frame only on its sender's side.
// Comments say what caused a frame, what happened to it, and what it caused. Frames wait before
// they are written, because reports of calls come later: 0.3 s for a reader of the stream, else 2.1
// s, because a busy machine may report a call that late.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/clock.hh"
#include "capture/files/pcapng.hh"
#include "lab/record/capture_stream.hh"
#include "lab/record/host_captures.hh"
#include "netns/host.hh"
#include "netns/wire.hh"
#include "reports/comments/frame_comments.hh"

namespace tcplab::lab {

/// A frame as one NIC saw it.
struct NicFrame {
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
  /// Throws base::SystemError if the file cannot be made. The stream, if given, gets a copy.
  CaptureFile(const std::string& path, base::nanoseconds wall_offset,
              CaptureStream* stream = nullptr);

  /// Returns the interface of that NIC, the same for every incarnation of the host.
  std::uint32_t interface(const std::string& host, const netns::NicConfig& nic);

  void event(const capture::Event& event) { comments_.event(event); }
  void sent(const NicFrame& sighting) { keep(sighting, capture::Direction::outbound); }
  void received(const NicFrame& sighting) { keep(sighting, capture::Direction::inbound); }

  /// Writes the frames that have waited long enough.
  void flush(base::Instant now);
  /// Writes the rest. To be called last.
  void finish();

  /// Captures only headers from here on, because the wire is flooded; or whole frames again.
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

  void keep(const NicFrame& sighting, capture::Direction direction);
  void write_oldest();
  std::string comment_on(const Kept& kept) const;

  capture::PcapngWriter writer_;
  HostCaptures host_captures_;
  CaptureStream* stream_;
  std::chrono::milliseconds lateness_;  // of a program's reports
  base::nanoseconds wall_offset_;
  std::map<std::string, std::uint32_t> interfaces_;
  std::vector<std::string> hosts_;  // of the interfaces
  reports::FrameComments comments_;
  std::deque<Kept> kept_;
  std::size_t kept_bytes_ = 0;
  bool headers_only_ = false;
};

}  // namespace tcplab::lab
