// A frame on its way through the faults: what was sent, and what the faults have done to it so far.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/clock.hh"
#include "capture/event/event.hh"
#include "lab/wire/frame_filter.hh"

namespace tcplab::lab {

class Fault;
using Effects = std::vector<capture::Effect>;

struct Copies {
  int number = 0;
  base::nanoseconds apart{};  // between the frame and its first copy, and so on
  capture::Effect effect{};   // of each copy
};

struct Follower {
  std::uint64_t frame = 0;
  const Fault* holder = nullptr;
};

class FrameInTransit {
public:
  FrameInTransit(const FrameView& frame, std::uint64_t number, base::Instant sent,
                 const netns::Offload& offload = {})
      : frame_(frame), number_(number), sent_(sent), bytes_(frame.bytes), offload_(offload) {}
  FrameInTransit(const FrameInTransit&) = delete;
  FrameInTransit& operator=(const FrameInTransit&) = delete;

  const FrameView& frame() const { return frame_; }  // as it was sent
  std::uint64_t number() const { return number_; }
  base::Instant sent() const { return sent_; }

  /// Returns the bytes as they are now.
  netns::Bytes bytes() const { return bytes_; }
  /// Returns what the sender's NIC left to do with the bytes.
  const netns::Offload& offload() const { return offload_; }
  /// Replaces the bytes. If the NIC left the checksum to do, it must be in the new bytes.
  void replace(std::vector<std::uint8_t> bytes, capture::Effect effect);
  bool is_altered() const { return !own_bytes_.empty(); }
  /// Returns the buffer of bytes(); empty unless is_altered().
  std::vector<std::uint8_t> take_bytes() { return std::move(own_bytes_); }

  void lose(capture::Effect effect);
  bool is_lost() const { return is_lost_; }

  /// Delays it by the effect's span, on top of earlier delays.
  void delay(capture::Effect effect);
  base::nanoseconds delayed() const { return delayed_; }

  /// Holds it until this fault, and every other that holds it, releases it.
  void hold(const Fault& fault, capture::Effect effect);
  const std::vector<const Fault*>& holders() const { return holders_; }

  void copy(Copies copies, capture::Effect effect);
  const std::vector<Copies>& copies() const { return copies_; }

  /// The follower's fault releases the follower as soon as this frame is sent on.
  void is_followed_by(const Follower& follower) { followers_.push_back(follower); }
  const std::vector<Follower>& followers() const { return followers_; }

  /// Records an effect that changes neither the bytes nor the way of the frame.
  void note(capture::Effect effect) { effects_.push_back(std::move(effect)); }

  /// Returns what was noted and what faults did to it, in order; empty if no fault acted on it.
  const Effects& effects() const { return effects_; }

private:
  FrameView frame_;
  std::uint64_t number_;
  base::Instant sent_;
  netns::Bytes bytes_;
  netns::Offload offload_;
  std::vector<std::uint8_t> own_bytes_;
  bool is_lost_ = false;
  base::nanoseconds delayed_{};
  std::vector<const Fault*> holders_;
  std::vector<Copies> copies_;
  std::vector<Follower> followers_;
  Effects effects_;
};

}  // namespace tcplab::lab
