// The faults of a run, and the frames that they are still working on. Frames pass through the
// faults in the order in which these were made.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "lab/wire/fault.hh"
#include "lab/wire/pending_frames.hh"
#include "netns/wire.hh"

namespace tcplab::lab {

class FaultSet {
public:
  explicit FaultSet(Clock& clock) : pending_(clock) {}

  /// To be called before the first frame.
  void connect(netns::Wire& wire) { pending_.connect(wire); }

  /// Adds a fault, which acts until remove() or the end of the run. Throws base::UsageError if its
  /// name is taken.
  std::shared_ptr<Fault> add(std::shared_ptr<Fault> fault);
  bool is_empty() const { return faults_.empty(); }
  /// Finds a fault by its name; null if there is none.
  Fault* find(const std::string& name) const;
  /// Sends on the frames that the fault holds.
  void release(const Fault& fault) { pending_.release(fault); }
  /// Removes the fault, and sends on the frames that it holds.
  void remove(const Fault& fault);

  /// Lets every fault act on the frame, until one loses it.
  void act_on(FrameInTransit& frame_in_transit) const;

  /// Sends on a frame that a fault has touched or that the stepper will stop, and its copies. Puts
  /// altered bytes into `frame`.
  netns::FrameDecision send(netns::Frame& frame, FrameInTransit& frame_in_transit,
                            PendingFrame pending);
  /// To be called with every frame once the wire has carried out its decision.
  void decided(const netns::Frame& frame);
  /// Sends on the frames that wait for this one.
  void follow(const FrameInTransit& frame_in_transit) { followers_ = frame_in_transit.followers(); }

  PendingFrames& pending() { return pending_; }
  const PendingFrames& pending() const { return pending_; }

  /// Called with the number of faults, when it grows.
  std::function<void(std::size_t count)> on_added = [](std::size_t) {};
  /// Called for the frame and each copy, before it goes.
  std::function<void(const PendingFrame& frame)> on_departure = [](const PendingFrame&) {};
  std::function<void(std::uint64_t number, netns::Bytes sent)> on_copy = [](std::uint64_t,
                                                                            netns::Bytes) {};

private:
  void send_copies(const netns::Frame& frame, const FrameInTransit& frame_in_transit,
                   const PendingFrame& original);

  std::list<std::shared_ptr<Fault>> faults_;
  PendingFrames pending_;
  // Of the frame that the wire is deciding on:
  std::vector<std::uint64_t> departures_;  // itself and its copies
  std::vector<Follower> followers_;        // frames that wait for it
  std::vector<std::uint8_t> altered_;      // its bytes, if a fault changed them
};

}  // namespace tcplab::lab
