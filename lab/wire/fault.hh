// A fault acts on frames on the wire: it loses, delays or changes them. Each kind is a small class
// in *_faults.{hh,cc}. Several faults may act on one frame, in the order in which they were made.
#pragma once

#include <string>

#include "capture/event/event.hh"
#include "lab/wire/frame_filter.hh"
#include "lab/wire/frame_in_transit.hh"
#include "lab/wire/frame_selection.hh"

namespace tcplab::lab {

/// Which frames a fault acts on, and its name.
struct FaultScope {
  FrameFilter filter;
  FrameSelection selection{};
  std::string link{};  // only there; empty: on every link
  std::string name{};  // may be empty
};

class Fault {
public:
  explicit Fault(FaultScope scope) : scope_(std::move(scope)) {}
  virtual ~Fault() = default;
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;

  /// Acts on the frame if the fault's filter and selection select it.
  void meet(FrameInTransit& frame_in_transit);

  const std::string& name() const { return scope_.name; }
  /// Returns the fault as the script states it.
  capture::FaultRule rule() const;

protected:
  /// Returns what it does to a frame, with its name; without a name, with its rule.
  capture::Effect effect(capture::EffectKind kind) const;

private:
  virtual capture::ActionVerb verb() const = 0;
  virtual std::string options() const { return ""; }  // "50 ms"
  virtual void act(FrameInTransit& frame_in_transit) = 0;
  /// Called for each frame that the filter selects, before the selection.
  virtual void see(FrameInTransit& /*frame_in_transit*/) {}

  FaultScope scope_;
};

}  // namespace tcplab::lab
