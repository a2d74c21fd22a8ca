// A frame on its way through the faults: what it was when it was sent, and what has befallen it
// so far. Each fault that claims the frame acts on it, in the order in which they were made.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.hh"
#include "scenarios/engine/wire/frame_filter.hh"

namespace tcplab::engine {

class Fault;

struct Copies {
  int number = 0;
  base::nanoseconds apart{};  // between the frame and its first copy, and so on
  std::string cause;          // the fault's label
};

struct Follower {
  std::uint64_t frame = 0;
  const Fault* holder = nullptr;
};

class FrameInTransit {
public:
  FrameInTransit(const FrameView& frame, std::uint64_t number, base::Instant sent)
      : frame_(frame), number_(number), sent_(sent), bytes_(frame.bytes) {}
  FrameInTransit(const FrameInTransit&) = delete;
  FrameInTransit& operator=(const FrameInTransit&) = delete;

  const FrameView& frame() const { return frame_; }  // as it was sent
  std::uint64_t number() const { return number_; }
  base::Instant sent() const { return sent_; }

  /// As it is now.
  netns::Bytes bytes() const { return bytes_; }
  /// It goes on with these bytes.
  void replace(std::vector<std::uint8_t> bytes, const std::string& why);
  bool is_altered() const { return !own_bytes_.empty(); }
  /// What bytes() has been pointing to; empty unless it is altered.
  std::vector<std::uint8_t> take_bytes() { return std::move(own_bytes_); }

  void lose(const std::string& why);
  bool is_lost() const { return is_lost_; }

  /// It arrives so much later than it would have.
  void delay(base::nanoseconds by, const std::string& why);
  base::nanoseconds delayed() const { return delayed_; }

  /// It does not go on before that fault, and each other that holds it, lets it go.
  void hold(const Fault& fault, const std::string& why);
  const std::vector<const Fault*>& holders() const { return holders_; }

  void copy(Copies copies);
  const std::vector<Copies>& copies() const { return copies_; }

  /// That fault lets go of that frame as soon as this one has gone.
  void is_followed_by(const Follower& follower) { followers_.push_back(follower); }
  const std::vector<Follower>& followers() const { return followers_; }

  /// "delayed 50 ms by slow path; duplicated by ..."; empty when nothing has befallen it.
  const std::string& why() const { return why_; }

private:
  void note(const std::string& what);

  FrameView frame_;
  std::uint64_t number_;
  base::Instant sent_;
  netns::Bytes bytes_;
  std::vector<std::uint8_t> own_bytes_;
  bool is_lost_ = false;
  base::nanoseconds delayed_{};
  std::vector<const Fault*> holders_;
  std::vector<Copies> copies_;
  std::vector<Follower> followers_;
  std::string why_;
};

}  // namespace tcplab::engine
