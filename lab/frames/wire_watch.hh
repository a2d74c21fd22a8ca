// Observes the wire for a run. For each frame it asks the sender's kernel, lets the faults act,
// and after the delivery asks the receiver's kernel. It records the frame on the timeline and in
// the capture. On a flooded wire it does this only for frames that can change a state; it counts
// the others (capture::Flood) and captures their headers.
#pragma once

#include <deque>
#include <functional>
#include <string>

#include "lab/frames/flood_meter.hh"
#include "lab/frames/frame_inspection.hh"
#include "lab/frames/frame_record.hh"
#include "lab/frames/nic_table.hh"
#include "lab/frames/observed_frame.hh"
#include "lab/machine/stall_watch.hh"
#include "lab/record/capture_file.hh"
#include "lab/wire/fault_set.hh"
#include "lab/wire/frame_handlers.hh"
#include "lab/wire/stepper.hh"
#include "netns/wire.hh"

namespace tcplab::lab {

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
  void act_by(FrameHandlers& handlers) { handlers_ = &handlers; }
  /// Whether a frame can make a handler act: switch a host off, start a program.
  bool may_act() const { return handlers_ != nullptr && !handlers_->is_idle(); }

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
  netns::FrameDecision host_sent(netns::Frame& frame, const PluggedNic& sender);
  netns::FrameDecision lab_sent(netns::Frame& frame);
  ObservedFrame& take_in_hand(const netns::Frame& frame, const std::string& from);
  const ObservedFrame* in_hand(const netns::Frame& frame) const;
  bool is_listed(const netns::Frame& frame, const PendingFrame* pending) const;
  void note_sent(const ObservedFrame& observed, const netns::Frame& frame,
                 const PluggedNic& sender);
  netns::FrameDecision lose_with_sender(const ObservedFrame& observed, const netns::Frame& frame,
                                        std::uint32_t interface);
  netns::FrameDecision send(const ObservedFrame& observed, netns::Frame& frame,
                            FrameInTransit& frame_in_transit, bool is_stepped);

  CaptureFile& capture_;
  Clock& clock_;
  NicTable nics_;
  FaultSet faults_;
  Stepper stepper_;
  FloodMeter flood_;
  FrameRecord record_;
  FrameInspection inspection_;
  // The frame that the wire handles, and those that a script forges meanwhile, the newest last.
  std::deque<ObservedFrame> in_hand_;
  Forgery forgery_;
  StallWatch* stalls_ = nullptr;
  FrameHandlers* handlers_ = nullptr;
};

}  // namespace tcplab::lab
