// Faults that lose frames.
#pragma once

#include "scenarios/engine/wire/fault.hh"

namespace tcplab::engine {

class LoseFault : public Fault {
public:
  using Fault::Fault;

private:
  std::string verb() const override { return "lose"; }
  void act(FrameInTransit& frame_in_transit) override { frame_in_transit.lose(label()); }
};

/// A cable with a broken strand: nothing passes in that direction.
class CutFault : public Fault {
public:
  using Fault::Fault;

private:
  std::string verb() const override { return "cut"; }
  void act(FrameInTransit& frame_in_transit) override { frame_in_transit.lose(label()); }
};

/// A link with a smaller MTU that tells nobody: longer IP packets vanish (RFC 2923 section 2.1).
class MtuFault : public Fault {
public:
  MtuFault(FaultScope scope, std::size_t mtu) : Fault(std::move(scope)), mtu_(mtu) {}

private:
  std::string verb() const override { return "mtu"; }
  std::string details() const override { return std::to_string(mtu_); }
  void act(FrameInTransit& frame_in_transit) override;

  std::size_t mtu_;  // bytes of an IP packet
};

}  // namespace tcplab::engine
