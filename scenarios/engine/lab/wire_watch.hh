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

#include "capture/decode/flow_key.hh"
#include "capture/event/describe.hh"
#include "netns/wire.hh"
#include "scenarios/engine/lab/capture_file.hh"
#include "scenarios/engine/lab/lab_host.hh"
#include "scenarios/engine/lab/timeline.hh"
#include "scenarios/engine/wire/fault.hh"
#include "scenarios/engine/wire/pending_frames.hh"
#include "scenarios/engine/wire/stepper.hh"

namespace tcplab::engine {

class KernelWatch;

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
  WireWatch(Timeline& timeline, CaptureFile& capture, Clock& clock)
      : timeline_(timeline),
        capture_(capture),
        clock_(clock),
        pending_frames_(clock),
        stepper_(clock, pending_frames_) {}
  /// Beside each frame is told what the kernel said of it.
  void listen_to(KernelWatch& kernel) { kernel_ = &kernel; }
  /// Before the first frame.
  void connect(netns::Wire& wire) { pending_frames_.connect(wire); }

  void plugged(LabHost& host, const netns::NicConfig& nic, netns::PortId port);
  void unplugged(netns::PortId port);

  /// Lives until lift() or the end of the run. Throws base::UsageError for a name that is taken.
  std::shared_ptr<Fault> add(std::shared_ptr<Fault> fault);
  /// By its name; null when there is none.
  Fault* find_fault(const std::string& name) const;
  /// Lets the frames go that it holds.
  void release(const Fault& fault) { pending_frames_.release(fault); }
  /// The same; and it claims no more.
  void lift(const Fault& fault);

  /// For a run that is stepped through; off until it is begun.
  Stepper& stepper() { return stepper_; }
  const Stepper& stepper() const { return stepper_; }
  const PendingFrame* pending(std::uint64_t frame) const { return pending_frames_.find(frame); }
  /// Loses the frame that hangs in the air, where one does.
  void lose_by_hand();

  /// Told when the wire begins to be flooded, and when that is over.
  std::function<void(bool flooded)> on_flood;

  netns::Bytes frame(std::uint64_t number) const { return memory_.find(number); }

  /// What nobody's NIC sends from here on is forged, as if it came from that host (or none); with
  /// nothing, that is over.
  void forging(std::optional<std::string> from) { forged_from_ = std::move(from); }

  /// Tells what has been counted of a flood since the last time.
  void report_flood();

  netns::FrameDecision frame_sent(netns::Frame& frame) override;
  void frame_decided(const netns::Frame& frame) override;
  void frame_delivering(const netns::Frame& frame, netns::PortId to) override;
  void frame_delivered(const netns::Frame& frame, netns::PortId to,
                       base::Instant delivered) override;
  void frame_undelivered(const netns::Frame& frame, netns::Undelivered why) override;

private:
  struct Nic {
    LabHost* host = nullptr;
    std::uint32_t interface = 0;
    std::string link;
  };
  struct Counted {
    std::uint64_t frames = 0;
    std::uint64_t bytes = 0;
    base::Instant first{};
    base::Instant last{};
  };

  const Nic* place(netns::PortId port) const;
  const std::string& host_name(netns::PortId port) const;
  std::string receiver_of(netns::Bytes frame) const;
  bool is_forged(const netns::Frame& frame) const;
  void pass(FrameInTransit& frame_in_transit) const;
  netns::FrameDecision set_out(netns::Frame& frame, FrameInTransit& frame_in_transit,
                               bool is_stepped);
  void set_out_copies(const netns::Frame& frame, const FrameInTransit& frame_in_transit,
                      const PendingFrame& original);
  void tell_departure(const PendingFrame& pending);
  void tell_lost(capture::Packet packet, base::Instant at, Effects effects);
  capture::Packet packet_of(const netns::Frame& frame, const std::string& to);
  void count(const netns::Frame& frame, const std::string& to);
  void tell_of_kernel(const netns::Frame& frame, const LabHost& receiver, bool listed);
  void look_at_sender(const netns::Frame& frame);
  void look_at_receiver(const netns::Frame& frame, LabHost& receiver, base::Instant at);

  Timeline& timeline_;
  CaptureFile& capture_;
  Clock& clock_;
  KernelWatch* kernel_ = nullptr;  // nobody listens to the kernel
  std::map<netns::PortId, Nic> places_;
  std::list<std::shared_ptr<Fault>> faults_;
  PendingFrames pending_frames_;
  Stepper stepper_;
  std::vector<std::uint64_t> departures_;  // of the frame at hand: itself, its copies
  std::vector<Follower> followers_;        // frames that waited for it
  std::vector<std::uint8_t> altered_;      // its bytes, where a fault has changed them
  std::map<netns::MacAddress, std::string> names_;
  std::map<std::pair<std::string, std::string>, Counted> flood_;
  capture::InitialSequences sequences_;
  FrameMemory memory_;
  FloodGauge gauge_;
  bool listed_ = true;  // whether the frame that is on its way now is looked at closely
  std::optional<std::string> forged_from_;
};

}  // namespace tcplab::engine
