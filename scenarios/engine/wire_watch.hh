// Stands at the wire: asks the sender's kernel before a frame is delivered and the receiver's
// after, lets faults decide the frame's fate, and records it: on the timeline, in the capture.
// On a flooded wire only frames that can change a state are looked at so closely; the others
// are counted (capture::Flood) and their headers captured.
#pragma once

#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capture/connection_key.hh"
#include "capture/describe.hh"
#include "netns/wire.hh"
#include "scenarios/engine/capture_file.hh"
#include "scenarios/engine/fault.hh"
#include "scenarios/engine/lab_host.hh"
#include "scenarios/engine/timeline.hh"

namespace tcplab::engine {

/// The frames of the last little while, for expectations that pick packets by filter later.
class FrameMemory {
public:
  void keep(std::uint64_t number, netns::Bytes bytes);
  /// Empty for a frame that is no longer, or never was, kept.
  netns::Bytes find(std::uint64_t number) const;

private:
  struct Kept {
    std::uint64_t number;
    std::vector<std::uint8_t> bytes;
  };
  std::deque<Kept> frames_;  // numbers ascend
  std::size_t size_ = 0;
};

/// Tells a flood from talk, by the number of frames in a short window.
class FloodGauge {
public:
  /// Counts a frame; true while the wire is flooded.
  bool count(base::Instant at);

private:
  base::Instant window_{};
  int frames_ = 0;
  bool flooded_ = false;
};

class WireWatch : public netns::WireObserver {
public:
  WireWatch(Timeline& timeline, CaptureFile& capture) : timeline_(timeline), capture_(capture) {}

  void plugged(LabHost& host, const netns::NicConfig& nic, netns::PortId port);
  void unplugged(netns::PortId port) { places_.erase(port); }

  /// The handle lives until lift() or the end of the run.
  Fault& add(std::unique_ptr<Fault> fault);
  void lift(const Fault& fault);
  /// Frames that this fault holds in the air, oldest first; take them to release them.
  std::vector<std::uint64_t> take_held(const Fault& fault);

  /// Told when the wire begins to be flooded, and when that is over.
  std::function<void(bool flooded)> on_flood;

  netns::Bytes frame(std::uint64_t number) const { return memory_.find(number); }

  /// What nobody's NIC sends from here on is forged, as if it came from that host (or none); with
  /// nothing, that is over.
  void forging(std::optional<std::string> from) { forged_from_ = std::move(from); }

  /// Tells what has been counted of a flood since the last time.
  void report_flood();

  netns::Ruling frame_sent(const netns::Frame& frame) override;
  void frame_delivered(const netns::Frame& frame, netns::PortId to,
                       base::Instant delivered) override;
  void frame_undelivered(const netns::Frame& frame, const std::string& why) override;

private:
  struct Place {
    LabHost* host = nullptr;
    std::uint32_t interface = 0;
  };
  struct Counted {
    std::uint64_t frames = 0;
    std::uint64_t bytes = 0;
    base::Instant first{};
    base::Instant last{};
  };

  const Place* place(netns::PortId port) const;
  const std::string& host_name(netns::PortId port) const;
  std::string receiver_of(netns::Bytes frame) const;
  const Fault* claimed_by(const FrameView& view, netns::Ruling& ruling);
  bool is_forged(const netns::Frame& frame) const;
  capture::Packet packet_of(const netns::Frame& frame, const std::string& to);
  void count(const netns::Frame& frame, const std::string& to);
  void look_at_sender(const netns::Frame& frame);
  void look_at_receiver(const netns::Frame& frame, LabHost& receiver, base::Instant at);

  Timeline& timeline_;
  CaptureFile& capture_;
  std::map<netns::PortId, Place> places_;
  std::list<std::unique_ptr<Fault>> faults_;
  std::map<const Fault*, std::vector<std::uint64_t>> held_;
  std::map<netns::MacAddress, std::string> names_;
  std::map<std::pair<std::string, std::string>, Counted> flood_;
  capture::InitialSequences sequences_;
  FrameMemory memory_;
  FloodGauge gauge_;
  bool listed_ = true;  // whether the frame that is on its way now is looked at closely
  std::optional<std::string> forged_from_;
};

}  // namespace tcplab::engine
