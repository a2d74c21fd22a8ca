// Faults: what may befall a frame on the wire. One small class each; faults stack, the first
// that claims a frame decides. A fault is lifted by its handle.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "capture/filter.hh"
#include "netns/wire.hh"

namespace tcplab::engine {

/// A frame as faults and expectations see it: who sent it to whom, and its bytes.
struct FrameView {
  const std::string& from;
  const std::string& to;  // empty: to all
  netns::Bytes bytes;
};

/// Which frames: a direction ("kang > kodos"; both ways when empty) and a pcap filter (all
/// when empty).
class FrameFilter {
public:
  /// Throws base::UsageError for a direction or filter that cannot be read.
  FrameFilter(const std::string& direction, const std::string& expression);

  bool matches(const FrameView& frame) const;
  std::string describe() const;  // "kang > kodos, tcp[tcpflags] & tcp-rst != 0"
  const std::string& from() const { return from_; }
  const std::string& to() const { return to_; }

private:
  std::string from_;
  std::string to_;
  std::string expression_;
  std::optional<capture::PacketFilter> filter_;
};

class Fault {
public:
  explicit Fault(FrameFilter filter) : filter_(std::move(filter)) {}
  virtual ~Fault() = default;

  /// What becomes of the frame; `deliver` leaves it to the next fault.
  virtual netns::Ruling rule(const FrameView& frame) = 0;
  /// For the timeline: "lose the first 2 of kang > kodos, tcp".
  virtual std::string describe() const = 0;

  const FrameFilter& filter() const { return filter_; }

private:
  FrameFilter filter_;
};

/// Loses the frames that match: all of them, or after letting `skip` pass, `count` of them.
class LoseFault : public Fault {
public:
  LoseFault(FrameFilter filter, std::optional<int> count, int skip)
      : Fault(std::move(filter)), count_(count), skip_(skip) {}
  netns::Ruling rule(const FrameView& frame) override;
  std::string describe() const override;

private:
  std::optional<int> count_;
  int skip_;
  int seen_ = 0;
};

/// A cable with a broken strand: nothing passes in that direction.
class CutFault : public Fault {
public:
  using Fault::Fault;
  netns::Ruling rule(const FrameView& frame) override;
  std::string describe() const override;
};

/// Holds the frames that match in the air until they are released.
class HoldFault : public Fault {
public:
  using Fault::Fault;
  netns::Ruling rule(const FrameView& frame) override;
  std::string describe() const override;
};

}  // namespace tcplab::engine
