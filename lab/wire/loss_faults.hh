// Faults that lose frames.
#pragma once

#include "lab/wire/fault.hh"

namespace tcplab::lab {

class LoseFault : public Fault {
public:
  using Fault::Fault;

private:
  capture::ActionVerb verb() const override { return capture::ActionVerb::lose; }
  void act(FrameInTransit& frame_in_transit) override {
    frame_in_transit.lose(effect(capture::EffectKind::lost));
  }
};

/// Loses every frame in one direction.
class CutFault : public Fault {
public:
  using Fault::Fault;

private:
  capture::ActionVerb verb() const override { return capture::ActionVerb::cut; }
  void act(FrameInTransit& frame_in_transit) override {
    frame_in_transit.lose(effect(capture::EffectKind::lost));
  }
};

/// A link with a smaller MTU. It loses longer IP packets without an ICMP error (RFC 2923
/// section 2.1).
class MtuFault : public Fault {
public:
  MtuFault(FaultScope scope, std::size_t mtu) : Fault(std::move(scope)), mtu_(mtu) {}

private:
  capture::ActionVerb verb() const override { return capture::ActionVerb::mtu; }
  std::string options() const override { return std::to_string(mtu_); }
  void act(FrameInTransit& frame_in_transit) override;

  std::size_t mtu_;  // bytes of an IP packet
};

}  // namespace tcplab::lab
