// Observes the wire for a run. For each frame it asks the sender's kernel, lets the faults act,
// and after the delivery asks the receiver's kernel. It records the frame on the timeline and in
// the capture. On a flooded wire it does this only for frames that can change a state; it counts
// the others (capture::Flood) and captures their headers.
#pragma once

#include <functional>
#include <string>

#include "netns/wire.hh"
#include "scenarios/engine/lab/capture_file.hh"
#include "scenarios/engine/lab/flood_meter.hh"
#include "scenarios/engine/lab/frame_inspection.hh"
#include "scenarios/engine/lab/frame_record.hh"
#include "scenarios/engine/lab/nic_table.hh"
#include "scenarios/engine/machine/stall_watch.hh"
#include "scenarios/engine/wire/fault_set.hh"
#include "scenarios/engine/wire/frame_moments.hh"
#include "scenarios/engine/wire/stepper.hh"

namespace tcplab::engine {

/// How a frame that no host sent is recorded.
struct Forgery {
  std::string from{};        // the host that it shows as its sender; empty if it is none of ours
  bool meets_faults = true;  // faults act on it
};

class WireWatch : public netns::WireObserver {
public:
  WireWatch(Timeline& timeline, CaptureFile& capture, Clock& clock);

  /// To be called before the first frame.
  void connect(netns::Wire& wire) { faults_.connect(wire); }
  /// Records what the kernel reports beside each frame.
  void listen_to(KernelWatch& kernel) { inspection_.listen_to(kernel); }

  /// Lets a script act at frames.
  void act_by(FrameMoments& moments) { moments_ = &moments; }

  /// Notices frames that waited for the lab.
  void guard(StallWatch& stalls) { stalls_ = &stalls; }

  void plugged(LabHost& host, const netns::NicConfig& nic, netns::PortId port);
  void unplugged(netns::PortId port);

  FaultSet& faults() { return faults_; }
  const FaultSet& faults() const { return faults_; }

  /// Steps through the run; off until it is begun.
  Stepper& stepper() { return stepper_; }
  const Stepper& stepper() const { return stepper_; }
  /// Loses the oldest frame that the stepper holds, if there is one.
  void lose_by_hand();

  /// Returns a recent frame; null if it is too old.
  const KeptFrame* frame(std::uint64_t number) const { return record_.memory().find(number); }

  /// Says how to record the frames that no NIC sends from here on.
  void forging(Forgery forgery) { forgery_ = std::move(forgery); }

  /// Called when a flood begins and when it ends.
  std::function<void(bool flooded)> on_flood;
  /// Records what was counted of a flood since the last time.
  void report_flood() { flood_.report(); }

  netns::FrameDecision frame_sent(netns::Frame& frame) override;
  void frame_decided(const netns::Frame& frame) override;
  void frame_delivering(const netns::Frame& frame, netns::PortId to) override;
  void frame_delivered(const netns::Frame& frame, netns::PortId to,
                       base::Instant delivered) override;
  void frame_undelivered(const netns::Frame& frame, netns::Undelivered why) override;

private:
  netns::FrameDecision forged_frame_sent(netns::Frame& frame);
  bool is_listed(const PendingFrame* pending) const;
  capture::Packet packet_of(const netns::Frame& frame, const std::string& to);
  void note_sent(const netns::Frame& frame, const PluggedNic& sender, const std::string& to);
  void act_before(const FrameView& view, const capture::Packet& packet);
  netns::FrameDecision lose_with_sender(const netns::Frame& frame, const capture::Packet& packet,
                                        std::uint32_t interface);
  netns::FrameDecision send(netns::Frame& frame, FrameInTransit& frame_in_transit, bool is_stepped);

  CaptureFile& capture_;
  Clock& clock_;
  NicTable nics_;
  FaultSet faults_;
  Stepper stepper_;
  FloodMeter flood_;
  FrameRecord record_;
  FrameInspection inspection_;
  // Of the frame that is being sent:
  bool listed_ = true;  // whether it has an event of its own
  PacketFacts facts_;   // nothing if it is not listed, and no fault acts
  Forgery forgery_;
  StallWatch* stalls_ = nullptr;
  FrameMoments* moments_ = nullptr;
};

}  // namespace tcplab::engine
