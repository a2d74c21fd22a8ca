// A fault: what may befall frames on the wire. One small class each, in *_faults.{hh,cc}. Faults
// stack: each that claims a frame acts on its frame_in_transit, in the order in which they were
// made.
#pragma once

#include <string>

#include "scenarios/engine/wire/frame_filter.hh"
#include "scenarios/engine/wire/frame_in_transit.hh"
#include "scenarios/engine/wire/frame_selection.hh"

namespace tcplab::engine {

/// Which frames a fault is about, and what it is called. Every fault has one.
struct FaultScope {
  FrameFilter filter;
  FrameSelection selection{};
  std::string link{};  // only there; empty: anywhere
  std::string name{};
};

class Fault {
public:
  explicit Fault(FaultScope scope) : scope_(std::move(scope)) {}
  virtual ~Fault() = default;
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;

  /// Acts on the frame, if it is one of those that it is about.
  void meet(FrameInTransit& frame_in_transit);

  const std::string& name() const { return scope_.name; }
  /// For the timeline: "lose 2 of kang > kodos, tcp".
  std::string describe() const;
  /// For a frame: `lose "flaky cable"`; without a name, what describe() says.
  std::string label() const;

private:
  virtual std::string verb() const = 0;
  virtual std::string details() const { return ""; }  // "50 ms"
  virtual void act(FrameInTransit& frame_in_transit) = 0;
  /// Each frame that the filter picks, before some are selected.
  virtual void see(FrameInTransit& /*frame_in_transit*/) {}

  FaultScope scope_;
};

}  // namespace tcplab::engine
